#include "app/io/csv_records.h"

#include "app/io/number.h"
#include "app/io/utf8.h"

#include <algorithm>

namespace normscope {

namespace {

enum class Cell { name, value, either };

// `quotes_mean_text`: values stand without quotation marks.
Cell cell_of(const CsvField& field, bool quotes_mean_text) {
    if (field.quoted && quotes_mean_text) return Cell::name;
    if (field.text.empty() || looks_like_number(field.text)) return Cell::value;
    if (!marks_no_value(field.text)) return Cell::name;
    // "." and "-" are tokens as often as they are marks.
    constexpr std::string_view k_letters = "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return field.text.find_first_of(k_letters) == field.text.npos ? Cell::either : Cell::value;
}

// A number that was quoted only for the delimiter within it, or one with a currency.
bool is_written_number(const CsvField& field, char delimiter) {
    return is_dressed_number(field.text) ||
           (field.quoted && looks_like_number(field.text) && !field.text.starts_with('\'') &&
            field.text.find(delimiter) != field.text.npos);
}

bool quotes_mean_text(std::span<const Record> records) {
    return !records.back().fields.back().quoted;
}

// Of one cell, half a number is far more likely mistyped than a name.
bool is_name_alone(const CsvField& field, bool quoted_text) {
    return cell_of(field, quoted_text) == Cell::name &&
           (field.quoted || !begins_as_number(field.text));
}

bool leads(std::span<const Record> rows, char delimiter, bool quoted_text) {
    std::ptrdiff_t names = 0, values = 0;
    for (const Record& record : rows) {
        const CsvField& field = record.fields.front();
        if (is_written_number(field, delimiter)) {
            ++values;
            continue;
        }
        const Cell cell = cell_of(field, quoted_text);
        const bool half = rows.size() == 1 && !is_name_alone(field, quoted_text);
        names += cell == Cell::name && !half;
        values += cell == Cell::value || half;
    }
    return names > values;
}

// Whether fields are from, from + 1, …, as programs number rows and columns without names.
template<class Fields>
bool count_up(const Fields& texts, std::size_t from) {
    for (const std::string_view text : texts)
        if (text != std::to_string(from++)) return false;
    return true;
}

std::vector<std::string_view> first_column(std::span<const Record> rows) {
    std::vector<std::string_view> texts;
    for (const Record& record : rows) texts.push_back(record.fields.front().text);
    return texts;
}

std::vector<std::string_view> after_first(const Record& record) {
    std::vector<std::string_view> texts;
    for (const CsvField& field : std::span(record.fields).subspan(1)) texts.push_back(field.text);
    return texts;
}

} // namespace

bool is_token_heading(std::string_view text) {
    return text.size() <= 6 && (lower_case(text) == "token" || lower_case(text) == "tokens");
}

bool names_lead(std::span<const Record> rows, const Dialect& dialect) {
    return leads(rows, dialect.delimiter, quotes_mean_text(rows));
}

std::optional<NamePlaces> find_names(std::span<const Record> sample, const Dialect& dialect,
                                     bool shortened) {
    const bool quoted_text = quotes_mean_text(sample);
    const Record& top = sample.front();
    const bool wide = top.fields.size() > 1;
    const auto names_from = [&](std::ptrdiff_t first) {
        return std::count_if(
            top.fields.begin() + first, top.fields.end(),
            [&](const CsvField& field) { return cell_of(field, quoted_text) == Cell::name; });
    };
    const auto headings = [&](std::ptrdiff_t first) {
        return 2 * names_from(first) > std::ssize(top.fields) - first;
    };
    const auto headings_alone = [&](std::ptrdiff_t first) {
        return headings(first) && (first + 1 < std::ssize(top.fields) ||
                                   is_name_alone(top.fields.back(), quoted_text));
    };
    const auto rows = sample.subspan(sample.size() > 1 ? 1 : 0);
    if (shortened) {
        const bool all = names_from(1) + 1 == std::ssize(top.fields);
        // Rows that are only numbered may be numbers that a decimal comma cut, or below a title.
        const bool numbered =
            dialect.delimiter != ',' && top.fields.size() > 2 && count_up(first_column(rows), 1);
        if (!all || !(dialect.words || numbered || leads(rows, dialect.delimiter, quoted_text)))
            return std::nullopt;
        return NamePlaces{true, true};
    }
    // An empty corner alone may be a forgotten number, and a token may be called "token": the
    // corner is a heading only beside headings.
    const CsvField& first = top.fields.front();
    const bool corner = wide && sample.size() > 1 && !first.quoted &&
                        (first.text.empty() || is_token_heading(first.text)) &&
                        (headings(1) || count_up(after_first(top), 0));
    const bool below = sample.size() > 1 && headings_alone(wide ? 1 : 0);
    NamePlaces places;
    places.token_column = corner || dialect.words ||
                          (wide && leads(below ? rows : sample, dialect.delimiter, quoted_text));
    places.header = corner || headings_alone(places.token_column ? 1 : 0);
    return places;
}

bool needs_apostrophe(std::string_view name) {
    name.remove_prefix(std::min(name.find_first_not_of('\''), name.size()));
    constexpr std::string_view k_formula = "=+-@\t\r";
    if (name.empty()) return false;
    return k_formula.find(name.front()) != k_formula.npos || is_dressed_number(name) ||
           (looks_like_number(name) && name.find_first_of(",;\t") != name.npos);
}

std::string name_of(const CsvField& field) {
    std::string_view name = field.text;
    if (field.quoted && name.starts_with('\'') && needs_apostrophe(name)) name.remove_prefix(1);
    return std::string(name);
}

} // namespace normscope
