#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Batch norm: every feature is normalized over the T tokens (Ioffe, Szegedy 2015).
//   train (algorithm 1)  μ_d = mean_t z_td    σ²_d = mean_t (z_td − μ_d)²
//                        running ← (1 − m)·running + m·(μ, σ²·T/(T−1));  m = 1/updates when
//                        momentum is nullopt (cumulative average)
//   eval (algorithm 2)   μ, σ² are the running statistics
//   x̂_td = (z_td − μ_d) / √(σ²_d + ε)
// z: T×D, not empty. The cache's mean and rstd have D values. In train mode `running` may be null:
// it then starts from mean 0 and var 1.
// Errors: an empty matrix; a negative ε; training on one token; eval without running statistics;
// running statistics of another width than D.
template<class S>
Result<Normalized<S>> batch_norm_forward(const Matrix<S>& z, const NormOptions& options,
                                         const RunningStats<S>* running = nullptr);

extern template Result<Normalized<float>>
batch_norm_forward(const Matrix<float>&, const NormOptions&, const RunningStats<float>*);
extern template Result<Normalized<double>>
batch_norm_forward(const Matrix<double>&, const NormOptions&, const RunningStats<double>*);

// train: dz = (a − mean(a) − x̂·mean(a⊙x̂))·rstd with a = γ⊙dy, means over a feature's tokens.
// eval: dz = a·rstd, as the statistics are constants.
// dγ and dβ as in affine_backward. Errors: shapes that do not fit.
template<class S>
Result<NormGradients<S>> batch_norm_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                             const Matrix<S>& dy,
                                             const BackwardOptions& options = {});

extern template Result<NormGradients<float>> batch_norm_backward(const NormCache<float>&,
                                                                 const Affine<float>&,
                                                                 const Matrix<float>&,
                                                                 const BackwardOptions&);
extern template Result<NormGradients<double>> batch_norm_backward(const NormCache<double>&,
                                                                  const Affine<double>&,
                                                                  const Matrix<double>&,
                                                                  const BackwardOptions&);

} // namespace normscope
