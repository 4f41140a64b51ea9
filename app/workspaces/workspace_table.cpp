#include "app/workspaces/workspace_table.h"

#include "app/workspaces/add_norm/add_norm.h"
#include "app/workspaces/backward/backward.h"
#include "app/workspaces/batch_vs_layer/batch_vs_layer.h"
#include "app/workspaces/gradient_flow/gradient_flow.h"

#include <array>

namespace normscope {

std::span<const WorkspaceEntry> workspace_table() {
    static const std::array k_table = {
        WorkspaceEntry{"add-norm", "Add & Norm", add_norm_workspace, add_norm_figures(), 1},
        WorkspaceEntry{"batch-vs-layer", "Batch vs Layer", batch_vs_layer_workspace,
                       batch_vs_layer_figures(), 2, Needs::batch},
        WorkspaceEntry{"backward", "Backward", backward_workspace, backward_figures(), 3,
                       Needs::backward},
        WorkspaceEntry{"gradient-flow", "Gradient flow", gradient_flow_workspace,
                       gradient_flow_figures(), 4, Needs::flow},
    };
    return k_table;
}

std::optional<std::size_t> workspace_index(std::string_view id) {
    const auto table = workspace_table();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].id == id) return i;
    return std::nullopt;
}

} // namespace normscope
