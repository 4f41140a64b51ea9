#pragma once
#include "app/model/document.h"
#include "core/base/progress.h"

namespace normscope {

// One of a block's Add & Norms. An encoder block has two, behind its attention and behind its
// feed-forward layer; every other block has one, and `sublayer` does not matter.
enum class OfBlock : std::uint8_t { first_sublayer, last_sublayer };
struct BlockPart {
    int block = 1; // 1 … L
    OfBlock sublayer = OfBlock::last_sublayer;
    bool operator==(const BlockPart&) const = default;
};

// A part of the document's present stack as the Add & Norm of a document: its X, its F(X), its γ
// and β, the stack's own gradient as its dY, everything else (the stack too) as before. Where the
// norm stands before the sublayer (pre, peri) the Add & Norm that is shown is the part's Add
// followed by the norm that reads its sum: that of the sublayer above, or the final one. Errors: no
// such block; those of the stack; a stop.
Result<Document> open_block(const Document& document, BlockPart part,
                            const Progress& progress = {});

} // namespace normscope
