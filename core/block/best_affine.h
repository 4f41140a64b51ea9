#pragma once
#include "core/norm/norm.h"

namespace normscope {

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
