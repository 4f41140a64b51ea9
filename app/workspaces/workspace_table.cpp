#include "app/workspaces/workspace_table.h"

namespace normscope {

std::optional<std::size_t> workspace_index(std::string_view id) {
    const auto& table = workspace_table();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].id == id) return i;
    return std::nullopt;
}

} // namespace normscope
