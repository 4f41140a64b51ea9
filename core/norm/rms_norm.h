#pragma once
#include "core/norm/norm.h"

namespace normscope {

// RMS norm: layer norm without the mean (Zhang, Sennrich 2019, eq. 4).
//   x̂_td = z_td / √(mean_d z_td² + ε)
// z: T×D, not empty. The cache's rstd has T values, its mean T zeros. `running` is not read.
// Errors: an empty matrix, a negative ε.
template<class S>
Result<Normalized<S>> rms_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                       const RunningStats<S>* running = nullptr);

// The same of z = x + f in one pass; z is resized. x: T×D, not empty, f: T×D, ε as above.
template<class S>
Normalized<S> rms_norm_add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                                   const NormOptions& options);

extern template Normalized<float> rms_norm_add_forward(const Matrix<float>&, const Matrix<float>&,
                                                       Matrix<float>&, const NormOptions&);
extern template Normalized<double> rms_norm_add_forward(const Matrix<double>&,
                                                        const Matrix<double>&, Matrix<double>&,
                                                        const NormOptions&);

extern template Result<Normalized<float>> rms_norm_forward(const Matrix<float>&, const NormOptions&,
                                                           const RunningStats<float>*);
extern template Result<Normalized<double>>
rms_norm_forward(const Matrix<double>&, const NormOptions&, const RunningStats<double>*);

// dz = (a − x̂·mean(a⊙x̂))·rstd with a = γ⊙dy, the mean over a token's features.
// dγ and dβ as in affine_backward. Errors: shapes that do not fit.
template<class S>
Result<NormGradients<S>> rms_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                           const Matrix<S>& dy,
                                           const BackwardOptions& options = {});

extern template Result<NormGradients<float>> rms_norm_backward(const NormCache<float>&,
                                                               const Affine<float>&,
                                                               const Matrix<float>&,
                                                               const BackwardOptions&);
extern template Result<NormGradients<double>> rms_norm_backward(const NormCache<double>&,
                                                                const Affine<double>&,
                                                                const Matrix<double>&,
                                                                const BackwardOptions&);

} // namespace normscope
