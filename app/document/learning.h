#pragma once
#include "app/document/document.h"

namespace normscope {

// `steps` steps of gradient descent on the document's loss: γ −= lr·dγ, β −= lr·dβ, in double, with
// the loss before each step appended to the document's losses. Errors: dY is typed, so that there
// is no loss; a loss that is not finite; what the norm refuses.
Result<Document> learn(const Document& document, int steps);

} // namespace normscope
