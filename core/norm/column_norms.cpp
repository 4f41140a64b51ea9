#include "core/norm/column_norms.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"
#include "core/norm/batch_norm.h"
#include "core/norm/shape.h"

namespace normscope {
namespace {

// gamma may be null for 1; dz may be dy.
template<class S>
kernels::ColumnBackward<S> backward_arguments(const NormCache<S>& cache, const S* gamma,
                                              const Matrix<S>& dy, const BackwardOptions& options,
                                              Matrix<S>& dz, Vector<S>& dgamma, Vector<S>& dbeta) {
    kernels::ColumnBackward<S> a;
    a.x = cache.x_hat.data();
    a.rstd = cache.rstd.data();
    a.gamma = gamma;
    a.dy = dy.data();
    a.dx = dz.data();
    a.dgamma = dgamma.data();
    a.dbeta = dbeta.data();
    a.rows = dy.rows();
    a.cols = dy.cols();
    a.use_mean = options.terms.mean;
    a.use_projection = options.terms.projection;
    return a;
}

} // namespace

template<class S>
Result<void> ColumnNorm<S>::forward(const Matrix<S>& z, const NormOptions& options,
                                    const RunningStats<S>* running, Normalized<S>& out) {
    if (auto ok = check_batch_input(z, options, running); !ok) return ok;
    const Index features = z.cols();
    NormCache<S>& cache = out.cache;
    cache.norm = NormKind::batch;
    cache.mode = options.mode;
    cache.eps = options.eps;
    cache.mean.resize(features);
    cache.rstd.resize(features);
    cache.x_hat.resize(z.rows(), features);
    const S eps = static_cast<S>(options.eps);
    if (options.mode == Mode::eval) {
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + eps).sqrt().inverse().matrix();
        const Vector<S> zero = Vector<S>::Zero(features);
        kernels::column_map(kernels::ColumnMap<S>{z.data(), cache.mean.data(), cache.rstd.data(),
                                                  zero.data(), cache.x_hat.data(), z.rows(),
                                                  features},
                            options.threads);
        out.running.reset();
        return {};
    }
    if (!out.running) out.running.emplace();
    Vector<S>& var = out.running->var;
    var.resize(features);
    kernels::ColumnForward<S> a;
    a.x = z.data();
    a.y = cache.x_hat.data();
    a.mean = cache.mean.data();
    a.var = var.data();
    a.rstd = cache.rstd.data();
    a.rows = z.rows();
    a.cols = features;
    a.eps = eps;
    kernels::batch_norm(a, options.threads);
    const S n = static_cast<S>(z.rows());
    var *= n / (n - 1);
    out.running->mean = cache.mean;
    take_batch(running, options.momentum, *out.running);
    return {};
}

template<class S>
Result<void> ColumnNorm<S>::backward(const NormCache<S>& cache, const Affine<S>& affine,
                                     const Matrix<S>& dy, const BackwardOptions& options,
                                     NormGradients<S>& out) {
    const bool train = cache.mode == Mode::train;
    if (!train || affine.per != AffinePer::feature) {
        // One γ a token or for all: dL/dx̂ first, which then goes back as with γ = 1.
        if (auto ok = affine_backward_into(cache.x_hat, affine, dy, options, out); !ok) return ok;
        if (!train) {
            const Vector<S> zero = Vector<S>::Zero(dy.cols());
            kernels::column_map(kernels::ColumnMap<S>{out.dz.data(), nullptr, cache.rstd.data(),
                                                      zero.data(), out.dz.data(), dy.rows(),
                                                      dy.cols()},
                                options.threads);
        } else {
            constexpr const S* no_gamma = nullptr;
            Vector<S> sum_gx(dy.cols());
            Vector<S> sum_g(dy.cols());
            kernels::batch_backward(
                backward_arguments(cache, no_gamma, out.dz, options, out.dz, sum_gx, sum_g),
                options.threads);
        }
        return {};
    }
    if (auto ok = check_gradient_shape(cache.x_hat, dy); !ok) return ok;
    if (auto ok = check_affine(dy.rows(), dy.cols(), affine); !ok) return ok;
    out.dz.resize(dy.rows(), dy.cols());
    out.dgamma.resize(dy.cols());
    out.dbeta.resize(dy.cols());
    const S* gamma = options.terms.gamma ? affine.gamma.data() : nullptr;
    kernels::batch_backward(
        backward_arguments(cache, gamma, dy, options, out.dz, out.dgamma, out.dbeta),
        options.threads);
    return {};
}

template struct ColumnNorm<float>;
template struct ColumnNorm<double>;

} // namespace normscope
