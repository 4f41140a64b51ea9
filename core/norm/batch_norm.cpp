#include "core/norm/batch_norm.h"

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
                    shape + ". Add tokens, or use eval mode");
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

// running ← (1 − m)·running + m·batch
template<class S>
RunningStats<S> updated(const RunningStats<S>* running, const Vector<S>& mean,
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

} // namespace

template<class S>
Result<Normalized<S>> batch_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                         const RunningStats<S>* running) {
    if (auto ok = check_batch_input(z, options, running); !ok) return tl::unexpected(ok.error());
    const Index tokens = z.rows();
    const Index features = z.cols();
    const S n = static_cast<S>(tokens);
    const S eps = static_cast<S>(options.eps);
    Normalized<S> out;
    NormCache<S>& cache = out.cache;
    cache = {NormKind::batch,
             options.mode,
             Vector<S>(features),
             Vector<S>(features),
             Matrix<S>(tokens, features),
             options.eps};
    using RowArray = Eigen::Array<S, 1, Eigen::Dynamic>;
    if (options.mode == Mode::eval) {
        cache.mean = running->mean;
        cache.rstd = (running->var.array() + eps).rsqrt().matrix();
        cache.x_hat = ((z.array().rowwise() - RowArray(cache.mean.transpose().array())).rowwise() *
                       RowArray(cache.rstd.transpose().array()))
                          .matrix();
        return out;
    }
    // As in layer norm: differences from the first token, then what rounding left of their mean.
    const RowArray shift = z.row(0).array();
    RowArray rough = RowArray::Zero(features);
    for (Index t = 0; t < tokens; ++t) rough += z.row(t).array() - shift;
    rough /= n;
    RowArray rest = RowArray::Zero(features);
    for (Index t = 0; t < tokens; ++t) rest += (z.row(t).array() - shift) - rough;
    rest /= n;
    RowArray sum_sq = RowArray::Zero(features);
    for (Index t = 0; t < tokens; ++t)
        sum_sq += ((z.row(t).array() - shift) - rough - rest).square();
    cache.mean = (shift + (rough + rest)).matrix().transpose();
    cache.rstd = (sum_sq / n + eps).sqrt().inverse().matrix().transpose();
    for (Index t = 0; t < tokens; ++t)
        cache.x_hat.row(t) =
            (((z.row(t).array() - shift) - rough - rest) * cache.rstd.transpose().array()).matrix();
    out.running =
        updated<S>(running, cache.mean, (sum_sq / (n - 1)).matrix().transpose(), options.momentum);
    return out;
}

template<class S>
Result<NormGradients<S>> batch_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                             const Matrix<S>& dy, const BackwardOptions& options) {
    auto grads = affine_backward(cache.x_hat, affine, dy, options);
    if (!grads) return grads;
    NormGradients<S>& out = *grads;
    using RowArray = Eigen::Array<S, 1, Eigen::Dynamic>;
    const S n = static_cast<S>(dy.rows());
    const bool train = cache.mode == Mode::train;
    RowArray mean_a = RowArray::Zero(dy.cols());
    RowArray mean_ax = RowArray::Zero(dy.cols());
    for (Index t = 0; t < dy.rows(); ++t) {
        const auto a = out.dz.row(t).array();
        if (train && options.terms.mean) mean_a += a / n;
        if (train && options.terms.projection) mean_ax += a * cache.x_hat.row(t).array() / n;
    }
    for (Index t = 0; t < dy.rows(); ++t) {
        const auto x = cache.x_hat.row(t).array();
        out.dz.row(t) =
            ((out.dz.row(t).array() - mean_a - x * mean_ax) * cache.rstd.transpose().array())
                .matrix();
    }
    return grads;
}

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
