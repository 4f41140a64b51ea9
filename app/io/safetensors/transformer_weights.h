#pragma once
#include "app/io/safetensors/safetensors.h"
#include "core/transformer/transformer.h"

#include <string>

// The weights of a Transformer as a .safetensors file, under the names and with the shapes of
// torch.nn.Transformer (core/transformer/named_tensors.h).
namespace normscope {

// Which stacks there are, their layers, sizes and final norms follow from the tensors; of `said`
// counts what no tensor tells: heads, norm, placement, positions … Words have an embedding for each
// side and a head of their own; positions are not learned. Errors: a tensor that is missing, one
// that has no use, and one of another shape, with the shape that was expected; those of
// check_config.
template<class S>
Result<Transformer<S>> read_transformer(const Safetensors& file, TransformerConfig said,
                                        int threads = 1);

// The bytes of a file with every weight, and what no tensor says.
template<class S>
std::string write_transformer(const Transformer<S>& model, TextByKey metadata = {});

} // namespace normscope
