#pragma once
#include "core/transformer/transformer.h"

#include <cstdint>
#include <vector>

namespace normscope {

// How a decoder writes: each next character is drawn with the probabilities softmax(logits/τ).
struct WriteOptions {
    Index characters = 80;
    Index context = 32; // how many characters it reads at most
    double temperature = 0.5;
    std::uint64_t seed = 0;
};

// The ids that `model`, in evaluation mode, writes after `start`, which is not empty. Errors: those
// of the forward pass.
template<class S>
Result<std::vector<Index>> write_text(const Transformer<S>& model, const std::vector<Index>& start,
                                      const WriteOptions& options);

} // namespace normscope
