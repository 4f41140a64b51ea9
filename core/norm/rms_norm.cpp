#include "core/norm/rms_norm.h"

#include "core/norm/kernels.h"
#include "core/norm/row_norm_backward.h"
#include "core/norm/shape.h"

namespace normscope {

template<class S>
Result<Normalized<S>> rms_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                       const RunningStats<S>* /*running*/) {
    if (auto ok = check_norm_input(z.rows(), z.cols(), options.eps); !ok)
        return tl::unexpected(ok.error());
    Normalized<S> out;
    NormCache<S>& cache = out.cache;
    cache = {NormKind::rms,
             options.mode,
             Vector<S>(z.rows()),
             Vector<S>(z.rows()),
             Matrix<S>(z.rows(), z.cols()),
             options.eps};
    kernels::RowForward<S> a;
    a.x = z.data();
    a.y = cache.x_hat.data();
    a.mean = cache.mean.data();
    a.rstd = cache.rstd.data();
    a.rows = z.rows();
    a.cols = z.cols();
    a.eps = static_cast<S>(options.eps);
    kernels::rms_norm(a, options.threads);
    return out;
}

template<class S>
Result<NormGradients<S>> rms_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                           const Matrix<S>& dy, const BackwardOptions& options) {
    return row_norm_backward(cache, affine, dy, options, RowMean::none);
}

template Result<Normalized<float>> rms_norm_forward(const Matrix<float>&, const NormOptions&,
                                                    const RunningStats<float>*);
template Result<Normalized<double>> rms_norm_forward(const Matrix<double>&, const NormOptions&,
                                                     const RunningStats<double>*);

template Result<NormGradients<float>> rms_norm_backward(const NormCache<float>&,
                                                        const Affine<float>&, const Matrix<float>&,
                                                        const BackwardOptions&);
template Result<NormGradients<double>> rms_norm_backward(const NormCache<double>&,
                                                         const Affine<double>&,
                                                         const Matrix<double>&,
                                                         const BackwardOptions&);

} // namespace normscope
