#include "core/transformer/stack.h"

#include <utility>

namespace normscope {

template<class S>
Result<StackForward<S>> stack_forward(const TransformerStack<S>& stack, Matrix<S> x,
                                      const AttentionContext<S>& context) {
    if (stack.layers.empty()) return fail("a stack needs at least one layer");
    StackForward<S> out;
    for (const TransformerLayer<S>& layer : stack.layers) {
        auto& caches = out.layers.emplace_back();
        for (const ResidualBlock<S>& block : layer) {
            auto forward = block_forward(block, x, context);
            if (!forward) return tl::unexpected(forward.error());
            caches.push_back(std::move(forward->cache));
            x = std::move(forward->y);
        }
    }
    if (!stack.final_norm) {
        out.y = std::move(x);
        return out;
    }
    const FinalNorm<S>& final = *stack.final_norm;
    auto normed = norm_forward(final.norm, x, final.affine, final.options,
                               final.running ? &*final.running : nullptr);
    if (!normed) return tl::unexpected(normed.error());
    out.y = std::move(normed->y);
    out.final_norm = std::move(normed->cache);
    out.running = std::move(normed->running);
    out.last = std::move(x);
    return out;
}

template<class S>
Result<StackBackward<S>> stack_backward(const TransformerStack<S>& stack,
                                        const StackForward<S>& forward, const Matrix<S>& dy,
                                        const AttentionContext<S>& context) {
    StackBackward<S> out;
    out.layers.resize(stack.layers.size());
    out.dx = dy;
    if (stack.final_norm) {
        auto back = normalize_backward(*forward.final_norm, stack.final_norm->affine, dy,
                                       {{}, stack.final_norm->options.threads});
        if (!back) return tl::unexpected(back.error());
        out.dx = back->dz;
        out.final_norm = std::move(*back);
    }
    for (std::size_t layer = stack.layers.size(); layer-- > 0;) {
        const TransformerLayer<S>& blocks = stack.layers[layer];
        auto& grads = out.layers[layer];
        grads.resize(blocks.size());
        for (std::size_t b = blocks.size(); b-- > 0;) {
            auto back = block_backward(blocks[b], forward.layers[layer][b], out.dx,
                                       Want::everything, context);
            if (!back) return tl::unexpected(back.error());
            out.dx = back->dx();
            if (back->dmemory.size() > 0) {
                if (out.dmemory.size() == 0)
                    out.dmemory = back->dmemory;
                else
                    out.dmemory += back->dmemory;
            }
            grads[b] = std::move(*back);
        }
    }
    return out;
}

template Result<StackForward<float>> stack_forward(const TransformerStack<float>&, Matrix<float>,
                                                   const AttentionContext<float>&);
template Result<StackForward<double>> stack_forward(const TransformerStack<double>&, Matrix<double>,
                                                    const AttentionContext<double>&);
template Result<StackBackward<float>> stack_backward(const TransformerStack<float>&,
                                                     const StackForward<float>&,
                                                     const Matrix<float>&,
                                                     const AttentionContext<float>&);
template Result<StackBackward<double>> stack_backward(const TransformerStack<double>&,
                                                      const StackForward<double>&,
                                                      const Matrix<double>&,
                                                      const AttentionContext<double>&);

} // namespace normscope
