#pragma once
#include "app/cli/outputs.h"
#include "core/transformer/transformer.h"

#include <optional>
#include <vector>

namespace normscope {

// The files of one sentence's pass, named after what they hold: PyTorch's module names, T×D unless
// said.
//   encoder.input, decoder.input             embedding · scale + position
//   STACK.layers.N.self_attn, multihead_attn, linear2    F(X)
//   STACK.layers.N.self_attn.weights, multihead_attn.weights    heads×T×M
//   STACK.layers.N.normI.z, normI            what the norm reads, and γ ⊙ x̂ + β
//   STACK.layers.N                           what the layer gives
//   STACK.norm.z, STACK.norm                 the same of the final norm
//   memory, logits, probabilities            what the encoder gives; T×V
// With labels also loss, and under grad/ the gradient of every weight under its name.
template<class S>
std::vector<OutputFile> transformer_outputs(const Transformer<S>& model,
                                            const TransformerForward<S>& forward,
                                            const std::optional<TransformerBackward<S>>& backward);

} // namespace normscope
