#include "app/io/csv.h"

#include "app/io/text.h"
#include "app/language/language.h"

#include <algorithm>
#include <array>
#include <map>

namespace normscope {

namespace {

constexpr std::array<std::string_view, 4> k_class_headings{"class", "label", "target", "species"};
constexpr std::size_t k_most_classes = 100;

// The cells of a line with their quotation marks.
std::vector<std::string_view> cells_of(std::string_view line, char delimiter) {
    std::vector<std::string_view> out;
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"') quoted = !quoted;
        if (i < line.size() && (quoted || line[i] != delimiter)) continue;
        out.push_back(line.substr(begin, i - begin));
        begin = i + 1;
    }
    return out;
}

// A cell without spaces and quotation marks around it.
std::string_view bare(std::string_view cell) {
    cell = trim(cell);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        return trim(cell.substr(1, cell.size() - 2));
    return cell;
}

std::vector<std::string_view> lines_of(std::string_view bytes) {
    if (bytes.starts_with(k_byte_order_mark)) bytes.remove_prefix(k_byte_order_mark.size());
    std::vector<std::string_view> out;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        std::string_view line = bytes.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        out.push_back(line);
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return out;
}

bool has_values(std::string_view line) {
    return !trim(line).empty() && !line.starts_with('#');
}

char delimiter_of(std::string_view line) {
    for (const char delimiter : {'\t', ';'})
        if (cells_of(line, delimiter).size() > 2) return delimiter;
    return ',';
}

bool is_heading(const std::vector<std::string_view>& cells) {
    return std::ranges::none_of(
        cells, [](std::string_view cell) { return looks_like_number(bare(cell)); });
}

// Where the class stands in a line of headings or of values.
std::size_t class_place(const std::vector<std::string_view>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (std::ranges::find(k_class_headings, lower_case(bare(cells[i]))) !=
            k_class_headings.end())
            return i;
    return cells.size() - 1;
}

// The number of each name: names that are numbers in their order, else by the letters.
std::map<std::string, Index> numbered_classes(std::vector<std::string> names) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    const auto number = [](const std::string& name) { return parse_number(name); };
    if (std::ranges::all_of(names, [&](const auto& name) { return number(name).has_value(); }))
        std::ranges::stable_sort(names, {}, [&](const auto& name) { return *number(name); });
    std::map<std::string, Index> out;
    for (const std::string& name : names) out.emplace(name, static_cast<Index>(out.size()));
    return out;
}

} // namespace

Result<ClassTable> read_class_csv(std::string_view bytes, std::string_view file_name) {
    const std::vector<std::string_view> lines = lines_of(bytes);
    const auto first = std::ranges::find_if(lines, has_values);
    if (first == lines.end())
        return fail(worded("{}: is empty: expected two or more columns of numbers and one of "
                           "classes",
                           file_name));
    const char delimiter = delimiter_of(*first);
    const auto headings = cells_of(*first, delimiter);
    if (headings.size() < 3)
        return fail(worded("{}: has {}: expected two or more columns of numbers and "
                           "one of classes",
                           file_name,
                           headings.size() == 1 ? worded("{} column", headings.size())
                                                : worded("{} columns", headings.size())));
    const bool headed = is_heading(headings);
    const std::size_t place = headed ? class_place(headings) : headings.size() - 1;
    ClassTable out;
    if (headed) out.class_column = bare(headings[place]);
    std::vector<std::string> classes;
    std::string numbers; // the same lines, without the classes
    for (const std::string_view& line : lines) {
        if (!has_values(line)) {
            numbers += std::string(line) + '\n';
            continue;
        }
        std::vector<std::string_view> cells = cells_of(line, delimiter);
        if (!(headed && &line == &*first)) {
            const std::string_view name =
                place < cells.size() ? bare(cells[place]) : std::string_view();
            if (name.empty() || marks_no_value(name))
                return fail(worded("{}: line {} has no class: expected one in column {}", file_name,
                                   &line - lines.data() + 1, place + 1));
            classes.emplace_back(name);
            cells[place] = "0";
        }
        for (std::size_t i = 0; i < cells.size(); ++i)
            numbers += (i > 0 ? std::string(1, delimiter) : std::string()) + std::string(cells[i]);
        numbers += '\n';
    }
    auto table = read_csv(numbers, file_name);
    if (!table) return tl::unexpected(table.error());
    const Index names = table->token_names.empty() ? 0 : 1; // a first column that names the points
    const Index column = static_cast<Index>(place) - names;
    if (table->values.rows() != static_cast<Index>(classes.size()) || column < 0 ||
        table->values.cols() + names != static_cast<Index>(headings.size()))
        return fail(worded("{}: {} lines have a class and {} lines of {} columns have numbers: "
                           "expected a number in every column but the class's",
                           file_name, classes.size(), table->values.rows(), table->values.cols()));
    const auto ids = numbered_classes(classes);
    if (ids.size() < 2 || ids.size() > k_most_classes)
        return fail(worded("{}: column {} has {}: expected 2 to {}", file_name, place + 1,
                           ids.size() == 1 ? worded("{} different class", ids.size())
                                           : worded("{} different classes", ids.size()),
                           k_most_classes));
    const Index features = table->values.cols() - 1;
    out.points.x.resize(table->values.rows(), features);
    out.points.x << table->values.leftCols(column), table->values.rightCols(features - column);
    for (const std::string& name : classes) out.points.classes.push_back(ids.at(name));
    out.points.class_count = static_cast<Index>(ids.size());
    out.class_names.resize(ids.size());
    for (const auto& [name, id] : ids) out.class_names[static_cast<std::size_t>(id)] = name;
    return out;
}

} // namespace normscope
