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
Result<Normalized<S>> ColumnNorm<S>::forward(const Matrix<S>& z, const NormOptions& options,
                                             const RunningStats<S>* running) {
    if (auto ok = check_batch_input(z, options, running); !ok) return tl::unexpected(ok.error());
    const Index features = z.cols();
    Normalized<S> out;
    NormCache<S>& cache = out.cache;
    cache = {NormKind::batch,
             options.mode,
             Vector<S>(features),
             Vector<S>(features),
             Matrix<S>(z.rows(), features),
             options.eps};
    const S eps = static_cast<S>(options.eps);
    if (options.mode == Mode::eval) {
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + eps).sqrt().inverse().matrix();
        const Vector<S> zero = Vector<S>::Zero(features);
        kernels::column_map(kernels::ColumnMap<S>{z.data(), cache.mean.data(), cache.rstd.data(),
                                                  zero.data(), cache.x_hat.data(), z.rows(),
                                                  features},
                            options.threads);
        return out;
    }
    Vector<S> var(features);
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
    out.running = update_running<S>(running, cache.mean, var * (n / (n - 1)), options.momentum);
    return out;
}

template<class S>
Result<NormGradients<S>> ColumnNorm<S>::backward(const NormCache<S>& cache, const Affine<S>& affine,
                                                 const Matrix<S>& dy,
                                                 const BackwardOptions& options) {
    const bool train = cache.mode == Mode::train;
    if (!train || affine.per != AffinePer::feature) {
        // One γ a token or for all: dL/dx̂ first, which then goes back as with γ = 1.
        auto grads = affine_backward(cache.x_hat, affine, dy, options);
        if (!grads) return grads;
        if (!train) {
            const Vector<S> zero = Vector<S>::Zero(dy.cols());
            kernels::column_map(kernels::ColumnMap<S>{grads->dz.data(), nullptr, cache.rstd.data(),
                                                      zero.data(), grads->dz.data(), dy.rows(),
                                                      dy.cols()},
                                options.threads);
        } else {
            constexpr const S* no_gamma = nullptr;
            Vector<S> sum_gx(dy.cols());
            Vector<S> sum_g(dy.cols());
            kernels::batch_backward(
                backward_arguments(cache, no_gamma, grads->dz, options, grads->dz, sum_gx, sum_g),
                options.threads);
        }
        return grads;
    }
    if (auto ok = check_gradient_shape(cache.x_hat, dy); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_affine(dy.rows(), dy.cols(), affine); !ok)
        return tl::unexpected(ok.error());
    NormGradients<S> out{Matrix<S>(dy.rows(), dy.cols()), Vector<S>(dy.cols()),
                         Vector<S>(dy.cols())};
    const S* gamma = options.terms.gamma ? affine.gamma.data() : nullptr;
    kernels::batch_backward(
        backward_arguments(cache, gamma, dy, options, out.dz, out.dgamma, out.dbeta),
        options.threads);
    return out;
}

template struct ColumnNorm<float>;
template struct ColumnNorm<double>;

} // namespace normscope
