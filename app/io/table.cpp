#include "app/io/table.h"

#include "app/language/language.h"

#include <string>

namespace normscope {

Result<void> check_size(std::string_view file_name, std::uint64_t rows, std::uint64_t cols) {
    const auto side = static_cast<std::uint64_t>(k_max_side);
    const auto total = static_cast<std::uint64_t>(k_max_values);
    // The sides are bounded first, so that their product cannot overflow.
    if (rows <= side && cols <= side && rows * cols <= total) return {};
    return fail(std::string(file_name) + worded(": the matrix is ") + std::to_string(rows) + "×" +
                std::to_string(cols) + worded(": expected at most ") + std::to_string(side) +
                worded(" tokens, as many features, and ") + std::to_string(total) +
                worded(" values in all."));
}

} // namespace normscope
