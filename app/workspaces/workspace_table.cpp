#include "app/workspaces/workspace_table.h"

#include <array>

namespace normscope {

std::span<const WorkspaceEntry> workspace_table() {
    static const std::array k_table = {
        add_norm_workspace(),      batch_vs_layer_workspace(), backward_workspace(),
        gradient_flow_workspace(), transformer_workspace(),    train_workspace(),
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
