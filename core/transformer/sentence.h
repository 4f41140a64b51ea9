#pragma once
#include "core/base/matrix.h"

#include <cstdint>
#include <vector>

namespace normscope {

// Words by their ids. The words for a stack that the model lacks are ignored.
struct Sentence {
    std::vector<Index> source;
    std::vector<Index> target;
    std::vector<Index> labels;         // the word wanted at each token under the head, or
                                       // k_no_label; empty: none
    std::vector<std::uint8_t> padding; // one a source token, 1: nobody sees it; empty: all are seen
};
// A batch: sentences stand one below the other, each as long as it is.
using Batch = std::vector<Sentence>;

} // namespace normscope
