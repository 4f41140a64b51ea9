#pragma once
#include "app/document/document.h"

namespace normscope {

// `steps` steps of gradient descent on the document's loss: γ −= lr·dγ, β −= lr·dβ, in double, with
// the losses before and after each step appended to the document's. Errors: dY is typed, so that
// there is no loss; a loss, γ or β that is not finite; what the norm refuses.
Result<Document> learn(const Document& document, int steps);

} // namespace normscope
