#pragma once
#include "app/model/edit.h"

// apply() and label_of() of edit.h for the edits of one part: of the shape, the flow, the
// Transformer or the race.
namespace normscope {

Result<Document> apply_part(const Document& before, const ShapeEdit& edit);
Result<Document> apply_part(const Document& before, const FlowEdit& edit);
Result<Document> apply_part(const Document& before, const TransformerEdit& edit);
Result<Document> apply_part(const Document& before, const RaceEdit& edit);

Wording label_of_part(const FlowEdit& edit, const Document& before);
Wording label_of_part(const TransformerEdit& edit, const Document& before);
Wording label_of_part(const RaceEdit& edit, const Document& before);

// The document with a changed part, if that can be.
template<class S, class Change>
Result<Document> with_part(const Document& before, Change&& change) {
    Document d = before;
    S& part = part_of<S>(d);
    change(part);
    return check(part).map([&] { return std::move(d); });
}

// Fails, in words, unless 0 ≤ index < end; `end` tokens or features are there, or one more.
Result<void> on_axis(const Document& document, Axis axis, Index index, Index end);

} // namespace normscope
