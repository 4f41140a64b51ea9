#include "core/nn/sublayer.h"

#include <utility>

namespace normscope {
namespace {

// The functions of the layers under one name, for std::visit.
template<class S>
auto forward_of(const Projection<S>& layer, Matrix<S> x, int threads,
                const AttentionContext<S>& /*context*/) {
    return project(layer, std::move(x), threads);
}
template<class S>
auto forward_of(const FeedForward<S>& layer, Matrix<S> x, int threads,
                const AttentionContext<S>& /*context*/) {
    return feed_forward(layer, std::move(x), threads);
}
template<class S>
auto forward_of(const MultiHeadAttention<S>& layer, Matrix<S> x, int threads,
                const AttentionContext<S>& context) {
    return attend(layer, std::move(x), threads, context);
}
template<class S>
auto backward_of(const Projection<S>& layer, const SublayerCache<S>& cache, const Matrix<S>& dy,
                 const Pass& pass, const AttentionContext<S>& /*context*/) {
    return project_backward(layer, std::get<ProjectionCache<S>>(cache), dy, pass);
}
template<class S>
auto backward_of(const FeedForward<S>& layer, const SublayerCache<S>& cache, const Matrix<S>& dy,
                 const Pass& pass, const AttentionContext<S>& /*context*/) {
    return feed_forward_backward(layer, std::get<FeedForwardCache<S>>(cache), dy, pass);
}
template<class S>
auto backward_of(const MultiHeadAttention<S>& layer, const SublayerCache<S>& cache,
                 const Matrix<S>& dy, const Pass& pass, const AttentionContext<S>& context) {
    return attend_backward(layer, std::get<AttentionCache<S>>(cache), dy, pass, context);
}

} // namespace

template<class S>
Result<SublayerForward<S>> sublayer_forward(const Sublayer<S>& sublayer, Matrix<S> x, int threads,
                                            const AttentionContext<S>& context) {
    return std::visit(
        [&](const auto& layer) -> Result<SublayerForward<S>> {
            auto out = forward_of(layer, std::move(x), threads, context);
            if (!out) return tl::unexpected(out.error());
            return SublayerForward<S>{std::move(out->y), std::move(out->cache)};
        },
        sublayer);
}

template<class S>
Result<SublayerBackward<S>>
sublayer_backward(const Sublayer<S>& sublayer, const SublayerCache<S>& cache, const Matrix<S>& dy,
                  const Pass& pass, const AttentionContext<S>& context) {
    if (cache.index() != sublayer.index())
        return fail(
            "the cache comes from another kind of sublayer than the one to go back through");
    return std::visit(
        [&](const auto& layer) -> Result<SublayerBackward<S>> {
            auto out = backward_of(layer, cache, dy, pass, context);
            if (!out) return tl::unexpected(out.error());
            SublayerBackward<S> back{std::move(out->dx), {}, std::move(out->gradients)};
            if constexpr (requires { out->dmemory; }) back.dmemory = std::move(out->dmemory);
            return back;
        },
        sublayer);
}

template Result<SublayerForward<float>> sublayer_forward(const Sublayer<float>&, Matrix<float>, int,
                                                         const AttentionContext<float>&);
template Result<SublayerForward<double>> sublayer_forward(const Sublayer<double>&, Matrix<double>,
                                                          int, const AttentionContext<double>&);
template Result<SublayerBackward<float>> sublayer_backward(const Sublayer<float>&,
                                                           const SublayerCache<float>&,
                                                           const Matrix<float>&, const Pass&,
                                                           const AttentionContext<float>&);
template Result<SublayerBackward<double>> sublayer_backward(const Sublayer<double>&,
                                                            const SublayerCache<double>&,
                                                            const Matrix<double>&, const Pass&,
                                                            const AttentionContext<double>&);

} // namespace normscope
