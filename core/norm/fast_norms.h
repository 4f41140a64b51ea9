#pragma once
#include "core/norm/norm.h"

namespace normscope {

// A norm over the kernels: what its definition says, quickly, in either precision and on several
// threads. The results are written into `out`: a second call with the same shapes allocates
// nothing. Errors: those of the definition; shapes that do not fit.
template<class S>
struct FastNorm {
    Result<void> (*forward)(const Matrix<S>& z, const NormOptions& options,
                            const RunningStats<S>* running, Normalized<S>& out);
    Result<void> (*backward)(const NormCache<S>& cache, const Affine<S>& affine,
                             const Matrix<S>& dy, const BackwardOptions& options,
                             NormGradients<S>& out);
    // x̂ of x + f, whose sum is kept in z (resized), in one pass over memory; or null. x: T×D, not
    // empty, f: T×D.
    void (*add_forward)(const Matrix<S>& x, const Matrix<S>& f, Matrix<S>& z,
                        const NormOptions& options, Normalized<S>& out) = nullptr;
};

template<class S>
struct FastNorms {
    static const FastNorm<S> layer, batch, rms, group, none;
};

} // namespace normscope
