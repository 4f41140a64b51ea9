#pragma once
#include "app/study/transformer/transformer_study.h"
#include "core/norm/sets.h"

#include <vector>

namespace normscope {

// Cells of a box's output.
struct BoxCells {
    Box box;
    CellBlock cells;
};

// The cells that a box's cell is made of, everywhere they stand: what is added and what shares its
// statistics for an Add & Norm, what a token may look at for attention.
std::vector<BoxCells> made_of(const TransformerStudy& study, const Box& box, Index token,
                              Index feature);

// The cells that a box's cell goes into at once: the blocks that read it, or the head.
std::vector<BoxCells> goes_into(const TransformerStudy& study, const Box& box, Index token,
                                Index feature);

} // namespace normscope
