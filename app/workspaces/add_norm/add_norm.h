#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 1: what do the residual add, the normalization, γ and β do to these tokens?
float add_norm_workspace(Ui& ui, Rect area, const Frame& frame, Actions& actions);

std::span<const FigureEntry> add_norm_figures();

} // namespace normscope
