#pragma once
#include "app/model/document.h"

#include <optional>

namespace normscope {

// dY and, where it is made by a loss, the loss.
struct LossOnY {
    Shared<Matrix<double>> dy;   // T×D
    std::optional<double> value; // none for a typed dY
};

// Classes of the seeded linear head that cross-entropy reads Y through.
inline constexpr Index k_head_classes = 5;

// W of logits = Y·W, D×C with entries N(0, 1/D), and every token's class, from the seed.
struct LinearHead {
    Matrix<double> weights;
    std::vector<Index> classes; // T
};
LinearHead linear_head(std::uint64_t seed, Index tokens, Index features);

// The target of the distance, T×D. z and x̂: T×D.
// normal, uniform: the value of rank r among the n of x̂ goes to the quantile (r + ½)/n, so that Y
// gets that distribution when it reaches the target.
Matrix<double> target_matrix(const Document& document, const Matrix<double>& z,
                             const Matrix<double>& x_hat);

// L(y) and ∂L/∂y of the document's loss. `target` is used by the distance only. y: T×D, all of the
// document's shape.
LossOnY loss_gradient(const Document& document, const Matrix<double>& y,
                      const Shared<Matrix<double>>& target);

// The rate that learning has while none is set: 1/c rounded down to two digits, c being the
// steepest curvature of the loss in γ and β, of cross-entropy an upper bound of it: no step leaps
// across the lowest point. 0.1 where the loss has no curvature, or is typed as dY. x_hat: T×D.
double usual_learning_rate(const Document& document, const Matrix<double>& x_hat);

// `steps` steps of gradient descent on the document's loss: γ −= lr·dγ, β −= lr·dβ, in double, with
// the losses before and after each step appended to the document's; a dY that is typed has none.
// Errors: a loss, dγ, dβ, γ or β that is not finite; what the norm refuses.
Result<Document> learn(const Document& document, int steps);

} // namespace normscope
