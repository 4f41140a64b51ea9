#include "app/workspaces/workspace_table.h"

#include "core/base/lists.h"

namespace normscope {

std::optional<std::size_t> workspace_index(std::string_view id) {
    const auto& table = workspace_table();
    for (const auto i : indices(table))
        if (table[i].id == id) return i;
    return std::nullopt;
}

} // namespace normscope
