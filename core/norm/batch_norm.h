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

// The running statistics after one more batch: running ← (1 − m)·running + m·(mean, unbiased_var)
// with m = momentum, or 1/updates when it is nullopt. `running` may be null: mean 0 and var 1 then.
// A NaN in the batch's statistics stays: nothing that is added to it makes it a number again.
// mean, unbiased_var and `running` have D values each.
template<class S>
RunningStats<S> update_running(const RunningStats<S>* running, const Vector<S>& mean,
                               const Vector<S>& unbiased_var, std::optional<double> momentum);

extern template RunningStats<float> update_running(const RunningStats<float>*, const Vector<float>&,
                                                   const Vector<float>&, std::optional<double>);
extern template RunningStats<double> update_running(const RunningStats<double>*,
                                                    const Vector<double>&, const Vector<double>&,
                                                    std::optional<double>);

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
