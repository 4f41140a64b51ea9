#include "app/workspaces/workspace_table.h"

#include "app/workspaces/add_norm.h"
#include "app/workspaces/backward.h"

#include <array>

namespace normscope {

std::span<const WorkspaceEntry> workspace_table() {
    static const std::array k_table = {
        WorkspaceEntry{"add-norm", "Add & Norm", add_norm_workspace, add_norm_figures(), 1},
        WorkspaceEntry{"backward", "Backward", backward_workspace, backward_figures(), 3},
    };
    return k_table;
}

} // namespace normscope
