#pragma once
#include "core/transformer/measure.h"

#include <cstdint>
#include <vector>

namespace normscope {

struct BatchShape {
    int sentences = 8;
    Index source_tokens = 16;
    Index target_tokens = 16;
};

// What one seed gave.
struct SeedMeasure {
    std::uint64_t seed = 0;
    TransformerMeasure measure;
};

// The same config for the seeds config.seed, config.seed + 1, …, which the weights, the sentences
// and the labels are drawn from. Errors: those of check_config and of the passes.
template<class S>
Result<std::vector<SeedMeasure>> measure_over_seeds(const TransformerConfig& config,
                                                    const BatchShape& batch, int seeds,
                                                    int threads = 1);

// Bytes that the weights, their gradients and one forward and backward pass take in float32, about.
double transformer_bytes(const TransformerConfig& config, const BatchShape& batch);

} // namespace normscope
