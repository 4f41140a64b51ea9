#include "app/io/class_column.h"

#include "app/io/csv_records.h"
#include "app/io/load.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr std::size_t k_most_classes = 100;
constexpr std::size_t k_few_numbers = 20;

// The number of a column in its file, from 1, and its heading, else the number.
std::string number_of(const Table& table, Index column) {
    return std::to_string(column + 1 + (table.token_names.empty() ? 0 : 1));
}
std::string heading_of(const Table& table, Index column) {
    const auto at = static_cast<std::size_t>(column);
    const bool headed = at < table.feature_names.size() && !trim(table.feature_names[at]).empty();
    return headed ? table.feature_names[at] : number_of(table, column);
}

// The different numbers of a column in their order; k_most_classes + 1 of more.
std::vector<double> different_numbers(Matrix<double>::ConstColXpr column) {
    std::vector<double> out;
    for (const double value : column) {
        const auto at = std::ranges::lower_bound(out, value);
        if (at == out.end() || *at != value) out.insert(at, value);
        if (out.size() > k_most_classes) break;
    }
    return out;
}

bool are_classes(const std::vector<double>& numbers, Index points) {
    const auto count = std::ssize(numbers);
    if (count < 2 || count > static_cast<Index>(k_most_classes) || 2 * count > points ||
        std::ranges::any_of(numbers, [](double n) { return n != std::floor(n); }))
        return false;
    const bool counts_up = (numbers.front() == 0 || numbers.front() == 1) &&
                           numbers.back() - numbers.front() == static_cast<double>(count - 1);
    return counts_up || numbers.size() <= k_few_numbers;
}

// Words that come again.
bool are_classes(const std::vector<std::string>& words, Index points) {
    return words.size() > 1 && words.size() <= k_most_classes && 2 * std::ssize(words) <= points;
}

bool holds_classes(const Table& table, Index column) {
    const Index points = table.values.rows();
    const auto words = table.words.find(column);
    if (words != table.words.end()) return are_classes(words->second, points);
    const auto numbers = table.values.col(column);
    return std::isfinite(numbers.sum()) && are_classes(different_numbers(numbers), points);
}

// The column that is called so, as it is or in any case.
std::optional<Index> column_called(const Table& table, const std::string& name) {
    const Index columns = table.values.cols();
    for (const bool exact : {true, false})
        for (Index c = 0; c < columns; ++c) {
            const std::string heading = heading_of(table, c);
            if (exact ? heading == name : lower_case(trim(heading)) == lower_case(trim(name)))
                return c;
        }
    return std::nullopt;
}

Index usual_class_column(const Table& table) {
    const Index columns = table.values.cols();
    const bool has_x = column_called(table, "x").has_value();
    // The last columns that are called so. A y may be a measurement, and beside x a coordinate.
    std::optional<Index> classes, named, y;
    for (Index c = 0; c < columns; ++c) {
        const std::string heading = heading_of(table, c);
        const bool is_y = lower_case(trim(heading)) == "y";
        if (!is_class_heading(heading) || (is_y && has_x)) continue;
        (holds_classes(table, c) ? classes : is_y ? y : named) = c;
    }
    if (classes) return *classes;
    if (named) return *named;
    for (auto words = table.words.rbegin(); words != table.words.rend(); ++words)
        if (are_classes(words->second, table.values.rows())) return words->first;
    if (!table.words.empty()) return table.words.rbegin()->first;
    if (y) return *y;
    return !holds_classes(table, columns - 1) && holds_classes(table, 0) ? 0 : columns - 1;
}

Result<Points> with_class_in(const Table& table, Index column, const std::string& file_name) {
    const Index points = table.values.rows(), features = table.values.cols() - 1;
    const std::string heading = heading_of(table, column);
    for (const auto& [other, words] : table.words)
        if (other != column)
            return fail("{}: the column “{}” holds words, and a feature is a number: leave "
                        "the column out, or make it the class (--class)",
                        file_name, heading_of(table, other));
    const auto numbers = table.values.col(column);
    for (Index i = 0; i < points; ++i)
        if (!std::isfinite(numbers(i)))
            return fail("{}: row {} of the numbers has no class in the column “{}”: write "
                        "one, or leave the row out",
                        file_name, i + 1, heading);
    const std::vector<double> classes = different_numbers(numbers);
    const auto words = table.words.find(column);
    const bool of_words = words != table.words.end();
    if (!of_words && classes.size() > 1 && !are_classes(classes, points))
        return fail("{}: the column “{}” holds {} different numbers: it measures something "
                    "(a regression), and here classes are learned; choose another column "
                    "(--class), call another one “class”, or put these numbers into a few "
                    "classes",
                    file_name, heading,
                    classes.size() > k_most_classes ? worded("more than {}", k_most_classes)
                                                    : std::to_string(classes.size()));
    if (classes.size() < 2 || classes.size() > k_most_classes)
        return fail("{}: the column “{}” has {}: expected 2 to {}", file_name, heading,
                    classes.size() == 1 ? worded("{} different class", classes.size())
                                        : worded("{} different classes",
                                                 of_words ? words->second.size() : classes.size()),
                    k_most_classes);
    Points out;
    out.x.resize(points, features);
    out.x << table.values.leftCols(column), table.values.rightCols(features - column);
    for (const double number : numbers)
        out.classes.push_back(std::ranges::lower_bound(classes, number) - classes.begin());
    out.class_count = std::ssize(classes);
    out.names.class_column = heading;
    out.names.class_at = column;
    for (Index c = 0; c <= features; ++c)
        if (c != column) out.names.features.push_back(heading_of(table, c));
    if (of_words)
        out.names.classes = words->second;
    else
        for (const double number : classes) append_number(out.names.classes.emplace_back(), number);
    return out;
}

// The table that the points come from.
Table table_of(const Points& points) {
    const PointNames& names = points.names;
    const Index at = names.class_at, features = points.x.cols();
    Table out;
    out.values.resize(points.x.rows(), features + 1);
    out.values << points.x.leftCols(at), Matrix<double>(points.x.rows(), 1),
        points.x.rightCols(features - at);
    out.feature_names = names.features;
    out.feature_names.insert(out.feature_names.begin() + at, names.class_column);
    std::vector<double> numbers;
    for (const std::string& name : names.classes) {
        const auto number = parse_number(name);
        if (number && std::isfinite(*number)) numbers.push_back(*number);
    }
    const bool of_words = numbers.size() < names.classes.size();
    if (of_words) out.words[at] = names.classes;
    for (Index i = 0; i < points.x.rows(); ++i) {
        const Index own = entry_at(points.classes, i);
        out.values(i, at) = of_words ? static_cast<double>(own) : entry_at(numbers, own);
    }
    return out;
}

} // namespace

Result<Points> points_of(const Table& table, const std::string& wanted,
                         const std::string& file_name) {
    const Index columns = table.values.cols();
    if (columns < 3)
        return fail("{}: has {}: expected two or more columns of numbers and one of classes",
                    file_name,
                    columns == 1 ? worded("{} column", columns) : worded("{} columns", columns));
    if (wanted.empty()) return with_class_in(table, usual_class_column(table), file_name);
    auto column = column_called(table, wanted);
    for (Index c = 0; c < columns && !column; ++c)
        if (number_of(table, c) == wanted) column = c;
    if (column) return with_class_in(table, *column, file_name);
    std::vector<std::string> headings;
    for (Index c = 0; c < columns; ++c) headings.push_back(heading_of(table, c));
    return fail("{}: has no column {}: expected {}", file_name, quote_for_message(wanted),
                list_arrays(headings));
}

Result<Points> load_points(const std::filesystem::path& path, const std::string& wanted) {
    const auto table = TRY(load_table(path, wanted));
    return points_of(table, wanted, path.string());
}

Result<Points> with_class(const Points& points, Index column, const std::string& file_name) {
    return with_class_in(table_of(points), column, file_name);
}

std::vector<Index> class_columns(const Points& points) {
    const Table table = table_of(points);
    std::vector<Index> out;
    for (Index c = 0; c < table.values.cols(); ++c)
        if (table.words.empty() ? holds_classes(table, c) : table.words.contains(c))
            out.push_back(c);
    return out;
}

} // namespace normscope
