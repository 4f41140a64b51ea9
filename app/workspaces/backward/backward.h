#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 3: where does dX come from, and what do dγ and dβ say?
float backward_workspace(Ui& ui, Rect area, const Frame& frame, Actions& actions);

std::span<const FigureEntry> backward_figures();

} // namespace normscope
