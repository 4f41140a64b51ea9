#include "core/norm/layer_norm.h"

#include "core/norm/row_norm.h"

namespace normscope {

template<class S>
Result<Normalized<S>> layer_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                         const RunningStats<S>* /*running*/) {
    return row_norm_forward<S>(NormKind::layer, z, options, kernels::layer_norm);
}

template<class S>
Normalized<S> layer_norm_add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                                     const NormOptions& options) {
    return row_norm_forward<S>(NormKind::layer, x, options, kernels::layer_norm, &f, &z);
}

template<class S>
Result<NormGradients<S>> layer_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                             const Matrix<S>& dy, const BackwardOptions& options) {
    return row_norm_backward(cache, affine, dy, options, RowMean::subtracted);
}

template Normalized<float> layer_norm_add_forward(const Matrix<float>&, const Matrix<float>&,
                                                  Matrix<float>&, const NormOptions&);
template Normalized<double> layer_norm_add_forward(const Matrix<double>&, const Matrix<double>&,
                                                   Matrix<double>&, const NormOptions&);
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
