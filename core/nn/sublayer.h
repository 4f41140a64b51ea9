#pragma once
#include "core/nn/attention.h"
#include "core/nn/feed_forward.h"
#include "core/nn/projection.h"

#include <variant>

namespace normscope {

// F in x + F(x): one of the layers, behind one pair of functions.
template<class S>
using Sublayer = std::variant<Projection<S>, FeedForward<S>, MultiHeadAttention<S>>;
template<class S>
using SublayerCache = std::variant<ProjectionCache<S>, FeedForwardCache<S>, AttentionCache<S>>;
template<class S>
using SublayerGradients =
    std::variant<LinearGradients<S>, FeedForwardGradients<S>, AttentionGradients<S>>;

// What a backward pass works with, kept so that the next of the same shape allocates nothing.
template<class S>
struct SublayerScratch {
    Matrix<S> inner; // of a projection or a feed-forward layer: before its activation
    AttentionScratch<S> self, cross;
};

template<class S>
struct SublayerBackward {
    Matrix<S>& dx;
    Matrix<S>& dmemory; // of cross-attention; else empty
    SublayerGradients<S>& gradients;
};

// Where the x stands that the layer reads; the cache becomes one of its kind.
template<class S>
Matrix<S>& input_of(const Sublayer<S>& sublayer, SublayerCache<S>& cache);

// Of the x in its cache. Attention alone reads the context. Errors: those of the layer.
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
