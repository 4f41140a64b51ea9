#include "core/nn/sublayer.h"

namespace normscope {
namespace {

// The alternative T of a variant, which holds it from now on.
template<class T, class Variant>
T& held(Variant& variant) {
    if (auto* own = std::get_if<T>(&variant)) return *own;
    return variant.template emplace<T>();
}

// The functions of the layers under one name, for std::visit.
template<class S>
Matrix<S>& input_for(const Projection<S>& /*layer*/, SublayerCache<S>& cache) {
    return held<ProjectionCache<S>>(cache).input;
}
template<class S>
Matrix<S>& input_for(const FeedForward<S>& /*layer*/, SublayerCache<S>& cache) {
    return held<FeedForwardCache<S>>(cache).x;
}
template<class S>
Matrix<S>& input_for(const MultiHeadAttention<S>& /*layer*/, SublayerCache<S>& cache) {
    return held<AttentionCache<S>>(cache).x;
}
template<class S>
Result<void> forward_of(const Projection<S>& layer, int threads,
                        const AttentionContext<S>& /*context*/, SublayerCache<S>& cache,
                        Matrix<S>& y) {
    return project_into(layer, threads, std::get<ProjectionCache<S>>(cache), y);
}
template<class S>
Result<void> forward_of(const FeedForward<S>& layer, int threads,
                        const AttentionContext<S>& /*context*/, SublayerCache<S>& cache,
                        Matrix<S>& y) {
    return feed_forward_into(layer, threads, std::get<FeedForwardCache<S>>(cache), y);
}
template<class S>
Result<void> forward_of(const MultiHeadAttention<S>& layer, int threads,
                        const AttentionContext<S>& context, SublayerCache<S>& cache, Matrix<S>& y) {
    return attend_into(layer, threads, context, std::get<AttentionCache<S>>(cache), y);
}
template<class S>
Result<void> backward_of(const Projection<S>& layer, const SublayerCache<S>& cache,
                         const Matrix<S>& dy, const Pass& pass,
                         const AttentionContext<S>& /*context*/, SublayerScratch<S>& scratch,
                         const SublayerBackward<S>& out) {
    out.dmemory.resize(0, 0);
    return project_backward_into(layer, std::get<ProjectionCache<S>>(cache), dy, pass,
                                 held<LinearGradients<S>>(out.gradients), scratch.inner, out.dx);
}
template<class S>
Result<void> backward_of(const FeedForward<S>& layer, const SublayerCache<S>& cache,
                         const Matrix<S>& dy, const Pass& pass,
                         const AttentionContext<S>& /*context*/, SublayerScratch<S>& scratch,
                         const SublayerBackward<S>& out) {
    out.dmemory.resize(0, 0);
    return feed_forward_backward_into(layer, std::get<FeedForwardCache<S>>(cache), dy, pass,
                                      held<FeedForwardGradients<S>>(out.gradients), scratch.inner,
                                      out.dx);
}
template<class S>
Result<void> backward_of(const MultiHeadAttention<S>& layer, const SublayerCache<S>& cache,
                         const Matrix<S>& dy, const Pass& pass, const AttentionContext<S>& context,
                         SublayerScratch<S>& scratch, const SublayerBackward<S>& out) {
    return attend_backward_into(layer, std::get<AttentionCache<S>>(cache), dy, pass, context,
                                layer.reads == Reads::memory ? scratch.cross : scratch.self,
                                held<AttentionGradients<S>>(out.gradients), out.dx, out.dmemory);
}

} // namespace

template<class S>
Matrix<S>& input_of(const Sublayer<S>& sublayer, SublayerCache<S>& cache) {
    return std::visit([&](const auto& layer) -> Matrix<S>& { return input_for(layer, cache); },
                      sublayer);
}

template<class S>
Result<void> sublayer_forward(const Sublayer<S>& sublayer, int threads,
                              const AttentionContext<S>& context, SublayerCache<S>& cache,
                              Matrix<S>& y) {
    return std::visit(
        [&](const auto& layer) { return forward_of(layer, threads, context, cache, y); }, sublayer);
}

template<class S>
Result<void> sublayer_backward(const Sublayer<S>& sublayer, const SublayerCache<S>& cache,
                               const Matrix<S>& dy, const Pass& pass,
                               const AttentionContext<S>& context, SublayerScratch<S>& scratch,
                               const SublayerBackward<S>& out) {
    if (cache.index() != sublayer.index())
        return fail(
            "the cache comes from another kind of sublayer than the one to go back through");
    return std::visit(
        [&](const auto& layer) {
            return backward_of(layer, cache, dy, pass, context, scratch, out);
        },
        sublayer);
}

template decltype(input_of<float>) input_of<float>;
template decltype(input_of<double>) input_of<double>;
template decltype(sublayer_forward<float>) sublayer_forward<float>;
template decltype(sublayer_forward<double>) sublayer_forward<double>;
template decltype(sublayer_backward<float>) sublayer_backward<float>;
template decltype(sublayer_backward<double>) sublayer_backward<double>;

} // namespace normscope
