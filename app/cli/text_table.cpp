#include "app/cli/text_table.h"

#include "app/model/printed_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

std::string TextTable::text() const {
    std::vector<int> widths(rows_.front().size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns(row[i]));
    std::string out;
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out +=
                fmt::format("{:{}}{}", "", widths[i] - columns(row[i]) + (i > 0 ? 2 : 0), row[i]);
        out.erase(out.find_last_not_of(' ') + 1); // of empty cells
        out += '\n';
    }
    return out;
}

std::string shown(double value) {
    if (std::isnan(value)) return "NaN"; // without the sign that a NaN may have
    return fmt::format("{:.4g}", value);
}

} // namespace normscope
