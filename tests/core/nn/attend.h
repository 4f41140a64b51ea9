#pragma once
#include "core/nn/attention.h"

namespace normscope {

template<class S>
struct AttentionForward {
    Matrix<S> y;
    AttentionCache<S> cache;
};

template<class S>
struct AttentionBackward {
    Matrix<S> dx;
    Matrix<S> dmemory; // M×D, of cross-attention; else empty
    AttentionGradients<S> gradients;
};

template<class S>
Result<AttentionForward<S>> attend(const MultiHeadAttention<S>& attention, Matrix<S> x,
                                   int threads = 1, const AttentionContext<S>& context = {}) {
    AttentionForward<S> out;
    out.cache.x = std::move(x);
    TRY(attend_into(attention, threads, context, out.cache, out.y));
    return out;
}
template<class S>
Result<AttentionBackward<S>> attend_backward(const MultiHeadAttention<S>& attention,
                                             const AttentionCache<S>& cache, const Matrix<S>& dy,
                                             const Pass& pass = {},
                                             const AttentionContext<S>& context = {}) {
    AttentionBackward<S> out;
    AttentionScratch<S> scratch;
    TRY(attend_backward_into(attention, cache, dy, pass, context, scratch, out.gradients, out.dx,
                             out.dmemory));
    return out;
}

} // namespace normscope
