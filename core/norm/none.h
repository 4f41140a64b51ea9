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

// The same in either precision. Of a whole y = γ⊙z + β: dz = γ⊙dy; dγ and dβ as in
// affine_backward. Errors: an empty matrix; shapes that do not fit.
template<class S>
struct NoNorm {
    static Result<void> forward(const Matrix<S>& z, const NormOptions& options,
                                const RunningStats<S>* running, Normalized<S>& out);
    static Result<void> backward(const NormCache<S>& cache, const Affine<S>& affine,
                                 const Matrix<S>& dy, const BackwardOptions& options,
                                 NormGradients<S>& out);
};

} // namespace normscope
