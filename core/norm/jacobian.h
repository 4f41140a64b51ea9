#pragma once
#include "core/norm/norm.h"

namespace normscope {

// ∂x̂/∂z of one group of values that share μ and σ²: N×N, entry (i, j) = ∂x̂_i/∂z_j.
//   layer        I/s − (11ᵀ + x̂x̂ᵀ)/(N·s)   the group is token `group`, N = D. Exact for every ε.
//   batch train  the same                    the group is feature `group`, N = T
//   rms          I/s − x̂x̂ᵀ/(N·s)            the group is token `group`, N = D
//   batch eval   I/s                         feature `group`;   none: I, token `group`
// Of `terms` those that are off are left out of the sum. Errors: a group that is not there.
template<class S>
Result<Matrix<double>> norm_jacobian(const NormCache<S>& cache, Index group,
                                     const BackwardTerms& terms = {});

// ∂y/∂z of the same group: row i of ∂x̂/∂z times the γ of value i (unless that term is off).
// Errors: as norm_jacobian; γ or β that do not fit x̂.
template<class S>
Result<Matrix<double>> output_jacobian(const NormCache<S>& cache, const Affine<S>& affine,
                                       Index group, const BackwardTerms& terms = {});

// Who touches whom: T×T, entry (i, j) is the Frobenius norm of the D×D block ∂y_i/∂z_j. Diagonal
// for layer, rms, none and batch in eval mode; full for batch in train mode, where it takes
// T²·D steps. With `first` only the pairs of the first so many tokens, first×first; what they
// normalize with stays that of all. Errors: γ or β that do not fit x̂.
template<class S>
Result<Matrix<double>> influence_matrix(const NormCache<S>& cache, const Affine<S>& affine,
                                        std::optional<Index> first = std::nullopt);

extern template Result<Matrix<double>> norm_jacobian(const NormCache<float>&, Index,
                                                     const BackwardTerms&);
extern template Result<Matrix<double>> norm_jacobian(const NormCache<double>&, Index,
                                                     const BackwardTerms&);
extern template Result<Matrix<double>>
output_jacobian(const NormCache<float>&, const Affine<float>&, Index, const BackwardTerms&);
extern template Result<Matrix<double>>
output_jacobian(const NormCache<double>&, const Affine<double>&, Index, const BackwardTerms&);
extern template Result<Matrix<double>> influence_matrix(const NormCache<float>&,
                                                        const Affine<float>&, std::optional<Index>);
extern template Result<Matrix<double>>
influence_matrix(const NormCache<double>&, const Affine<double>&, std::optional<Index>);

} // namespace normscope
