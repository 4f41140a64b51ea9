#include "core/nn/projection.h"

namespace normscope {

template<class S>
Result<void> project_into(const Projection<S>& projection, int threads, ProjectionCache<S>& cache,
                          Matrix<S>& y) {
    if (projection.before == Activation::gelu) cache.x = cache.input;
    activate(projection.before, cache.input);
    if (auto ok = linear_forward_into(projection.linear, all_outputs(projection.linear),
                                      cache.input, threads, y);
        !ok)
        return ok;
    if (projection.after == Activation::gelu) cache.z = y;
    activate(projection.after, y);
    if (projection.after != Activation::none) cache.output = y;
    return {};
}

template<class S>
Result<void> project_backward_into(const Projection<S>& projection, const ProjectionCache<S>& cache,
                                   const Matrix<S>& dy, const Pass& pass,
                                   LinearGradients<S>& gradients, Matrix<S>& dz, Matrix<S>& dx) {
    if (auto ok = check_gradient("a projection", dy, cache.input.rows(), projection.linear.out());
        !ok)
        return ok;
    dz = dy;
    activate_backward(projection.after, cache.z, cache.output, dz);
    shape_gradients(projection.linear, pass, gradients);
    if (auto ok = linear_backward_into(projection.linear, all_outputs(projection.linear),
                                       cache.input, dz, pass, gradients, dx);
        !ok)
        return ok;
    activate_backward(projection.before, cache.x, cache.input, dx);
    return {};
}

template decltype(project_into<float>) project_into<float>;
template decltype(project_into<double>) project_into<double>;
template decltype(project_backward_into<float>) project_backward_into<float>;
template decltype(project_backward_into<double>) project_backward_into<double>;

} // namespace normscope
