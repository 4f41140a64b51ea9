#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Group norm: a token's D features stand in G groups of D/G neighbours, and every group is
// normalized by itself (Wu, He 2018). With G = 1 it is layer norm. This is the definition, in plain
// steps; its twin in fast_norms.cpp does the same quickly.

// x̂ of z: T×D, not empty, with T·G μ and 1/√(σ² + ε), a token's groups side by side. G is
// `options.groups`; `running` is not read: all norms have one signature.
// Errors: an empty matrix, an ε below 0, a G that does not divide D.
Result<Normalized<double>> group_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running = nullptr);

// dL/dz, given a = dL/dx̂ = γ⊙dy: T×D. Terms that are off are left out.
Matrix<double> group_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms = {});

// An error unless G divides D: it names the nearest G that do.
Result<void> check_groups(Index groups, Index features);

// The largest number of groups up to `groups` that divides the features.
Index fitting_groups(Index groups, Index features);

} // namespace normscope
