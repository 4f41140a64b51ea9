#pragma once
#include "core/norm/norm.h"

namespace normscope {

// ∂x̂/∂z of one of the norm's StatisticSets: N×N, entry (i, j) = ∂x̂_i/∂z_j by place in the set.
//   I/s − 11ᵀ/(N·s) − x̂dᵀ/(N·s)   each term where the norm has it (terms_of), d of Spread. Exact
// for every ε.
// The sum leaves out the `terms` that are off. Errors: a set that is not there.
Result<Matrix<double>> norm_jacobian(const NormCache<double>& cache, Index set,
                                     const BackwardTerms& terms = {});

// ∂y/∂z of the set: row i of ∂x̂/∂z times the γ of value i (unless terms.gamma is off).
// Errors: as norm_jacobian; γ or β that do not fit x̂.
Result<Matrix<double>> output_jacobian(const NormCache<double>& cache, const Affine<double>& affine,
                                       Index set, const BackwardTerms& terms = {});

// The influence of token j on token i ("who touches whom"): T×T, entry (i, j) is the Frobenius norm
// of the D×D block ∂y_i/∂z_j. Diagonal unless tokens share statistics that Z moves; full there,
// which takes T²·D steps. With `first` only the pairs of the first `first` tokens, first×first;
// their statistics stay those of all tokens. Errors: γ or β that do not fit x̂.
Result<Matrix<double>> influence_matrix(const NormCache<double>& cache,
                                        const Affine<double>& affine,
                                        std::optional<Index> first = std::nullopt);

} // namespace normscope
