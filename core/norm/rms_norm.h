#pragma once
#include "core/norm/norm.h"

namespace normscope {

// RMS norm: layer norm without the mean (Zhang, Sennrich 2019). This is the definition, in plain
// steps; its twin in fast_norms.cpp does the same quickly.

// x̂ of z: T×D, not empty, with 1/√(mean(z²) + ε) of each token and a mean of 0. `running` is not
// read: all norms have one signature. Errors: an empty matrix, an ε below 0.
Result<Normalized<double>> rms_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                            const RunningStats<double>* running = nullptr);

// dL/dz, given a = dL/dx̂ = γ⊙dy: T×D. Terms that are off are left out.
Matrix<double> rms_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                 const BackwardTerms& terms = {});

} // namespace normscope
