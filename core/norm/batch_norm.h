#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Batch norm: every feature is normalized over the T tokens (Ioffe, Szegedy 2015). This is the
// definition, in plain steps; its twin in fast_norms.cpp does the same quickly.

// x̂ of z: T×D, not empty, with μ and 1/√(σ² + ε) of each feature. In training these are the
// batch's own, and the running statistics after it are returned too; `running`, those before it,
// may be null. In evaluation they are the running ones.
// Errors: an empty matrix; an ε below 0; training on one token; evaluation without running
// statistics; running statistics of another width than D.
Result<Normalized<double>> batch_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running = nullptr);

// dL/dz, given a = dL/dx̂ = γ⊙dy: T×D. Terms that are off are left out.
Matrix<double> batch_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms = {});

// The running statistics after one more batch. `running` may be null: mean 0 and var 1 then.
// Without a momentum m they are the average of all batches.
// A NaN in the batch's statistics stays: nothing that is added to it makes it a number again.
// mean, unbiased_var and `running` have D values each.
template<class S>
RunningStats<S> update_running(const RunningStats<S>* running, const Vector<S>& mean,
                               const Vector<S>& unbiased_var, std::optional<double> momentum);

// The same where the batch's mean and unbiased variance stand in `batch`, which becomes what is
// returned there. `running` is not `batch`.
template<class S>
void take_batch(const RunningStats<S>* running, std::optional<double> momentum,
                RunningStats<S>& batch);

} // namespace normscope
