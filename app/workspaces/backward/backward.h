#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 3: where does dX come from, and what do dγ and dβ say?
WorkspaceEntry backward_workspace();

} // namespace normscope
