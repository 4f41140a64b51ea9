#include "core/transformer/named_tensors.h"

#include "core/base/lists.h"

#include <variant>

namespace normscope {
namespace {

// Collects tensors of T (S or const S), by the names of a prefix.
template<class T>
class Collector {
  public:
    std::vector<NamedTensor<T>> found;

    template<class M>
    void add(const std::string& name, M& m) {
        if (m.size() == 0) return;
        std::vector<Index> shape{m.rows()};
        if constexpr (M::ColsAtCompileTime != 1) shape.push_back(m.cols());
        found.push_back({name, std::move(shape), m.data()});
    }

    // A layer with weight and bias, or their gradients.
    template<class L>
    void linear(const std::string& weight, const std::string& bias, L& layer) {
        if constexpr (requires { layer.dweight; }) {
            add(weight, layer.dweight);
            add(bias, layer.dbias);
        } else {
            add(weight, layer.weight);
            add(bias, layer.bias);
        }
    }

    // An attention or feed-forward layer, or their gradients.
    template<class L>
    void sublayer(const std::string& prefix, const std::string& name, L& layer) {
        if constexpr (
            requires { layer.in.bias; } || requires { layer.in.dbias; }) {
            const std::string attention = prefix + name + ".";
            linear(attention + "in_proj_weight", attention + "in_proj_bias", layer.in);
            linear(attention + "out_proj.weight", attention + "out_proj.bias", layer.out);
        } else if constexpr (requires { layer.first; }) {
            linear(prefix + "linear1.weight", prefix + "linear1.bias", layer.first);
            linear(prefix + "linear2.weight", prefix + "linear2.bias", layer.second);
        }
    }

    // γ and β, or their gradients.
    template<class V>
    void norm(const std::string& name, V& gamma, V& beta) {
        add(name + ".weight", gamma);
        add(name + ".bias", beta);
    }

    // A residual block, or its backward pass.
    template<class B>
    void block(const std::string& prefix, const BlockNames& names, B& block) {
        std::visit([&](auto& layer) { sublayer(prefix, names.sublayer, layer); }, block.sublayer);
        const std::string name = prefix + names.norm;
        if constexpr (requires { block.affine; }) {
            norm(name, block.affine.gamma, block.affine.beta);
            norm(name + "_out", block.outer.gamma, block.outer.beta);
            add(prefix + names.alpha, block.alpha);
        } else {
            norm(name, block.dgamma, block.dbeta);
            norm(name + "_out", block.outer_dgamma, block.outer_dbeta);
            add(prefix + names.alpha, block.dalpha);
        }
    }

    // A stack, or its backward pass.
    template<class Stack>
    void stack(const std::string& prefix, Stack& stack) {
        for (const auto layer : indices(stack.layers)) {
            auto& blocks = stack.layers[layer];
            const std::string at = prefix + "layers." + std::to_string(layer) + ".";
            for (const auto b : indices(blocks))
                block(at, block_names(b, blocks.size()), blocks[b]);
        }
        if (!stack.final_norm) return;
        if constexpr (requires { stack.final_norm->affine; })
            norm(prefix + "norm", stack.final_norm->affine.gamma, stack.final_norm->affine.beta);
        else
            norm(prefix + "norm", stack.final_norm->dgamma, stack.final_norm->dbeta);
    }

    // A Transformer, or its backward pass.
    template<class M>
    std::vector<NamedTensor<T>> all(M& m) && {
        add("src_embed.weight", m.source_embedding);
        add("src_pos.weight", m.source_positions);
        add("tgt_embed.weight", m.target_embedding);
        add("tgt_pos.weight", m.target_positions);
        stack("encoder.", m.encoder);
        stack("decoder.", m.decoder);
        linear("generator.weight", "generator.bias", m.generator);
        return std::move(found);
    }
};

} // namespace

BlockNames block_names(std::size_t block, std::size_t blocks_of_the_layer) {
    const std::string place = std::to_string(block + 1);
    const std::string norm = "norm" + place, alpha = "alpha" + place;
    if (block == 0) return {"self_attn", norm, alpha};
    return {block + 1 < blocks_of_the_layer ? "multihead_attn" : "", norm, alpha};
}

template<template<class> class Of, class S>
std::vector<NamedTensor<S>> tensors(Of<S>& of) {
    return Collector<S>{}.all(of);
}
template<template<class> class Of, class S>
std::vector<NamedTensor<const S>> tensors(const Of<S>& of) {
    return Collector<const S>{}.all(of);
}

template std::vector<NamedTensor<float>> tensors(Transformer<float>&);
template std::vector<NamedTensor<double>> tensors(Transformer<double>&);
template std::vector<NamedTensor<const float>> tensors(const Transformer<float>&);
template std::vector<NamedTensor<const double>> tensors(const Transformer<double>&);
template std::vector<NamedTensor<float>> tensors(TransformerBackward<float>&);
template std::vector<NamedTensor<double>> tensors(TransformerBackward<double>&);
template std::vector<NamedTensor<const float>> tensors(const TransformerBackward<float>&);
template std::vector<NamedTensor<const double>> tensors(const TransformerBackward<double>&);

} // namespace normscope
