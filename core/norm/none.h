#pragma once
#include "core/norm/norm.h"

namespace normscope {

// No normalization: x̂ = z, with no statistics. What the other norms are compared with.
// z: T×D, not empty. Errors: an empty matrix.
template<class S>
Result<Normalized<S>> none_forward(const Matrix<S>& z, const NormOptions& options,
                                   const RunningStats<S>* running = nullptr);

extern template Result<Normalized<float>> none_forward(const Matrix<float>&, const NormOptions&,
                                                       const RunningStats<float>*);
extern template Result<Normalized<double>> none_forward(const Matrix<double>&, const NormOptions&,
                                                        const RunningStats<double>*);

} // namespace normscope
