#include "app/io/csv.h"

#include "app/io/csv_records.h"
#include "app/io/limits.h"
#include "app/io/number.h"
#include "app/io/utf8.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace normscope {

namespace {

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t k_sampled_rows = 100;

std::string place(std::string_view name, std::size_t line) {
    return std::string(name) + ": line " + std::to_string(line);
}

std::string place(std::string_view name, std::size_t line, std::size_t column) {
    return place(name, line) + ", column " + std::to_string(column + 1);
}

tl::unexpected<Error> fail_after(std::string_view name, const Error& error) {
    return fail(std::string(name) + ": " + error.message);
}

Result<void> check_text(std::string_view bytes, std::string_view name) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
        return fail(std::string(name) + ": the text is UTF-16: expected UTF-8 (save it again as "
                                        "\"CSV UTF-8\").");
    }
    const std::size_t bad = std::min(find_invalid_utf8(bytes), bytes.find('\0'));
    if (bad == std::string_view::npos) return {};
    const auto line =
        std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    return fail(place(name, static_cast<std::size_t>(line) + 1) + ": byte " +
                std::to_string(bad + 1) + " of the file is not text: expected UTF-8.");
}

// What is where in the text.
struct Layout {
    char delimiter = ',';
    bool header = false;
    bool token_column = false;
    std::size_t rows = 0;       // records, the header among them
    std::size_t columns = 0;    // fields a record, the token column among them
    std::size_t first_line = 1; // of the first record
};

bool is_token_heading(std::string_view text) {
    if (text.size() > 6) return false;
    std::string lower(text);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower == "token" || lower == "tokens";
}

// Whether the fields after the first are 0, 1, 2, … as pandas numbers columns without names.
bool is_numbered(const Record& record) {
    for (std::size_t i = 1; i < record.fields.size(); ++i) {
        if (record.fields[i].text != std::to_string(i - 1)) return false;
    }
    return true;
}

// Names and values told apart by the first rows.
void detect_names(const std::vector<Record>& sample, Layout& layout) {
    const bool quotes_mean_text = !sample.back().fields.back().quoted;
    const auto is_name = [&](const Field& field) {
        return (field.quoted && quotes_mean_text) ||
               (!field.text.empty() && !looks_like_number(field.text));
    };
    const Record& top = sample.front();
    const bool wide = top.fields.size() > 1;
    // Of one cell, half a number is far more likely mistyped than a name.
    const auto is_name_alone = [&](const Field& field) {
        return is_name(field) && (field.quoted || !begins_as_number(field.text));
    };
    const auto headings = [&](std::ptrdiff_t first) {
        const auto names = std::count_if(top.fields.begin() + first, top.fields.end(), is_name);
        return 2 * names > std::ssize(top.fields) - first;
    };
    const auto headings_alone = [&](std::ptrdiff_t first) {
        return headings(first) &&
               (first + 1 < std::ssize(top.fields) || is_name_alone(top.fields.back()));
    };
    const std::ptrdiff_t body = sample.size() > 1 && headings_alone(wide ? 1 : 0) ? 1 : 0;
    const auto cells = std::ssize(sample) - body;
    const auto named_rows =
        std::count_if(sample.begin() + body, sample.end(), [&](const Record& record) {
            const Field& field = record.fields.front();
            // A number that was quoted only for the delimiter within it, or one with a currency.
            const bool number = (field.quoted && looks_like_number(field.text) &&
                                 field.text.find(layout.delimiter) != field.text.npos) ||
                                is_dressed_number(field.text);
            return !number && (cells == 1 ? is_name_alone(field) : is_name(field));
        });
    // An empty corner alone may be a forgotten number, and a token may be called "token": the
    // corner is a heading only beside headings.
    const Field& first = top.fields.front();
    const bool corner = wide && sample.size() > 1 && !first.quoted &&
                        (first.text.empty() || is_token_heading(first.text)) &&
                        (headings(1) || is_numbered(top));
    layout.token_column = corner || (wide && 2 * named_rows > cells);
    layout.header = corner || headings_alone(layout.token_column ? 1 : 0);
}

// Walks the whole text once: every record equally wide, the size within limits.
Result<Layout> survey(std::string_view bytes, std::string_view name) {
    Layout layout;
    layout.delimiter = detect_delimiter(bytes);
    RecordReader reader(bytes, layout.delimiter);
    std::vector<Record> sample;
    Record record;
    bool right_edge_empty = true;
    std::size_t count = 0;
    for (;; ++count) {
        const Result<bool> more = reader.next(record);
        if (!more) return fail_after(name, more.error());
        if (!*more) break;
        const std::size_t line = record.fields.front().line;
        if (count == 0) {
            layout.columns = record.fields.size();
            layout.first_line = line;
        } else if (record.fields.size() != layout.columns) {
            return fail(place(name, line) + " has " + std::to_string(record.fields.size()) +
                        (record.fields.size() == 1 ? " value" : " values") + ": expected " +
                        std::to_string(layout.columns) + ", as in line " +
                        std::to_string(layout.first_line) + ".");
        }
        if (record.is_blank()) continue;
        const Field& last = record.fields.back();
        right_edge_empty = right_edge_empty && last.text.empty() && !last.quoted;
        layout.rows = count + 1;
        // One more of each than values may have: a header and a column of names.
        if (Result<void> sized = check_size(name, count > 0 ? count : 1,
                                            layout.columns > 1 ? layout.columns - 1 : 1);
            !sized) {
            return tl::unexpected(std::move(sized).error());
        }
        if (sample.size() < k_sampled_rows) sample.push_back(std::move(record));
    }
    if (layout.rows == 0) {
        return fail(std::string(name) + ": the file is empty: expected rows of numbers.");
    }
    if (right_edge_empty && layout.columns > 1) {
        --layout.columns;
        for (Record& sampled : sample) sampled.fields.pop_back();
    }
    detect_names(sample, layout);
    return layout;
}

// What else to do than to correct a cell that was to be a number: it may have been meant as a name.
std::string way_out(const Field& field, const Layout& layout, std::size_t row, std::size_t column) {
    if (field.text.empty() || looks_like_number(field.text)) return {};
    if (layout.columns > 1 && column == 0)
        return ": correct it, or give every token a name in quotes";
    if (row == 0 && layout.columns == (layout.token_column ? 2 : 1))
        return ": correct it, or put it in quotes if it is the feature's name";
    return {};
}

Result<Table> read_values(std::string_view bytes, std::string_view name, const Layout& layout) {
    const std::size_t top = layout.header ? 1 : 0;
    const std::size_t left = layout.token_column ? 1 : 0;
    if (layout.rows == top || layout.columns == left) {
        return fail(place(name, layout.first_line) +
                    " has names but no numbers belong to them: expected rows of numbers.");
    }
    if (Result<void> sized = check_size(name, layout.rows - top, layout.columns - left); !sized) {
        return tl::unexpected(std::move(sized).error());
    }
    Table table;
    table.values.resize(static_cast<Index>(layout.rows - top),
                        static_cast<Index>(layout.columns - left));
    RecordReader reader(bytes, layout.delimiter);
    Record record;
    for (std::size_t row = 0; row < layout.rows; ++row) {
        if (const Result<bool> more = reader.next(record); !more) {
            return fail_after(name, more.error());
        }
        if (row >= top && layout.token_column) {
            table.token_names.emplace_back(record.fields.front().text);
        }
        for (std::size_t column = left; column < layout.columns; ++column) {
            const Field& field = record.fields[column];
            if (row < top) {
                table.feature_names.emplace_back(field.text);
                continue;
            }
            const Result<double> value = parse_number(field.text);
            if (!value) {
                return fail(place(name, field.line, column) + ": " + value.error().message +
                            way_out(field, layout, row, column) + ".");
            }
            table.values(static_cast<Index>(row - top), static_cast<Index>(column - left)) = *value;
        }
    }
    return table;
}

void append_name(std::string& out, std::string_view name, char delimiter) {
    const bool plain = !name.empty() && trim(name) == name && !looks_like_number(name) &&
                       !begins_as_number(name) && !is_token_heading(name) &&
                       !name.starts_with(k_byte_order_mark) && !name.starts_with('#') &&
                       name.find_first_of("\"\r\n\t,; ") == name.npos &&
                       name.find(delimiter) == name.npos;
    if (plain) {
        out += name;
        return;
    }
    out += '"';
    for (const char c : name) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

void append_value(std::string& out, double value, Digits digits) {
    if (digits == Digits::float32) {
        append_number(out, static_cast<float>(value));
    } else {
        append_number(out, value);
    }
}

} // namespace

Result<Table> read_csv(std::string_view bytes, std::string_view file_name) {
    if (Result<void> text = check_text(bytes, file_name); !text) {
        return tl::unexpected(std::move(text).error());
    }
    if (bytes.starts_with(k_byte_order_mark)) bytes.remove_prefix(k_byte_order_mark.size());
    Result<Layout> layout = survey(bytes, file_name);
    if (!layout) return tl::unexpected(std::move(layout).error());
    return read_values(bytes, file_name, *layout);
}

std::string write_csv(const Table& table, char delimiter, Digits digits) {
    std::string out;
    const bool has_tokens = !table.token_names.empty();
    if (!table.feature_names.empty()) {
        if (has_tokens) out += "token";
        for (std::size_t i = 0; i < table.feature_names.size(); ++i) {
            if (has_tokens || i > 0) out += delimiter;
            append_name(out, table.feature_names[i], delimiter);
        }
        out += '\n';
    }
    for (Index row = 0; row < table.values.rows(); ++row) {
        if (has_tokens)
            append_name(out, table.token_names[static_cast<std::size_t>(row)], delimiter);
        for (Index column = 0; column < table.values.cols(); ++column) {
            if (has_tokens || column > 0) out += delimiter;
            append_value(out, table.values(row, column), digits);
        }
        out += '\n';
    }
    return out;
}

Result<Table> parse_block(std::string_view text) {
    return read_csv(text, "The pasted text");
}

std::string format_block(const Matrix<double>& values, Digits digits) {
    return write_csv(Table{values, {}, {}}, '\t', digits);
}

} // namespace normscope
