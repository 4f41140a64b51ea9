#pragma once
#include "app/document/document.h"
#include "core/flow/progress.h"

namespace normscope {

// Block `block` (1 … L) of the document's present stack as the Add & Norm of a document: its X, its
// F(X), its γ and β, everything else (the stack too) as before. An encoder block shows its last
// sublayer. Where the norm stands before the sublayer (pre, peri) the Add & Norm that is shown is
// the block's Add followed by the norm that reads its sum: the next block's, or the final one.
// Errors: no such block; those of the stack; a stop.
Result<Document> open_block(const Document& document, int block, const Progress& progress = {});

} // namespace normscope
