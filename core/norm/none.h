#pragma once
#include "core/norm/norm.h"

namespace normscope {

// No normalization: x̂ = z, with no statistics. What the other norms are compared with.
// z: T×D, not empty. Errors: an empty matrix.
template<class S>
Result<Normalized<S>> none_forward(const Matrix<S>& z, const NormOptions& options,
                                   const RunningStats<S>* running = nullptr);

// dL/dz, given a = dL/dx̂: the same.
Matrix<double> none_backward(const NormCache<double>& cache, const Matrix<double>& a,
                             const BackwardTerms& terms = {});

// Of a whole y = γ⊙z + β: dz = γ⊙dy; dγ and dβ as in affine_backward. Errors: shapes that do not
// fit.
template<class S>
Result<NormGradients<S>> none_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                       const Matrix<S>& dy, const BackwardOptions& options);

} // namespace normscope
