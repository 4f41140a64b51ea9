#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

// Workspace 5: where do all these Add & Norms sit in an encoder and a decoder?
WorkspaceEntry transformer_workspace();

} // namespace normscope
