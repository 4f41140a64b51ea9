#pragma once
#include "app/charts/heatmap.h"
#include "app/study/backward/backward.h"
#include "app/workspaces/shared/frame.h"

#include <string>

namespace normscope {

// "studying, d3": a cell by its names; `entry` is token·D + feature, −1 for none.
std::string entry_name(const Document& document, Index entry);

// "d3", "studying" or "all": what a γ or β belongs to.
std::string parameter_name(const Document& document, Index index);

// Lights a place along the group that is shown: its cell, as if it were hovered.
void light_place(const Frame& frame, Actions& actions, Index group, Index place);

// Outlines the group in focus in a T×D map and marks the hovered cell.
void mark_focus(Heatmap& map, const Frame& frame);

// The place along the group that is hovered anywhere.
std::optional<Index> hovered_place(const Frame& frame);

} // namespace normscope
