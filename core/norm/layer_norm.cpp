#include "core/norm/layer_norm.h"

#include "core/norm/affine.h"
#include "core/norm/shape.h"

namespace normscope {

template<class S>
Result<Normalized<S>> layer_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                         const RunningStats<S>* /*running*/) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok)
        return tl::unexpected(ok.error());
    const Index tokens = z.rows();
    const S n = static_cast<S>(z.cols());
    const S eps = static_cast<S>(options.eps);
    Normalized<S> out;
    NormCache<S>& cache = out.cache;
    cache = {NormKind::layer,
             options.mode,
             Vector<S>(tokens),
             Vector<S>(tokens),
             Matrix<S>(tokens, z.cols()),
             options.eps};
    for (Index t = 0; t < tokens; ++t) {
        const auto row = z.row(t).array();
        // Sums of differences from the row's first value, so that a large common offset costs no
        // digits and a constant row has a variance of exactly 0.
        const S shift = z(t, 0);
        const S rough = (row - shift).sum() / n;
        const auto d = (row - shift) - rough;
        const S rest = d.sum() / n; // what rounding left of mean(d)
        const S var = (d - rest).square().sum() / n;
        cache.mean(t) = shift + (rough + rest);
        cache.rstd(t) = S(1) / std::sqrt(var + eps);
        cache.x_hat.row(t) = ((d - rest) * cache.rstd(t)).matrix();
    }
    return out;
}

template<class S>
Result<NormGradients<S>> layer_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                             const Matrix<S>& dy, const BackwardOptions& options) {
    auto grads = affine_backward(cache.x_hat, affine, dy, options);
    if (!grads) return grads;
    NormGradients<S>& out = *grads;
    const S n = static_cast<S>(dy.cols());
    for (Index t = 0; t < dy.rows(); ++t) {
        const auto a = out.dz.row(t).array();
        const auto x = cache.x_hat.row(t).array();
        const S mean_a = options.terms.mean ? a.sum() / n : S(0);
        const S mean_ax = options.terms.projection ? (a * x).sum() / n : S(0);
        out.dz.row(t) = ((a - mean_a - x * mean_ax) * cache.rstd(t)).matrix();
    }
    return grads;
}

template Result<Normalized<float>> layer_norm_forward(const Matrix<float>&, const NormOptions&,
                                                      const RunningStats<float>*);
template Result<Normalized<double>> layer_norm_forward(const Matrix<double>&, const NormOptions&,
                                                       const RunningStats<double>*);

template Result<NormGradients<float>> layer_norm_backward(const NormCache<float>&,
                                                          const Affine<float>&,
                                                          const Matrix<float>&,
                                                          const BackwardOptions&);
template Result<NormGradients<double>> layer_norm_backward(const NormCache<double>&,
                                                           const Affine<double>&,
                                                           const Matrix<double>&,
                                                           const BackwardOptions&);

} // namespace normscope
