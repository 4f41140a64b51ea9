#include "core/norm/batch_norm.h"

#include "core/kernels/norms.h"
#include "core/norm/affine.h"
#include "core/norm/shape.h"

namespace normscope {
namespace {

template<class S>
Result<void> check_batch_input(const Matrix<S>& z, const NormOptions& options,
                               const RunningStats<S>* running) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok) return ok;
    const std::string shape = shape_text(z.rows(), z.cols());
    if (options.mode == Mode::train && z.rows() == 1)
        return fail("batch norm in training: more than one value per feature is needed; the "
                    "matrix is " +
                    shape);
    if (options.mode == Mode::eval && !running)
        return fail("batch norm in eval mode needs running statistics of width " +
                    std::to_string(z.cols()) + " for the " + shape +
                    " matrix; none were given. Train on a batch first");
    if (running && (running->mean.size() != z.cols() || running->var.size() != z.cols()))
        return fail("running statistics do not fit: the matrix is " + shape +
                    ", the running mean has " + std::to_string(running->mean.size()) +
                    " values and the running variance " + std::to_string(running->var.size()));
    return {};
}

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
RunningStats<S> update_running(const RunningStats<S>* running, const Vector<S>& mean,
                               const Vector<S>& unbiased_var, std::optional<double> momentum) {
    const Index d = mean.size();
    RunningStats<S> out =
        running ? *running : RunningStats<S>{Vector<S>::Zero(d), Vector<S>::Ones(d), 0};
    ++out.updates;
    const S m = static_cast<S>(momentum ? *momentum : 1.0 / static_cast<double>(out.updates));
    out.mean = (S(1) - m) * out.mean + m * mean;
    out.var = (S(1) - m) * out.var + m * unbiased_var;
    return out;
}

template<class S>
Result<Normalized<S>> batch_norm_forward(const Matrix<S>& z, const NormOptions& options,
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
Result<NormGradients<S>> batch_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                             const Matrix<S>& dy, const BackwardOptions& options) {
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

template RunningStats<float> update_running(const RunningStats<float>*, const Vector<float>&,
                                            const Vector<float>&, std::optional<double>);
template RunningStats<double> update_running(const RunningStats<double>*, const Vector<double>&,
                                             const Vector<double>&, std::optional<double>);

template Result<Normalized<float>> batch_norm_forward(const Matrix<float>&, const NormOptions&,
                                                      const RunningStats<float>*);
template Result<Normalized<double>> batch_norm_forward(const Matrix<double>&, const NormOptions&,
                                                       const RunningStats<double>*);

template Result<NormGradients<float>> batch_norm_backward(const NormCache<float>&,
                                                          const Affine<float>&,
                                                          const Matrix<float>&,
                                                          const BackwardOptions&);
template Result<NormGradients<double>> batch_norm_backward(const NormCache<double>&,
                                                           const Affine<double>&,
                                                           const Matrix<double>&,
                                                           const BackwardOptions&);

} // namespace normscope
