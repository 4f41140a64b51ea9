#include "core/nn/sublayer.h"

namespace normscope {
namespace {

// The alternative T of a variant, made anew where the variant holds another one.
template<class T, class Variant>
T& held(Variant& variant) {
    if (auto* own = std::get_if<T>(&variant)) return *own;
    return variant.template emplace<T>();
}

// Forward pass of the x in cache.input, which becomes φ(x).
template<class S>
Result<void> project_into(const Projection<S>& projection, int threads, ProjectionCache<S>& cache,
                          Matrix<S>& y) {
    if (projection.before == Activation::gelu) cache.x = cache.input;
    activate(projection.before, cache.input);
    TRY(linear_forward_into(projection.linear, cache.input, threads, y));
    if (projection.after == Activation::gelu) cache.z = y;
    activate(projection.after, y);
    if (projection.after != Activation::none) cache.output = y;
    return {};
}

// `dz` becomes the gradient at ψ's input.
template<class S>
Result<void> project_backward_into(const Projection<S>& projection, const ProjectionCache<S>& cache,
                                   const Matrix<S>& dy, const Pass& pass,
                                   LinearGradients<S>& gradients, Matrix<S>& dz, Matrix<S>& dx) {
    TRY(check_gradient("a projection", dy, cache.input.rows(), projection.linear.out()));
    dz = dy;
    activate_backward(projection.after, cache.z, cache.output, dz);
    shape_gradients(projection.linear, pass, gradients);
    TRY(linear_backward_into(projection.linear, cache.input, dz, pass, gradients, dx));
    activate_backward(projection.before, cache.x, cache.input, dx);
    return {};
}

// Forward pass of cache.x, into the rest of the cache and y.
template<class S>
Result<void> feed_forward_into(const FeedForward<S>& ffn, int threads, FeedForwardCache<S>& cache,
                               Matrix<S>& y) {
    TRY(linear_forward_into(ffn.first, cache.x, threads, cache.hidden));
    if (ffn.activation == Activation::gelu) cache.z = cache.hidden;
    activate(ffn.activation, cache.hidden);
    return linear_forward_into(ffn.second, cache.hidden, threads, y);
}

// `dhidden` becomes the gradient at the hidden values before the activation.
template<class S>
Result<void> feed_forward_backward_into(const FeedForward<S>& ffn, const FeedForwardCache<S>& cache,
                                        const Matrix<S>& dy, const Pass& pass,
                                        FeedForwardGradients<S>& gradients, Matrix<S>& dhidden,
                                        Matrix<S>& dx) {
    shape_gradients(ffn.first, pass, gradients.first);
    shape_gradients(ffn.second, pass, gradients.second);
    // dh = dy·W2, dW2 = dyᵀ·h
    TRY(linear_backward_into(ffn.second, cache.hidden, dy, pass, gradients.second, dhidden));
    // dz = dh ⊙ φ'(z)
    activate_backward(ffn.activation, cache.z, cache.hidden, dhidden);
    // dx = dz·W1, dW1 = dzᵀ·x
    return linear_backward_into(ffn.first, cache.x, dhidden, pass, gradients.first, dx);
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

NORMSCOPE_IN_BOTH_PRECISIONS(input_of);
NORMSCOPE_IN_BOTH_PRECISIONS(sublayer_forward);
NORMSCOPE_IN_BOTH_PRECISIONS(sublayer_backward);

} // namespace normscope
