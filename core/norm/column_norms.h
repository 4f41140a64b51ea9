#pragma once
#include "core/norm/norm.h"

namespace normscope {

// Batch norm over the kernels: what batch_norm.cpp defines, in either precision and on several
// threads. Errors: as batch_norm_forward; shapes that do not fit.
template<class S>
struct ColumnNorm {
    static Result<void> forward(const Matrix<S>& z, const NormOptions& options,
                                const RunningStats<S>* running, Normalized<S>& out);
    static Result<void> backward(const NormCache<S>& cache, const Affine<S>& affine,
                                 const Matrix<S>& dy, const BackwardOptions& options,
                                 NormGradients<S>& out);
};

} // namespace normscope
