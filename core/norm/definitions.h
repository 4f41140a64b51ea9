#pragma once
#include "core/norm/norm.h"

// The definition of every norm, in plain steps and in double, a source each (that of no norm stands
// in normalize.cpp): checks and tests run them. The screen runs their twins over the kernels
// (normalize.cpp). γ and β are the same for every norm: affine.h.
//
// Forward: x̂ of z, T×D and not empty, with μ and 1/√(σ² + ε). `running` is read by norms that have
// running statistics: all have one signature. Errors: an empty matrix, an ε below 0, and what each
// says.
// Backward: dL/dz, given a = dL/dx̂ = γ⊙dy: T×D. Terms that are off are left out.

namespace normscope {

// Layer norm: every token is normalized over its own D features (Ba, Kiros, Hinton 2016).
Result<Normalized<double>> layer_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running = nullptr);
Matrix<double> layer_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms = {});

// Batch norm: every feature is normalized over the T tokens (Ioffe, Szegedy 2015). In training μ
// and σ are the batch's own, and the running statistics after it are returned too; `running`, those
// before it, may be null. In evaluation they are the running ones. Errors: training on one token;
// evaluation without running statistics; running statistics of another width than D.
Result<Normalized<double>> batch_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running = nullptr);
Matrix<double> batch_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms = {});

// The running statistics after one more batch. `running` may be null: mean 0 and var 1 then.
// Without a momentum m they are the average of all batches.
// A NaN in the batch's statistics stays: nothing that is added to it makes it a number again.
// mean, unbiased_var and `running` have D values each.
RunningStats<double> update_running(const RunningStats<double>* running, const Vector<double>& mean,
                                    const Vector<double>& unbiased_var,
                                    std::optional<double> momentum);

// The same where the batch's mean and unbiased variance stand in `batch`, which becomes what is
// returned there. `running` is not `batch`.
template<class S>
void take_batch(const RunningStats<S>* running, std::optional<double> momentum,
                RunningStats<S>& batch);

// RMS norm: layer norm without the mean (Zhang, Sennrich 2019): 1/√(mean(z²) + ε), a mean of 0.
Result<Normalized<double>> rms_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                            const RunningStats<double>* running = nullptr);
Matrix<double> rms_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                 const BackwardTerms& terms = {});

// Group norm: a token's D features stand in G = `options.groups` groups of D/G neighbours, and
// every group is normalized by itself (Wu, He 2018): T·G μ and 1/s, a token's groups side by side.
// With G = 1 it is layer norm. Errors: a G that does not divide D.
Result<Normalized<double>> group_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running = nullptr);
Matrix<double> group_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms = {});

// An error unless G divides D: it names the nearest G that do.
Result<void> check_groups(Index groups, Index features);

// The largest number of groups up to `groups` that divides the features.
Index fitting_groups(Index groups, Index features);

// No normalization: x̂ = z, with no statistics, and dz = a. What the other norms are compared with.
Result<Normalized<double>> none_forward(const Matrix<double>& z, const NormOptions& options,
                                        const RunningStats<double>* running = nullptr);
Matrix<double> none_backward(const NormCache<double>& cache, const Matrix<double>& a,
                             const BackwardTerms& terms = {});

} // namespace normscope
