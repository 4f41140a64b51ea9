#include "app/io/csv_records.h"

#include "app/io/number.h"

#include <algorithm>
#include <optional>
#include <string>

namespace normscope {

namespace {

constexpr std::size_t k_sampled_records = 20;
constexpr std::string_view k_separator_mark = "sep=";

struct Split {
    std::vector<Record> records;
    std::size_t width = 0; // fields of the second record, or of the only one
    bool even = false;     // every record has as many, the first one may have one less
    bool clean = true;
    bool ends_in_numbers = false; // below the first line
    bool numbers = false;         // below the first line all but the first field are
    std::size_t cuts = 0;
};

bool are_numbers(const Record& record) {
    return std::all_of(record.fields.begin() + 1, record.fields.end(),
                       [](const CsvField& field) { return parse_number(field.text).has_value(); });
}

// No quotation mark within a field that is not quoted.
bool is_clean(const Record& record) {
    return std::ranges::all_of(record.fields, [](const CsvField& field) {
        return field.quoted || field.text.find('"') == field.text.npos;
    });
}

Split try_dialect(std::string_view bytes, const Dialect& dialect) {
    RecordReader reader(bytes, dialect);
    Split split;
    bool readable = true;
    while (readable && split.records.size() < k_sampled_records) {
        Record record;
        const Result<bool> more = reader.next(record);
        readable = more.has_value();
        if (!readable || !*more) break;
        split.cuts += record.fields.size() - 1;
        split.clean &= is_clean(record);
        split.records.push_back(std::move(record));
    }
    if (split.records.empty()) return split;
    const std::size_t top = split.records.size() > 1 ? 1 : 0;
    split.width = split.records[top].fields.size();
    split.even = readable && split.width > 1;
    split.ends_in_numbers = split.numbers = true;
    for (std::size_t i = 0; i < split.records.size(); ++i) {
        const Record& record = split.records[i];
        const std::size_t fields = record.fields.size();
        split.even &= fields == split.width || (i < top && fields + 1 == split.width);
        if (i < top) continue;
        split.ends_in_numbers &= looks_like_number(record.fields.back().text);
        split.numbers &= are_numbers(record);
    }
    return split;
}

std::optional<std::size_t> whole_number(std::string_view text) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos)
        return std::nullopt;
    return std::stoul(std::string(text));
}

// "400000 300": how many rows follow, and how many numbers each has.
std::optional<std::size_t> announced_width(const Record& record) {
    if (record.fields.size() != 2 || !whole_number(record.fields[0].text)) return std::nullopt;
    return whole_number(record.fields[1].text);
}

// Lines of a word and at least `least` numbers.
std::optional<Dialect> try_words(std::string_view bytes, char delimiter, std::size_t least) {
    Dialect dialect{.delimiter = delimiter, .words = true};
    RecordReader reader(bytes, dialect);
    Record first;
    if (const Result<bool> more = reader.next(first); !more || !*more) return std::nullopt;
    const Dialect below{delimiter, true, reader.at(), reader.line()};
    if (const auto announced = announced_width(first)) {
        const Split split = try_dialect(bytes, below);
        const bool all = !split.records.empty() && are_numbers(split.records.front());
        if (split.even && split.numbers && all && split.width == *announced + 1 &&
            split.records.front().fields.size() == split.width && split.width > 2)
            return below;
    }
    const Split split = try_dialect(bytes, dialect);
    if (!split.even || !split.numbers || split.width <= least) return std::nullopt;
    const bool heading =
        split.records.size() > 1 &&
        (split.records.front().fields.size() < split.width || !are_numbers(split.records.front()));
    if (heading && !is_clean(split.records.front())) return std::nullopt; // a quote that goes on
    if (names_lead(std::span(split.records).subspan(heading ? 1 : 0), dialect)) return dialect;
    return std::nullopt;
}

bool is_line_end(std::string_view bytes, std::size_t at) {
    return at >= bytes.size() || bytes[at] == '\n' || bytes[at] == '\r';
}

std::optional<Dialect> announced_dialect(std::string_view bytes) {
    const std::size_t mark = k_separator_mark.size();
    if (!bytes.starts_with(k_separator_mark) || is_line_end(bytes, mark) || bytes[mark] == '"' ||
        !is_line_end(bytes, mark + 1))
        return std::nullopt;
    const std::size_t end = bytes.substr(mark + 1, 2) == "\r\n" ? 2 : 1;
    return Dialect{bytes[mark], false, std::min(mark + 1 + end, bytes.size()), 2};
}

} // namespace

Dialect detect_dialect(std::string_view bytes) {
    if (const auto announced = announced_dialect(bytes)) return *announced;
    for (const char delimiter : {';', ','}) {
        const Split split = try_dialect(bytes, {delimiter});
        if (split.even && split.clean && split.numbers) return {delimiter};
    }
    if (const auto words = try_words(bytes, '\t', 1)) return *words;
    if (const auto words = try_words(bytes, k_spaces, 2)) return *words;
    constexpr std::string_view k_delimiters = "\t;,";
    char even = k_one_column;
    char most = k_one_column;
    std::size_t most_cuts = 0;
    for (const char delimiter : k_delimiters) {
        const Split split = try_dialect(bytes, {delimiter});
        if (split.even && split.clean) return {delimiter};
        if (split.even && even == k_one_column) even = delimiter;
        if (split.cuts > most_cuts) {
            most = delimiter;
            most_cuts = split.cuts;
        }
    }
    if (even != k_one_column) return {even};
    if (const auto words = try_words(bytes, k_spaces, 1)) return *words;
    const Split spaces = try_dialect(bytes, {k_spaces});
    const bool uneven_rows = most == k_one_column && spaces.width > 1;
    if (spaces.ends_in_numbers && (spaces.even || uneven_rows)) return {k_spaces};
    return {most};
}

} // namespace normscope
