#pragma once
#include "app/model/document.h"

namespace normscope {

// The rate that learning has while none is set: 1/c rounded down to two digits, c being the
// steepest curvature of the loss in γ and β, of cross-entropy an upper bound of it: no step leaps
// across the lowest point. 0.1 where the loss has no curvature, or is typed as dY. x_hat: T×D.
double usual_learning_rate(const Document& document, const Matrix<double>& x_hat);

// `steps` steps of gradient descent on the document's loss: γ −= lr·dγ, β −= lr·dβ, in double, with
// the losses before and after each step appended to the document's; a dY that is typed has none.
// Errors: a loss, dγ, dβ, γ or β that is not finite; what the norm refuses.
Result<Document> learn(const Document& document, int steps);

} // namespace normscope
