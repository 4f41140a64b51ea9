#pragma once
#include "core/base/named_tensor.h"
#include "core/transformer/transformer.h"

#include <string>
#include <vector>

namespace normscope {

// Every weight of a Transformer, and every gradient of a TransformerBackward, in one order and
// under one set of names: those of torch.nn.Transformer,
//   src_embed.weight, src_pos.weight, tgt_embed.weight, tgt_pos.weight (tied: no embeddings),
//   encoder.layers.N.{self_attn.{in_proj_weight, in_proj_bias, out_proj.{weight, bias}},
//     linear1.{weight, bias}, linear2.{weight, bias}, norm1.{weight, bias}, norm2.{weight, bias}},
//   encoder.norm.{weight, bias}, decoder.layers.N.{the same, multihead_attn.…, norm3.…},
//   decoder.norm.{weight, bias}, generator.{weight, bias};
// peri's second norm of a block is normN_out, ReZero's α alphaN. Empty tensors are left out.
template<template<class> class Of, class S>
std::vector<NamedTensor<S>> tensors(Of<S>& of);
template<template<class> class Of, class S>
std::vector<NamedTensor<const S>> tensors(const Of<S>& of);

template<class S>
Index parameter_count(const Transformer<S>& model) {
    return total_size(tensors(model));
}

// Names of a block's tensors: "self_attn", "multihead_attn" or "" (linear1, linear2); "norm1";
// "alpha1".
struct BlockNames {
    std::string sublayer;
    std::string norm;
    std::string alpha;
};
BlockNames block_names(std::size_t block, std::size_t blocks_of_the_layer);

} // namespace normscope
