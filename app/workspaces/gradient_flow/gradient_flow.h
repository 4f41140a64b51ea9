#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 4: how does the gradient get through L blocks, and by which paths?
float gradient_flow_workspace(Ui& ui, Rect area, const Frame& frame, Actions& actions);

std::span<const FigureEntry> gradient_flow_figures();

} // namespace normscope
