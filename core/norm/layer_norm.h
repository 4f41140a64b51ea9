#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Layer norm: every token is normalized over its own D features (Ba, Kiros, Hinton 2016, eq. 3-4).
//   μ_t = mean_d z_td    σ²_t = mean_d (z_td − μ_t)²    x̂_td = (z_td − μ_t) / √(σ²_t + ε)
// z: T×D, not empty. The cache's mean and rstd have T values. `running` is not read; it is there
// so that all norms have one signature. Errors: an empty matrix, a negative ε.
template<class S>
Result<Normalized<S>> layer_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                         const RunningStats<S>* running = nullptr);

// The same of z = x + f in one pass; z is resized. x: T×D, not empty, f: T×D, ε as above.
template<class S>
Normalized<S> layer_norm_add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                                     const NormOptions& options);

extern template Normalized<float> layer_norm_add_forward(const Matrix<float>&, const Matrix<float>&,
                                                         Matrix<float>&, const NormOptions&);
extern template Normalized<double> layer_norm_add_forward(const Matrix<double>&,
                                                          const Matrix<double>&, Matrix<double>&,
                                                          const NormOptions&);

extern template Result<Normalized<float>>
layer_norm_forward(const Matrix<float>&, const NormOptions&, const RunningStats<float>*);
extern template Result<Normalized<double>>
layer_norm_forward(const Matrix<double>&, const NormOptions&, const RunningStats<double>*);

// dz = (a − mean(a) − x̂·mean(a⊙x̂))·rstd with a = γ⊙dy, means over a token's features.
// dγ and dβ as in affine_backward. Errors: shapes that do not fit.
template<class S>
Result<NormGradients<S>> layer_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                             const Matrix<S>& dy,
                                             const BackwardOptions& options = {});

extern template Result<NormGradients<float>> layer_norm_backward(const NormCache<float>&,
                                                                 const Affine<float>&,
                                                                 const Matrix<float>&,
                                                                 const BackwardOptions&);
extern template Result<NormGradients<double>> layer_norm_backward(const NormCache<double>&,
                                                                  const Affine<double>&,
                                                                  const Matrix<double>&,
                                                                  const BackwardOptions&);

} // namespace normscope
