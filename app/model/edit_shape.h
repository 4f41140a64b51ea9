#pragma once
#include "app/model/edit.h"

namespace normscope {

// The edits of tokens and features: how many there are, in which order, what they are called.
Result<Document> apply(const Document& before, const Rename& edit);
Result<Document> apply(const Document& before, const Insert& edit);
Result<Document> apply(const Document& before, const Resize& edit);
Result<Document> apply(const Document& before, const Remove& edit);
Result<Document> apply(const Document& before, const Duplicate& edit);
Result<Document> apply(const Document& before, const Move& edit);

// Fails, in words, unless 0 ≤ index < end; `end` tokens or features are there, or one more.
Result<void> on_axis(const Document& document, Axis axis, Index index, Index end);

// The matrix that an edit sets.
Shared<Matrix<double>>& input_of(Document& document, Input which);

} // namespace normscope
