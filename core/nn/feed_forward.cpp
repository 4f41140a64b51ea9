#include "core/nn/feed_forward.h"

#include <utility>

namespace normscope {

template<class S>
Result<FeedForwardForward<S>> feed_forward(const FeedForward<S>& ffn, Matrix<S> x, int threads) {
    auto hidden = linear_forward(ffn.first, x, threads);
    if (!hidden) return tl::unexpected(hidden.error());
    FeedForwardForward<S> out;
    if (ffn.activation == Activation::gelu) out.cache.z = *hidden;
    activate(ffn.activation, *hidden);
    auto y = linear_forward(ffn.second, *hidden, threads);
    if (!y) return tl::unexpected(y.error());
    out.y = std::move(*y);
    out.cache.x = std::move(x);
    out.cache.hidden = std::move(*hidden);
    return out;
}

template<class S>
Result<FeedForwardBackward<S>> feed_forward_backward(const FeedForward<S>& ffn,
                                                     const FeedForwardCache<S>& cache,
                                                     const Matrix<S>& dy, const Pass& pass) {
    // dh = dy·W2, dW2 = dyᵀ·h
    auto second = linear_backward(ffn.second, cache.hidden, dy, pass);
    if (!second) return tl::unexpected(second.error());
    // dz = dh ⊙ φ'(z)
    activate_backward(ffn.activation, cache.z, cache.hidden, second->dx);
    // dx = dz·W1, dW1 = dzᵀ·x
    auto first = linear_backward(ffn.first, cache.x, second->dx, pass);
    if (!first) return tl::unexpected(first.error());
    return FeedForwardBackward<S>{std::move(first->dx),
                                  {std::move(first->gradients), std::move(second->gradients)}};
}

template Result<FeedForwardForward<float>> feed_forward(const FeedForward<float>&, Matrix<float>,
                                                        int);
template Result<FeedForwardForward<double>> feed_forward(const FeedForward<double>&, Matrix<double>,
                                                         int);
template Result<FeedForwardBackward<float>> feed_forward_backward(const FeedForward<float>&,
                                                                  const FeedForwardCache<float>&,
                                                                  const Matrix<float>&,
                                                                  const Pass&);
template Result<FeedForwardBackward<double>> feed_forward_backward(const FeedForward<double>&,
                                                                   const FeedForwardCache<double>&,
                                                                   const Matrix<double>&,
                                                                   const Pass&);

} // namespace normscope
