#include "core/nn/projection.h"

#include <utility>

namespace normscope {

template<class S>
Result<ProjectionForward<S>> project(const Projection<S>& projection, Matrix<S> x, int threads) {
    ProjectionForward<S> out;
    if (projection.before == Activation::gelu) out.cache.x = x;
    activate(projection.before, x);
    auto y = linear_forward(projection.linear, x, threads);
    if (!y) return tl::unexpected(y.error());
    out.cache.input = std::move(x);
    if (projection.after == Activation::gelu) out.cache.z = *y;
    activate(projection.after, *y);
    if (projection.after != Activation::none) out.cache.output = *y;
    out.y = std::move(*y);
    return out;
}

template<class S>
Result<ProjectionBackward<S>> project_backward(const Projection<S>& projection,
                                               const ProjectionCache<S>& cache, const Matrix<S>& dy,
                                               const Pass& pass) {
    if (auto ok = check_gradient("a projection", dy, cache.input.rows(), projection.linear.out());
        !ok)
        return tl::unexpected(ok.error());
    Matrix<S> dz = dy;
    activate_backward(projection.after, cache.z, cache.output, dz);
    auto linear = linear_backward(projection.linear, cache.input, dz, pass);
    if (!linear) return tl::unexpected(linear.error());
    activate_backward(projection.before, cache.x, cache.input, linear->dx);
    return ProjectionBackward<S>{std::move(linear->dx), std::move(linear->gradients)};
}

template Result<ProjectionForward<float>> project(const Projection<float>&, Matrix<float>, int);
template Result<ProjectionForward<double>> project(const Projection<double>&, Matrix<double>, int);
template Result<ProjectionBackward<float>> project_backward(const Projection<float>&,
                                                            const ProjectionCache<float>&,
                                                            const Matrix<float>&, const Pass&);
template Result<ProjectionBackward<double>> project_backward(const Projection<double>&,
                                                             const ProjectionCache<double>&,
                                                             const Matrix<double>&, const Pass&);

} // namespace normscope
