#pragma once
#include "core/train/task.h"
#include "core/transformer/transformer.h"

#include <cstdint>

namespace normscope {

// What becomes of the symbols s_1 … s_n, drawn uniformly:
//   reverse  s_n … s_1
//   copy     s_1 … s_n
//   sort     the symbols from the lowest to the highest
//   first    s_1 alone
// Word 0 is the start, words 1 to `symbols` are the symbols.
struct SequenceTaskConfig {
    Task task = Task::reverse;
    Index length = 8;
    Index shortest = 8; // below `length`: each sentence's length is drawn from here to there
    Index symbols = 10;
    Architecture arch = Architecture::encoder_decoder;

    bool operator==(const SequenceTaskConfig&) const = default;
};

// A batch of sentences, each as long as it is: what other programs pad and mask is not there, so
// that it counts in no loss, no accuracy and no statistics of a norm. With r what the symbols
// become:
//   encoder and decoder  source s, target start r_1 … r_(n−1), labels r
//   encoder              source s, labels r (first: s_1 at each token)
//   decoder              target s start r_1 … r_(n−1), labels r from the start on, none before
// Into `out`, whose memory is written again.
void draw_sequences(const SequenceTaskConfig& config, Index sentences, std::uint64_t seed,
                    std::uint64_t stream, Batch& out);

} // namespace normscope
