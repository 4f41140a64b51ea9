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

template<class S>
struct SublayerForward {
    Matrix<S> y;
    SublayerCache<S> cache;
};

template<class S>
struct SublayerBackward {
    Matrix<S> dx;
    Matrix<S> dmemory; // of cross-attention; else empty
    SublayerGradients<S> gradients;
};

// Attention alone reads the context. Errors: those of the layer.
template<class S>
Result<SublayerForward<S>> sublayer_forward(const Sublayer<S>& sublayer, Matrix<S> x,
                                            int threads = 1,
                                            const AttentionContext<S>& context = {});

// Errors: those of the layer; a cache of another kind of layer.
template<class S>
Result<SublayerBackward<S>>
sublayer_backward(const Sublayer<S>& sublayer, const SublayerCache<S>& cache, const Matrix<S>& dy,
                  const Pass& pass = {}, const AttentionContext<S>& context = {});

} // namespace normscope
