#pragma once
#include "core/base/result.h"
#include "core/nn/attention.h"

namespace normscope {

// Which rows attend to which: the sentences of `tokens` rows, and of `memory_tokens` that they
// read. `memory` may be null, as `own` may. Errors: lengths that do not add up, an empty sentence,
// another number of sentences on one side, a token that sees no key.
Result<void> attention_parts(const Sentences* own, Index tokens, const Sentences* memory,
                             Index memory_tokens, Mask mask, std::vector<AttentionPart>& parts);

} // namespace normscope
