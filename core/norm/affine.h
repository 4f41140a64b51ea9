#pragma once
#include "core/norm/sets.h"
#include "core/norm/shape.h"

namespace normscope {

// How many γ (and β) a T×D matrix has: D, T or 1.
inline Index affine_size(AffinePer per, Index tokens, Index features) {
    if (per == AffinePer::feature) return features;
    return per == AffinePer::token ? tokens : 1;
}

// γ = 1, β = 0.
template<class S>
Affine<S> identity_affine(AffinePer per, Index tokens, Index features) {
    const Index n = affine_size(per, tokens, features);
    return {per, Vector<S>::Ones(n), Vector<S>::Zero(n)};
}

// γ and β of the first `tokens` of T: all of them where they are not per token.
template<class S>
Affine<S> first_tokens(const Affine<S>& affine, Index tokens) {
    if (affine.per != AffinePer::token) return affine;
    return {affine.per, affine.gamma.head(tokens), affine.beta.head(tokens)};
}

// γ of a set's values, by place.
template<class S>
Vector<S> gamma_of(const Affine<S>& affine, const StatisticSets& sets, Index set) {
    Vector<S> gamma(sets.size());
    for (Index i = 0; i < gamma.size(); ++i)
        gamma(i) = affine.gamma(param_index(affine.per, sets.token(set, i), sets.feature(set, i)));
    return gamma;
}

// The cells of a T×D matrix that share the γ and β of this index.
inline CellBlock cells_of_parameter(AffinePer per, Index index, Index tokens, Index features) {
    const bool of_token = per == AffinePer::token, of_feature = per == AffinePer::feature;
    return {of_token ? index : 0, of_feature ? index : 0, of_token ? 1 : tokens,
            of_feature ? 1 : features};
}

// The definition, of one cell: y = γ·x̂ + β.
template<class S>
S affine_at(const Affine<S>& affine, Index token, Index feature, S x_hat) {
    const Index i = param_index(affine.per, token, feature);
    return affine.gamma(i) * x_hat + affine.beta(i);
}

// y = γ ⊙ x̂ + β into `y` (resized to T×D). Errors: γ or β of another length than `per` asks for;
// the message names both shapes.
template<class S>
Result<void> affine_forward(const Matrix<S>& x_hat, const Affine<S>& affine, Matrix<S>& y,
                            int threads = 1);

// γ or β of another length than `per` asks for is an error that names both shapes.
template<class S>
Result<void> check_affine(Index tokens, Index features, const Affine<S>& affine) {
    const Index n = affine_size(affine.per, tokens, features);
    if (affine.gamma.size() == n && affine.beta.size() == n) return {};
    return fail("γ and β do not fit: the matrix is {} and needs {} of each; γ is {} and β is {}",
                shape_text(tokens, features), n, shape_text(affine.gamma), shape_text(affine.beta));
}

// Into `out`: backward of y = γ ⊙ x̂ + β, in plain steps, which are the definition: out.dz is
// dL/dx̂ = γ⊙dy (dy itself when `terms.gamma` is off), dγ = Σ dy⊙x̂ and dβ = Σ dy over the cells
// that share the parameter. Errors: dy of another shape than x̂; γ or β of the wrong length. `out`
// keeps its memory where the shapes stay the same. The forward pass runs over the kernels; its
// definition is affine_at().
template<class S>
Result<void> affine_backward_into(const Matrix<S>& x_hat, const Affine<S>& affine,
                                  const Matrix<S>& dy, const BackwardOptions& options,
                                  NormGradients<S>& out);
template<class S>
Result<NormGradients<S>> affine_backward(const Matrix<S>& x_hat, const Affine<S>& affine,
                                         const Matrix<S>& dy, const BackwardOptions& options = {}) {
    NormGradients<S> out;
    TRY(affine_backward_into(x_hat, affine, dy, options, out));
    return out;
}

// γ and β that bring γ ⊙ x̂ + β as close to a target as it gets, and the mean squared distance that
// is left: where gradient descent on the mean squared error ends. Each γ, β pair is a least-squares
// line through the points (x̂, target) that share it:
//   γ = Σ (x̂ − mean)(target − mean) / Σ (x̂ − mean)²,  β = mean(target) − γ·mean(x̂)
// γ is 0 where all x̂ of a pair are the same.
struct BestAffine {
    Affine<double> affine;
    double loss = 0; // mean (γ ⊙ x̂ + β − target)² over all T·D values
};

// x_hat, target: T×D, not empty. Errors: different shapes; empty matrices.
Result<BestAffine> best_affine(const Matrix<double>& x_hat, const Matrix<double>& target,
                               AffinePer per);

} // namespace normscope
