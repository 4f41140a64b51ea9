#pragma once
#include "core/norm/norm.h"

namespace normscope {

// No normalization: x̂ = z, with no statistics. What the other norms are compared with.
// z: T×D, not empty. Errors: an empty matrix.
Result<Normalized<double>> none_forward(const Matrix<double>& z, const NormOptions& options,
                                        const RunningStats<double>* running = nullptr);

// dL/dz, given a = dL/dx̂: the same.
Matrix<double> none_backward(const NormCache<double>& cache, const Matrix<double>& a,
                             const BackwardTerms& terms = {});

} // namespace normscope
