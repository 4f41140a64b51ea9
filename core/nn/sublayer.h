#pragma once
#include "core/nn/activation.h"
#include "core/nn/attention.h"

#include <variant>

namespace normscope {

// The plainest sublayers, y = ψ(φ(x)·Wᵀ + b):
//   linear       φ, ψ none
//   tanh-linear  ψ = tanh
//   relu-linear  φ = relu, "activation first" (He et al. 2016): the output keeps its mean of 0
template<class S>
struct Projection {
    Linear<S> linear;
    Activation before = Activation::none; // φ
    Activation after = Activation::none;  // ψ
};

template<class S>
struct ProjectionCache {
    Matrix<S> x;      // kept where φ is gelu only
    Matrix<S> input;  // φ(x)
    Matrix<S> z;      // before ψ; kept where ψ is gelu only
    Matrix<S> output; // kept where ψ is not none
};

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

// F in x + F(x): one of the layers, behind one pair of functions.
template<class S>
using Sublayer = std::variant<Projection<S>, FeedForward<S>, MultiHeadAttention<S>>;
template<class S>
using SublayerCache = std::variant<ProjectionCache<S>, FeedForwardCache<S>, AttentionCache<S>>;
template<class S>
using SublayerGradients =
    std::variant<LinearGradients<S>, FeedForwardGradients<S>, AttentionGradients<S>>;

// Buffers of a backward pass, kept so that the next pass of the same shape allocates nothing.
template<class S>
struct SublayerScratch {
    Matrix<S> inner; // gradient before the activation of a projection or feed-forward layer
    AttentionScratch<S> self, cross;
};

template<class S>
struct SublayerBackward {
    Matrix<S>& dx;
    Matrix<S>& dmemory; // of cross-attention; else empty
    SublayerGradients<S>& gradients;
};

// The place of the layer's input x in its cache, which becomes a cache of the layer's kind.
template<class S>
Matrix<S>& input_of(const Sublayer<S>& sublayer, SublayerCache<S>& cache);

// Forward pass of the x in `cache` (input_of()). Attention alone reads the context. Errors: those
// of the layer; x of another width than a projection's W.
template<class S>
Result<void> sublayer_forward(const Sublayer<S>& sublayer, int threads,
                              const AttentionContext<S>& context, SublayerCache<S>& cache,
                              Matrix<S>& y);

// Errors: those of the layer; a cache of another kind of layer.
template<class S>
Result<void> sublayer_backward(const Sublayer<S>& sublayer, const SublayerCache<S>& cache,
                               const Matrix<S>& dy, const Pass& pass,
                               const AttentionContext<S>& context, SublayerScratch<S>& scratch,
                               const SublayerBackward<S>& out);

} // namespace normscope
