#include "core/transformer/stack.h"

#include "core/base/lists.h"

namespace normscope {

template<class S>
Result<void> stack_forward_into(const TransformerStack<S>& stack, const Matrix<S>& x,
                                const AttentionContext<S>& context, StackForward<S>& out) {
    if (stack.layers.empty()) return fail("a stack needs at least one layer");
    const std::size_t n = stack.layers.size();
    out.layers.resize(n);
    for (std::size_t l = 0; l < n; ++l) out.layers[l].resize(stack.layers[l].size());
    Matrix<S>& last = stack.final_norm ? out.last : out.y;
    out.layers.front().front().x = x;
    for (std::size_t l = 0; l < n; ++l)
        for (const auto b : indices(stack.layers[l])) {
            // Each block writes where the next one reads.
            Matrix<S>& y = b + 1 < stack.layers[l].size() ? out.layers[l][b + 1].x
                           : l + 1 < n                    ? out.layers[l + 1].front().x
                                                          : last;
            TRY(block_forward_into(stack.layers[l][b], context, out.layers[l][b], y));
        }
    if (!stack.final_norm) {
        out.final_norm.reset();
        return {};
    }
    if (!out.final_norm) out.final_norm.emplace();
    const FinalNorm<S>& final = *stack.final_norm;
    return norm_forward_into(final.norm, out.last, final.affine, final.options,
                             final.running ? &*final.running : nullptr, *out.final_norm, out.y);
}

template<class S>
Result<void> stack_backward_into(const TransformerStack<S>& stack, const StackForward<S>& forward,
                                 const Matrix<S>& dy, Want want, const AttentionContext<S>& context,
                                 StackBackward<S>& out) {
    out.layers.resize(stack.layers.size());
    if (stack.final_norm) {
        if (!out.final_norm) out.final_norm.emplace();
        TRY(normalize_backward_into(forward.final_norm->cache, stack.final_norm->affine, dy,
                                    {{}, stack.final_norm->options.threads}, *out.final_norm));
        out.dx = out.final_norm->dz;
    } else {
        out.final_norm.reset();
        out.dx = dy;
    }
    bool read_before = false;
    for (std::size_t layer = stack.layers.size(); layer-- > 0;) {
        const TransformerLayer<S>& blocks = stack.layers[layer];
        auto& grads = out.layers[layer];
        grads.resize(blocks.size());
        for (std::size_t b = blocks.size(); b-- > 0;) {
            TRY(block_backward_into(blocks[b], forward.layers[layer][b], out.dx, want, context,
                                    out.scratch, grads[b]));
            out.dx = grads[b].skip + grads[b].branch;
            if (grads[b].dmemory.size() == 0) continue;
            if (read_before)
                out.dmemory += grads[b].dmemory;
            else
                out.dmemory = grads[b].dmemory;
            read_before = true;
        }
    }
    if (!read_before) out.dmemory.resize(0, 0);
    return {};
}

NORMSCOPE_IN_BOTH_PRECISIONS(stack_forward_into);
NORMSCOPE_IN_BOTH_PRECISIONS(stack_backward_into);

} // namespace normscope
