#include "core/nn/feed_forward.h"

namespace normscope {

template<class S>
Result<void> feed_forward_into(const FeedForward<S>& ffn, int threads, FeedForwardCache<S>& cache,
                               Matrix<S>& y) {
    if (auto ok =
            linear_forward_into(ffn.first, all_outputs(ffn.first), cache.x, threads, cache.hidden);
        !ok)
        return ok;
    if (ffn.activation == Activation::gelu) cache.z = cache.hidden;
    activate(ffn.activation, cache.hidden);
    return linear_forward_into(ffn.second, all_outputs(ffn.second), cache.hidden, threads, y);
}

template<class S>
Result<void> feed_forward_backward_into(const FeedForward<S>& ffn, const FeedForwardCache<S>& cache,
                                        const Matrix<S>& dy, const Pass& pass,
                                        FeedForwardGradients<S>& gradients, Matrix<S>& dhidden,
                                        Matrix<S>& dx) {
    shape_gradients(ffn.first, pass, gradients.first);
    shape_gradients(ffn.second, pass, gradients.second);
    // dh = dy·W2, dW2 = dyᵀ·h
    if (auto ok = linear_backward_into(ffn.second, all_outputs(ffn.second), cache.hidden, dy, pass,
                                       gradients.second, dhidden);
        !ok)
        return ok;
    // dz = dh ⊙ φ'(z)
    activate_backward(ffn.activation, cache.z, cache.hidden, dhidden);
    // dx = dz·W1, dW1 = dzᵀ·x
    return linear_backward_into(ffn.first, all_outputs(ffn.first), cache.x, dhidden, pass,
                                gradients.first, dx);
}

template decltype(feed_forward_into<float>) feed_forward_into<float>;
template decltype(feed_forward_into<double>) feed_forward_into<double>;
template decltype(feed_forward_backward_into<float>) feed_forward_backward_into<float>;
template decltype(feed_forward_backward_into<double>) feed_forward_backward_into<double>;

} // namespace normscope
