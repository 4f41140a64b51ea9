#include "core/nn/sublayer.h"

namespace normscope {
namespace {

// The alternative T of a variant, which holds it from now on.
template<class T, class Variant>
T& held(Variant& variant) {
    if (auto* own = std::get_if<T>(&variant)) return *own;
    return variant.template emplace<T>();
}

} // namespace

template<class S>
Matrix<S>& input_of(const Sublayer<S>& sublayer, SublayerCache<S>& cache) {
    if (std::holds_alternative<Projection<S>>(sublayer))
        return held<ProjectionCache<S>>(cache).input;
    if (std::holds_alternative<FeedForward<S>>(sublayer)) return held<FeedForwardCache<S>>(cache).x;
    return held<AttentionCache<S>>(cache).x;
}

template<class S>
Result<void> sublayer_forward(const Sublayer<S>& sublayer, int threads,
                              const AttentionContext<S>& context, SublayerCache<S>& cache,
                              Matrix<S>& y) {
    if (const auto* projection = std::get_if<Projection<S>>(&sublayer))
        return project_into(*projection, threads, std::get<ProjectionCache<S>>(cache), y);
    if (const auto* ffn = std::get_if<FeedForward<S>>(&sublayer))
        return feed_forward_into(*ffn, threads, std::get<FeedForwardCache<S>>(cache), y);
    return attend_into(std::get<MultiHeadAttention<S>>(sublayer), threads, context,
                       std::get<AttentionCache<S>>(cache), y);
}

template<class S>
Result<void> sublayer_backward(const Sublayer<S>& sublayer, const SublayerCache<S>& cache,
                               const Matrix<S>& dy, const Pass& pass,
                               const AttentionContext<S>& context, SublayerScratch<S>& scratch,
                               const SublayerBackward<S>& out) {
    if (cache.index() != sublayer.index())
        return fail(
            "the cache comes from another kind of sublayer than the one to go back through");
    if (const auto* attention = std::get_if<MultiHeadAttention<S>>(&sublayer))
        return attend_backward_into(
            *attention, std::get<AttentionCache<S>>(cache), dy, pass, context,
            attention->reads == Reads::memory ? scratch.cross : scratch.self,
            held<AttentionGradients<S>>(out.gradients), out.dx, out.dmemory);
    out.dmemory.resize(0, 0);
    if (const auto* ffn = std::get_if<FeedForward<S>>(&sublayer))
        return feed_forward_backward_into(*ffn, std::get<FeedForwardCache<S>>(cache), dy, pass,
                                          held<FeedForwardGradients<S>>(out.gradients),
                                          scratch.inner, out.dx);
    return project_backward_into(std::get<Projection<S>>(sublayer),
                                 std::get<ProjectionCache<S>>(cache), dy, pass,
                                 held<LinearGradients<S>>(out.gradients), scratch.inner, out.dx);
}

template decltype(input_of<float>) input_of<float>;
template decltype(input_of<double>) input_of<double>;
template decltype(sublayer_forward<float>) sublayer_forward<float>;
template decltype(sublayer_forward<double>) sublayer_forward<double>;
template decltype(sublayer_backward<float>) sublayer_backward<float>;
template decltype(sublayer_backward<double>) sublayer_backward<double>;

} // namespace normscope
