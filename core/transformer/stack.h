#pragma once
#include "core/block/residual_block.h"

#include <optional>
#include <vector>

namespace normscope {

// A Transformer layer (Vaswani et al. 2017, figure 1), its sublayers from first to last, each with
// its own Add & Norm: self-attention, feed-forward; in a decoder that reads a memory
// cross-attention stands between them. As torch.nn.TransformerEncoderLayer and
// TransformerDecoderLayer without dropout; placement post is norm_first=False, pre norm_first=True.
template<class S>
using TransformerLayer = std::vector<ResidualBlock<S>>;

template<class S>
struct FinalNorm {
    Affine<S> affine;
    Norm norm;
    NormOptions options;
    std::optional<RunningStats<S>> running = {}; // of a norm that has them; evaluation needs them
};

// x_{l+1} = layer_l(x_l), then the final norm, if there is one.
template<class S>
struct TransformerStack {
    std::vector<TransformerLayer<S>> layers;
    std::optional<FinalNorm<S>> final_norm;
};

// Calls visit(mode, running) for every norm of a stack: its mode and its running statistics, to
// read or to set.
template<class S, class Visit>
void for_norms(TransformerStack<S>& stack, const Visit& visit) {
    for (TransformerLayer<S>& layer : stack.layers)
        for (ResidualBlock<S>& block : layer) {
            visit(block.options.mode, block.running);
            if (block.options.placement == Placement::peri)
                visit(block.options.mode, block.outer_running);
        }
    if (stack.final_norm) visit(stack.final_norm->options.mode, stack.final_norm->running);
}

template<class S>
struct StackForward {
    std::vector<std::vector<BlockCache<S>>> layers; // by layer and block
    Matrix<S> last;                                 // the final norm's input; empty without one
    std::optional<Normalized<S>> final_norm;
    Matrix<S> y; // T×D

    // The output of a block, T×D.
    const Matrix<S>& output_of(std::size_t layer, std::size_t block) const {
        if (block + 1 < layers[layer].size()) return layers[layer][block + 1].x;
        if (layer + 1 < layers.size()) return layers[layer + 1].front().x;
        return final_norm ? last : y;
    }
    const Matrix<S>& output_of(std::size_t layer) const {
        return output_of(layer, layers[layer].size() - 1);
    }
};

template<class S>
struct StackBackward {
    std::vector<std::vector<BlockBackward<S>>> layers; // by layer and block
    std::optional<NormGradients<S>> final_norm;
    Matrix<S> dx;      // at the first layer's input, T×D
    Matrix<S> dmemory; // Σ over the layers that read one, M×D; else empty
    BlockScratch<S> scratch;
};

// x: T×D, at least one layer. The next pass of the same shapes into `out` allocates nothing.
// Errors: those of the blocks and of the norm.
template<class S>
Result<void> stack_forward_into(const TransformerStack<S>& stack, const Matrix<S>& x,
                                const AttentionContext<S>& context, StackForward<S>& out);

// `context` as forward had it. Errors: dy of another shape than y.
template<class S>
Result<void> stack_backward_into(const TransformerStack<S>& stack, const StackForward<S>& forward,
                                 const Matrix<S>& dy, Want want, const AttentionContext<S>& context,
                                 StackBackward<S>& out);

} // namespace normscope
