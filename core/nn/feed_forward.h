#pragma once
#include "core/nn/activation.h"
#include "core/nn/linear.h"

#include <utility>

namespace normscope {

// y = φ(x·W1ᵀ + b1)·W2ᵀ + b2 (Vaswani et al. 2017, eq. 2). x, y: T×D, hidden: T×H.
template<class S>
struct FeedForward {
    Linear<S> first;  // W1: H×D
    Linear<S> second; // W2: D×H
    Activation activation = Activation::relu;
};

template<class S>
struct FeedForwardCache {
    Matrix<S> x;
    Matrix<S> z;      // before the activation; kept for gelu only
    Matrix<S> hidden; // after it
};

template<class S>
struct FeedForwardGradients {
    LinearGradients<S> first;
    LinearGradients<S> second;
};

template<class S>
struct FeedForwardForward {
    Matrix<S> y;
    FeedForwardCache<S> cache;
};

template<class S>
struct FeedForwardBackward {
    Matrix<S> dx;
    FeedForwardGradients<S> gradients;
};

// Of cache.x, into the rest of the cache and y. Errors: x of another width than W1's.
template<class S>
Result<void> feed_forward_into(const FeedForward<S>& ffn, int threads, FeedForwardCache<S>& cache,
                               Matrix<S>& y);

// `dhidden` is at the hidden values before the activation. Errors: dy of another shape than y.
template<class S>
Result<void> feed_forward_backward_into(const FeedForward<S>& ffn, const FeedForwardCache<S>& cache,
                                        const Matrix<S>& dy, const Pass& pass,
                                        FeedForwardGradients<S>& gradients, Matrix<S>& dhidden,
                                        Matrix<S>& dx);

template<class S>
Result<FeedForwardForward<S>> feed_forward(const FeedForward<S>& ffn, Matrix<S> x,
                                           int threads = 1) {
    return filled<FeedForwardForward<S>>([&](auto& out) {
        out.cache.x = std::move(x);
        return feed_forward_into(ffn, threads, out.cache, out.y);
    });
}
template<class S>
Result<FeedForwardBackward<S>> feed_forward_backward(const FeedForward<S>& ffn,
                                                     const FeedForwardCache<S>& cache,
                                                     const Matrix<S>& dy, const Pass& pass = {}) {
    return filled<FeedForwardBackward<S>>([&](auto& out) {
        Matrix<S> dhidden;
        return feed_forward_backward_into(ffn, cache, dy, pass, out.gradients, dhidden, out.dx);
    });
}

} // namespace normscope
