#include "core/norm/rms_norm.h"

#include "core/norm/shape.h"

namespace normscope {

template<class S>
Result<Normalized<S>> rms_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                       const RunningStats<S>* /*running*/) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok)
        return tl::unexpected(ok.error());
    const Index tokens = z.rows();
    const S n = static_cast<S>(z.cols());
    const S eps = static_cast<S>(options.eps);
    Normalized<S> out;
    NormCache<S>& cache = out.cache;
    cache = {NormKind::rms,
             options.mode,
             Vector<S>::Zero(tokens),
             Vector<S>(tokens),
             Matrix<S>(tokens, z.cols()),
             options.eps};
    for (Index t = 0; t < tokens; ++t) {
        cache.rstd(t) = S(1) / std::sqrt(z.row(t).array().square().sum() / n + eps);
        cache.x_hat.row(t) = z.row(t) * cache.rstd(t);
    }
    return out;
}

template Result<Normalized<float>> rms_norm_forward(const Matrix<float>&, const NormOptions&,
                                                    const RunningStats<float>*);
template Result<Normalized<double>> rms_norm_forward(const Matrix<double>&, const NormOptions&,
                                                     const RunningStats<double>*);

} // namespace normscope
