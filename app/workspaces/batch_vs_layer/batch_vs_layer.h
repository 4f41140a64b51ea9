#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 2: which values share a mean and a variance, and who touches whom?
WorkspaceEntry batch_vs_layer_workspace();

} // namespace normscope
