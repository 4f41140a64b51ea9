#include "app/cli/text_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

// In letters, not in bytes of UTF-8.
std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

} // namespace

std::string TextTable::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], letters(row[i]));
    std::string out;
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out += std::string(widths[i] - letters(row[i]) + (i > 0 ? 2 : 0), ' ') + row[i];
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
