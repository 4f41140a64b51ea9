#include "core/norm/rms_norm.h"

#include "core/norm/row_norm.h"

namespace normscope {

template<class S>
Result<Normalized<S>> rms_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                       const RunningStats<S>* /*running*/) {
    return row_norm_forward<S>(NormKind::rms, z, options, kernels::rms_norm);
}

template<class S>
Normalized<S> rms_norm_add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                                   const NormOptions& options) {
    return row_norm_forward<S>(NormKind::rms, x, options, kernels::rms_norm, &f, &z);
}

template<class S>
Result<NormGradients<S>> rms_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                           const Matrix<S>& dy, const BackwardOptions& options) {
    return row_norm_backward(cache, affine, dy, options, RowMean::none);
}

template Normalized<float> rms_norm_add_forward(const Matrix<float>&, const Matrix<float>&,
                                                Matrix<float>&, const NormOptions&);
template Normalized<double> rms_norm_add_forward(const Matrix<double>&, const Matrix<double>&,
                                                 Matrix<double>&, const NormOptions&);
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
