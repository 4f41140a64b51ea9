#pragma once
#include "app/workspaces/workspace_table.h"

namespace normscope {

WorkspaceEntry train_workspace();

} // namespace normscope
