#include "app/io/csv.h"
#include "app/io/csv_records.h"
#include "app/io/number.h"
#include "app/io/utf8.h"

namespace normscope {

namespace {

// Whether nothing else than this name could be read from it as it stands.
bool is_plain(std::string_view name, char delimiter) {
    return !name.empty() && trim(name) == name && !looks_like_number(name) &&
           !begins_as_number(name) && !marks_no_value(name) && !is_token_heading(name) &&
           !needs_apostrophe(name) && !name.starts_with(k_byte_order_mark) &&
           !name.starts_with('#') && !name.starts_with("sep=") &&
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

Result<std::string> write_csv(const Table& table, char delimiter, Digits digits,
                              const Progress& progress) {
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
    const Index rows = table.values.rows();
    for (Index row = 0; row < rows; ++row) {
        const double share = static_cast<double>(row) / static_cast<double>(rows);
        if (const auto go_on = progress.at(share); !go_on) return tl::unexpected(go_on.error());
        if (has_tokens)
            append_name(out, table.token_names[static_cast<std::size_t>(row)], delimiter);
        for (Index column = 0; column < table.values.cols(); ++column) {
            if (has_tokens || column > 0) out += delimiter;
            const double value = table.values(row, column);
            if (digits == Digits::float32)
                append_number(out, static_cast<float>(value));
            else
                append_number(out, value);
        }
        out += '\n';
    }
    return out;
}

} // namespace normscope
