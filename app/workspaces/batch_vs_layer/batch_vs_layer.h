#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 2: which values share a mean and a variance, and who touches whom?
float batch_vs_layer_workspace(Ui& ui, Rect area, const Frame& frame, Actions& actions);

std::span<const FigureEntry> batch_vs_layer_figures();

} // namespace normscope
