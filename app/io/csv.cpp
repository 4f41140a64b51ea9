#include "app/io/csv.h"

#include "app/io/csv_records.h"
#include "app/io/load.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr std::size_t k_sampled_rows = 100;

std::string place(std::string_view name, std::size_t line) {
    return worded("{}: line {}", std::string(name), line);
}

std::string place(std::string_view name, std::size_t line, std::size_t column) {
    return worded("{}: line {}, column {}", std::string(name), line, column + 1);
}

tl::unexpected<Error> fail_after(std::string_view name, const Error& error) {
    return fail("{}: {}", std::string(name), error);
}

// An empty field in front of a heading that names the columns after the first.
void add_corner(Record& record) {
    record.fields.insert(record.fields.begin(), CsvField{{}, false, record.fields.front().line});
}

Result<void> check_text(std::string_view bytes, std::string_view name) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        return fail("{}: the text is UTF-16: expected UTF-8 (save it again as \"CSV UTF-8\").",
                    std::string(name));
    const std::size_t bad = std::min(find_invalid_utf8(bytes), bytes.find('\0'));
    if (bad == std::string_view::npos) return {};
    const auto line =
        std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    return fail("{}: byte {} of the file is not text: expected UTF-8.",
                place(name, static_cast<std::size_t>(line) + 1), bad + 1);
}

// The form of the text, and the places of its names and values.
struct Layout {
    Dialect dialect;
    NamePlaces names;
    bool shortened = false;    // the heading has no field above the first column
    std::size_t rows = 0;      // records, the header among them
    std::size_t columns = 0;   // fields a record, the token column among them
    std::size_t even_line = 1; // of the first record that has as many
};

// Walks the whole text once: every record equally wide, the size within limits.
Result<Layout> survey(std::string_view bytes, std::string_view name,
                      const std::optional<std::string>& classes) {
    Layout layout;
    layout.dialect = with_names_in_comment(bytes, detect_dialect(bytes));
    RecordReader reader(bytes, layout.dialect);
    std::vector<Record> sample;
    Record record;
    bool right_edge_empty = true;
    const auto fail_ragged = [&](std::size_t line, std::size_t fields, std::size_t expected) {
        return fail(fields == 1 ? worded("{} has {} value: expected {}, as in line {}.",
                                         place(name, line), fields, expected, layout.even_line)
                                : worded("{} has {} values: expected {}, as in line {}.",
                                         place(name, line), fields, expected, layout.even_line));
    };
    std::size_t second_line = 0;
    for (std::size_t count = 0;; ++count) {
        const Result<bool> more = reader.next(record);
        if (!more) return fail_after(name, more.error());
        if (!*more) break;
        const std::size_t line = record.fields.front().line;
        const std::size_t fields = record.fields.size();
        if (count == 0) {
            layout.columns = fields;
            layout.even_line = line;
        } else if (count == 1 && fields == layout.columns + 1 && !sample.empty()) {
            layout.shortened = true;
            layout.columns = fields;
            second_line = line;
        } else if (fields != layout.columns) {
            if (layout.shortened) layout.even_line = second_line;
            return fail_ragged(line, fields, layout.columns);
        }
        if (record.is_blank()) continue;
        const CsvField& last = record.fields.back();
        right_edge_empty = right_edge_empty && last.text.empty() && !last.quoted;
        layout.rows = count + 1;
        // A header adds a row to those of values, and a column of names adds a column.
        TRY(check_size(name, count > 0 ? count : 1, layout.columns > 1 ? layout.columns - 1 : 1));
        if (sample.size() < k_sampled_rows) sample.push_back(std::move(record));
    }
    if (layout.rows == 0)
        return fail("{}: the file is empty: expected rows of numbers.", std::string(name));
    if (layout.shortened) {
        add_corner(sample.front());
    } else if (right_edge_empty && layout.columns > 1) {
        --layout.columns;
        for (Record& sampled : sample) sampled.fields.pop_back();
    }
    auto names = classes ? find_columns(sample, layout.dialect, layout.shortened, *classes)
                         : find_names(sample, layout.dialect, layout.shortened);
    if (!names) return fail_ragged(second_line, layout.columns, layout.columns - 1);
    layout.names = std::move(*names);
    if (layout.names.doubtful)
        return fail("{}: line {} counts 0, 1, … and may be headings or values: write names "
                    "into it, or 0.0 for its 0 if it has values",
                    std::string(name), sample.front().fields.front().line);
    return layout;
}

// The advice to correct a cell that is no number, or to quote it as a name; empty: no name may
// stand there.
std::string way_out(const CsvField& field, const Layout& layout, std::size_t row,
                    std::size_t column) {
    if (field.text.empty() || looks_like_number(field.text)) return {};
    if (layout.columns > 1 && column == 0)
        return worded("correct it, or give every token a name in quotes");
    if (row == 0 && layout.columns == (layout.names.token_column ? 2 : 1))
        return worded("correct it, or put it in quotes if it is the feature's name");
    return {};
}

bool is_missing(const CsvField& field, bool quoted_words) {
    if (field.quoted && quoted_words) return false;
    const auto number = parse_number(field.text);
    return field.text.empty() || marks_no_value(field.text) || (number && std::isnan(*number));
}

// The words of a column and the numbers that stand for them in it so far.
using NumberedWords = std::map<std::string, double>;

// Numbers the column by the order of its words, which it returns.
std::vector<std::string> put_in_order(const NumberedWords& words, Matrix<double>::ColXpr column) {
    std::vector<std::string> names;
    std::vector<double> places(words.size());
    for (const auto& [word, number] : words) {
        entry_at(places, number) = static_cast<double>(names.size());
        names.push_back(word);
    }
    for (double& value : column) value = entry_at(places, value);
    return names;
}

Result<Table> read_values(std::string_view bytes, std::string_view name, const Layout& layout) {
    const std::size_t top = layout.names.header ? 1 : 0;
    const std::size_t left = layout.names.token_column ? 1 : 0;
    if (layout.rows == top || layout.columns == left)
        return fail("{} has names but no numbers belong to them: expected rows of numbers.",
                    place(name, layout.even_line));
    TRY(check_size(name, layout.rows - top, layout.columns - left));
    Table table;
    table.values.resize(static_cast<Index>(layout.rows - top),
                        static_cast<Index>(layout.columns - left));
    RecordReader reader(bytes, layout.dialect);
    Record record;
    std::map<std::size_t, NumberedWords> words; // by column
    for (const std::size_t column : layout.names.words) words[column];
    for (std::size_t row = 0; row < layout.rows; ++row) {
        if (const Result<bool> more = reader.next(record); !more)
            return fail_after(name, more.error());
        if (row == 0 && layout.shortened) add_corner(record);
        if (row >= top && layout.names.token_column)
            table.token_names.push_back(name_of(record.fields.front()));
        for (std::size_t column = left; column < layout.columns; ++column) {
            const CsvField& field = record.fields[column];
            if (row < top) {
                table.feature_names.push_back(name_of(field));
                continue;
            }
            double& into =
                table.values(static_cast<Index>(row - top), static_cast<Index>(column - left));
            if (const auto at = words.find(column); at != words.end()) {
                if (is_missing(field, layout.names.quoted_words))
                    return fail("{} has no class ({}): write one, or put it in quotes if it is one",
                                place(name, field.line, column), quote_for_message(field.text));
                const auto next = static_cast<double>(at->second.size());
                into = at->second.try_emplace(name_of(field), next).first->second;
                continue;
            }
            const Result<double> value = parse_number(field.text);
            if (!value) {
                const std::string at = place(name, field.line, column);
                const std::string problem = marks_no_value(field.text)
                                                ? worded("{} has no value ({}): expected a number",
                                                         at, quote_for_message(field.text))
                                                : at + ": " + error_text(value.error());
                const std::string correction = way_out(field, layout, row, column);
                return fail(problem + (correction.empty() ? "" : ": ") + correction + ".");
            }
            into = *value;
        }
    }
    for (const auto& [column, of_column] : words) {
        const auto own = static_cast<Index>(column - left);
        table.words[own] = put_in_order(of_column, table.values.col(own));
    }
    return table;
}

// Refuses text without tabs in which every comma may stand within a number.
Result<void> check_commas(std::string_view text, std::string_view name) {
    constexpr std::string_view k_between = " \r\n";
    if (text.find('\t') != text.npos) return {};
    std::string_view doubtful;
    for (std::string_view rest = text; !rest.empty();) {
        rest.remove_prefix(std::min(rest.find_first_not_of(k_between), rest.size()));
        const std::string_view word = rest.substr(0, rest.find_first_of(k_between));
        rest.remove_prefix(word.size());
        if (word.find(',') == word.npos) continue;
        if (word.ends_with(',') || !is_comma_number(word)) return {}; // a delimiter
        if (doubtful.empty()) doubtful = word;
    }
    if (doubtful.empty()) return {};
    const auto line = std::count(text.data(), doubtful.data(), '\n');
    return fail("{}: {} may be one number with a decimal comma or two numbers: write a "
                "decimal point, or put a tab between two numbers.",
                place(name, static_cast<std::size_t>(line) + 1), quote_for_message(doubtful));
}

// Whether nothing else than this name could be read from it as it stands.
bool is_plain(std::string_view name, char delimiter) {
    return !name.empty() && trim(name) == name && !looks_like_number(name) &&
           !begins_as_number(name) && !marks_no_value(name) && !is_token_heading(name) &&
           !needs_apostrophe(name) && !name.starts_with(k_byte_order_mark) &&
           name.find_first_of("#%/") != 0 && !name.starts_with("sep=") &&
           name.find_first_of("\"\r\n\t,; ") == name.npos && name.find(delimiter) == name.npos;
}

void append_name(std::string& out, std::string_view name, char delimiter) {
    if (is_plain(name, delimiter)) {
        out += name;
        return;
    }
    out += '"';
    if (needs_apostrophe(name)) out += '\'';
    for (const char c : name) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

} // namespace

Result<Table> read_csv(std::string_view bytes, std::string_view file_name,
                       const std::optional<std::string>& classes) {
    TRY(check_text(bytes, file_name));
    if (bytes.starts_with(k_byte_order_mark)) bytes.remove_prefix(k_byte_order_mark.size());
    return read_values(bytes, file_name, TRY(survey(bytes, file_name, classes)));
}

Result<Table> parse_block(std::string_view text) {
    constexpr std::string_view k_name = "The pasted text";
    TRY(check_commas(text, k_name));
    if (const std::string kind = printed_kind(text); !kind.empty())
        return fail("{}: {}.", std::string(k_name), kind);
    return read_csv(text, k_name);
}

std::string write_csv(const Table& table, char delimiter, Digits digits) {
    std::string out;
    const bool has_tokens = !table.token_names.empty();
    if (!table.feature_names.empty()) {
        if (has_tokens) out += "token";
        for (const auto i : indices(table.feature_names)) {
            if (has_tokens || i > 0) out += delimiter;
            append_name(out, table.feature_names[i], delimiter);
        }
        out += '\n';
    }
    for (Index row = 0; row < table.values.rows(); ++row) {
        if (has_tokens) append_name(out, entry_at(table.token_names, row), delimiter);
        for (Index column = 0; column < table.values.cols(); ++column) {
            if (has_tokens || column > 0) out += delimiter;
            const double value = table.values(row, column);
            // Else the line would count 0, 1, … as a heading does.
            const bool counts = row == 0 && column == 0 && table.values.cols() > 1 && value == 0 &&
                                table.values(0, 1) == 1 && table.feature_names.empty();
            if (counts && !std::signbit(value))
                out += "0.0";
            else if (digits == Digits::float32)
                append_number(out, static_cast<float>(value));
            else
                append_number(out, value);
        }
        out += '\n';
    }
    return out;
}

} // namespace normscope
