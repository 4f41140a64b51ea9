#pragma once
#include "app/study/opened_part.h"
#include "app/study/transformer/transformer_study.h"

namespace normscope {

// An Add & Norm of the Transformer as a document: the sentence's words are its tokens, and ∂L/∂Y is
// its dY. Where the norm stands before the sublayer (pre, peri) the Add & Norm that is shown is the
// Add followed by the norm that reads its sum. Errors: those of the study.
Result<Document> open_add_norm(const Document& document, const TransformerStudy& study,
                               const Box& box);

} // namespace normscope
