#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 1: what do the residual add, the normalization, γ and β do to these tokens?
WorkspaceEntry add_norm_workspace();

} // namespace normscope
