#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Layer norm: every token is normalized over its own D features (Ba, Kiros, Hinton 2016). This is
// the definition, in plain steps: checks and tests run it. The screen runs its twin over the
// kernels (fast_norms.cpp). γ and β are the same for every norm: affine.h.

// x̂ of z: T×D, not empty, with μ and 1/√(σ² + ε) of each token. `running` is not read: all norms
// have one signature. Errors: an empty matrix, an ε below 0.
Result<Normalized<double>> layer_norm_forward(const Matrix<double>& z, const NormOptions& options,
                                              const RunningStats<double>* running = nullptr);

// dL/dz, given a = dL/dx̂ = γ⊙dy: T×D. Terms that are off are left out.
Matrix<double> layer_norm_backward(const NormCache<double>& cache, const Matrix<double>& a,
                                   const BackwardTerms& terms = {});

} // namespace normscope
