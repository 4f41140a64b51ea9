#include "app/io/table.h"

#include "app/language/language.h"

#include <string>

namespace normscope {

Table cut_out(const Table& table, const CellBlock& part) {
    const auto names = [](const std::vector<std::string>& all, Index first, Index count) {
        if (all.empty()) return all;
        return std::vector<std::string>(all.begin() + first, all.begin() + first + count);
    };
    return {table.values.block(part.row, part.col, part.rows, part.cols),
            names(table.token_names, part.row, part.rows),
            names(table.feature_names, part.col, part.cols)};
}

Result<void> check_size(std::string_view file_name, std::uint64_t rows, std::uint64_t cols) {
    const auto side = static_cast<std::uint64_t>(k_max_side);
    const auto total = static_cast<std::uint64_t>(k_max_values);
    // The sides are bounded first, so that their product cannot overflow.
    if (rows <= side && cols <= side && rows * cols <= total) return {};
    return fail("{}: the matrix is {}×{}: expected at most {} tokens, as many features, and "
                "{} values in all.",
                std::string(file_name), rows, cols, side, total);
}

} // namespace normscope
