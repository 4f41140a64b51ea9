#include "app/cli/outputs.h"

#include "app/io/file.h"
#include "app/model/printed_number.h"
#include "app/study/gradient_flow/flow_study.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
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

TextTable::TextTable(std::vector<std::string> titles, std::span<const TableColumn> columns)
    : columns_(columns.begin(), columns.end()) {
    for (const TableColumn& column : columns_) titles.emplace_back(column.title);
    rows_.push_back(std::move(titles));
}

void TextTable::add(std::vector<std::string> words, const Json& seeds, const std::string& under,
                    std::size_t index) {
    for (const TableColumn& column : columns_) {
        const Json::json_pointer at(under + fmt::format(fmt::runtime(column.at), index));
        std::vector<double> numbers;
        std::string other; // than numbers
        for (const Json& seed : seeds) {
            const Json value = seed.contains(at) ? seed.at(at) : Json("");
            if (value.is_number_float())
                numbers.push_back(value.get<double>());
            else
                other = value.is_null()     ? "—"
                        : value.is_string() ? value.get<std::string>()
                                            : value.dump();
        }
        const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
        const double mean = column.mean == Mean::geometric
                                ? mean_over_seeds(numbers)
                                : sum / static_cast<double>(numbers.size());
        words.push_back(numbers.size() == seeds.size() ? shown(mean) : other);
    }
    add(std::move(words));
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
