#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Layer norm and rms norm over the kernels: what layer_norm.cpp and rms_norm.cpp define, in either
// precision and on several threads. Errors: an empty matrix, an ε below 0; shapes that do not fit.
template<class S, NormKind kind>
struct RowNorm {
    static Result<void> forward(const Matrix<S>& z, const NormOptions& options,
                                const RunningStats<S>* running, Normalized<S>& out);

    // Of x + f in one pass; the sum is kept in z, resized. x: T×D, not empty, f: T×D.
    static void add_forward(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                            const NormOptions& options, Normalized<S>& out);

    static Result<void> backward(const NormCache<S>& cache, const Affine<S>& affine,
                                 const Matrix<S>& dy, const BackwardOptions& options,
                                 NormGradients<S>& out);
};

// Group norm the same way: a token in G groups is G rows of the kernels. Errors as group_norm.h
// says.
template<class S>
struct GroupNorm {
    static Result<void> forward(const Matrix<S>& z, const NormOptions& options,
                                const RunningStats<S>* running, Normalized<S>& out);
    static Result<void> backward(const NormCache<S>& cache, const Affine<S>& affine,
                                 const Matrix<S>& dy, const BackwardOptions& options,
                                 NormGradients<S>& out);
};

} // namespace normscope
