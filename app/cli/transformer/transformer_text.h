#pragma once
#include "core/transformer/measure.h"

#include <string>
#include <vector>

// What `normscope transformer` prints of Transformers that were drawn.
namespace normscope {

struct DrawnTransformers {
    TransformerConfig config;
    BatchShape batch;
    std::string precision;
    std::vector<SeedMeasure> seeds;
};

// {"config": {…}, "seeds": [{"seed": 0, "loss": …, "encoder": [{…}, …], "decoder": […]}]} with
// every digit. What is not a number is null there.
std::string transformer_json(const DrawnTransformers& drawn);

// A line an Add & Norm from the top of the decoder down, means over the seeds.
std::string transformer_table(const DrawnTransformers& drawn);

// Whether a number of a seed is beyond what its precision holds.
bool overflows(const std::vector<SeedMeasure>& seeds);

} // namespace normscope
