#pragma once
#include "core/base/matrix.h"

#include <cstdint>
#include <vector>

namespace normscope {

// How the rows of a matrix are sentences, one below the other, each as long as it is.
struct Sentences {
    std::vector<Index> lengths;       // tokens of each; empty: all rows are one sentence
    std::vector<std::uint8_t> hidden; // one a row, 1: no query sees it (padding); empty: none is

    bool operator==(const Sentences&) const = default;
};

// What attention reads beside x.
template<class S>
struct AttentionContext {
    const Sentences* sentences = nullptr;        // of x; null: one sentence
    const Matrix<S>* memory = nullptr;           // M×D, of cross-attention
    const Sentences* memory_sentences = nullptr; // as many as x has; null: one sentence
};

} // namespace normscope
