#pragma once
#include "app/cli/outputs.h"
#include "app/session/file_weights.h"
#include "core/transformer/measure.h"

#include <optional>
#include <string>
#include <vector>

// The output of `normscope transformer`: text on Transformers with drawn weights, and files on one
// with weights from a file.
namespace normscope {

struct DrawnTransformers {
    TransformerConfig config;
    BatchShape batch;
    std::string precision;
    std::vector<SeedMeasure> seeds;
};

// {"config": {…}, "seeds": [{"seed": 0, "loss": …, "encoder": [{…}, …], "decoder": […]}]} with
// every digit. A value that is not a number is null.
std::string transformer_json(const DrawnTransformers& drawn);

// A sentence through the weights of a file.
struct WeightsRun {
    std::string file;
    TransformerConfig config;
    std::vector<FileSetting> settings;
    std::vector<std::string> notes; // on how the file was read
    std::optional<double> loss;     // with labels
};

// {"weights": …, "config": {…}, "from": {"heads": "file", "norm": "option", "eps": "assumed"},
//  "overridden": {"norm": "rms"}, "notes": […], "loss": …}
std::string weights_json(const WeightsRun& run);

// A line an Add & Norm from the top of the decoder down, means over the seeds.
std::string transformer_table(const DrawnTransformers& drawn);

// Whether a number of a seed is beyond what its precision holds.
bool overflows(const std::vector<SeedMeasure>& seeds);

// The files of one sentence's pass, named after what they hold: PyTorch's module names, T×D unless
// said.
//   encoder.input, decoder.input             embedding · scale + position
//   STACK.layers.N.self_attn, multihead_attn, linear2    F(X)
//   STACK.layers.N.self_attn.weights, multihead_attn.weights    heads×T×M
//   STACK.layers.N.normI.z, normI            what the norm reads, and γ ⊙ x̂ + β
//   STACK.layers.N                           what the layer gives
//   STACK.norm.z, STACK.norm                 the same of the final norm
//   memory, logits, probabilities            what the encoder gives; T×V, where there is a head
// With labels also loss, and under grad/ the gradient of every weight under its name.
template<class S>
std::vector<OutputFile>
transformer_outputs(const Transformer<S>& model, const TransformerForward<S>& forward,
                    const std::optional<TransformerBackward<S>>& backward, bool has_head);

} // namespace normscope
