#pragma once
#include "core/nn/activation.h"
#include "core/nn/linear.h"

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

} // namespace normscope
