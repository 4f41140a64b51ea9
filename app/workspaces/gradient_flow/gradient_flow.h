#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 4: how does the gradient get through L blocks, and by which paths?
WorkspaceEntry gradient_flow_workspace();

} // namespace normscope
