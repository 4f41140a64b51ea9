#include "app/cli/outputs.h"

#include "app/io/file.h"
#include "app/model/printed_number.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <system_error>

namespace normscope {

CommandResult write_files(const std::filesystem::path& folder,
                          const std::vector<OutputFile>& files) {
    for (const OutputFile& file : files) {
        const std::filesystem::path path = folder / file.name;
        std::error_code error;
        std::filesystem::create_directories(path.parent_path(), error);
        if (error)
            return fail("{}: could not be made: {}.", path.parent_path().string(), error.message());
        TRY(write_file_atomically(path, file.bytes));
    }
    return {};
}

std::string TextTable::text() const {
    std::vector<int> widths(rows_.front().size());
    for (const auto& row : rows_)
        for (const auto i : indices(row)) widths[i] = std::max(widths[i], columns(row[i]));
    std::string out;
    for (const auto& row : rows_) {
        for (const auto i : indices(row))
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
