#include "app/io/csv_records.h"

#include "app/io/text.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

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
    bool some_numbers = false;    // there each line has one
    std::size_t cuts = 0;
};

bool is_number(const CsvField& field) {
    return parse_number(field.text).has_value();
}

bool are_numbers(const Record& record) {
    return std::all_of(record.fields.begin() + 1, record.fields.end(), is_number);
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
    split.ends_in_numbers = split.numbers = split.some_numbers = true;
    for (const auto i : indices(split.records)) {
        const Record& record = split.records[i];
        const std::size_t fields = record.fields.size();
        split.even &= fields == split.width || (i < top && fields + 1 == split.width);
        if (i < top) continue;
        split.ends_in_numbers &= looks_like_number(record.fields.back().text);
        split.numbers &= are_numbers(record);
        split.some_numbers &= std::ranges::any_of(record.fields, is_number);
    }
    return split;
}

// "400000 300": how many rows follow, and how many numbers each has.
std::optional<std::size_t> announced_width(const Record& record) {
    if (record.fields.size() != 2 || !whole_number(record.fields[0].text)) return std::nullopt;
    return whole_number(record.fields[1].text);
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

// Whether a lone cell is a name: half a number is far more likely a mistyped number.
bool is_name_alone(const CsvField& field, bool quoted_text) {
    return cell_of(field, quoted_text) == Cell::name &&
           (field.quoted || !begins_as_number(field.text));
}

// Whether the first fields of `rows` are names rather than values.
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
    const auto rows = std::span<const Record>(split.records).subspan(heading ? 1 : 0);
    return leads(rows, delimiter, quotes_mean_text(rows)) ? std::optional(dialect) : std::nullopt;
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

// The texts of the fields from `first` on.
std::vector<std::string_view> texts_from(const Record& record, std::size_t first) {
    std::vector<std::string_view> texts;
    for (const CsvField& field : std::span(record.fields).subspan(first))
        texts.push_back(field.text);
    return texts;
}

// Whether a number is written as in a column of fractions: with a point or an exponent, or NaN.
bool is_fraction(const CsvField& field) {
    return field.text.find_first_of(".eEnN") != field.text.npos;
}

// Whether the first record is a heading where it counts from 0 on, as far as that can be told.
void take_counted_heading(NamePlaces& places, std::span<const Record> sample) {
    const Record& top = sample.front();
    const auto rows = sample.subspan(1);
    const std::size_t first = places.token_column ? 1 : 0;
    if (places.header || top.fields.size() < first + 2 || !count_up(texts_from(top, first), 0))
        return;
    bool fractions = false, mixed = false;
    for (std::size_t c = first; c < top.fields.size(); ++c) {
        const auto written = std::ranges::count_if(
            rows, [&](const Record& row) { return is_fraction(row.fields[c]); });
        fractions |= written > 0;
        mixed |= written > 0 && written < std::ssize(rows);
    }
    // In two columns, 0, 1 may be the first point of a curve.
    const std::size_t columns = top.fields.size() - first;
    places.header = columns > 2 && fractions && !mixed && rows.size() >= 3;
    // Among whole numbers, 0, 1 is a row like any other, and so is 0, 1, 2 above 3, 4, 5.
    const bool whole = columns == 2 || count_up(texts_from(rows.front(), first), columns);
    places.doubtful = !places.header && (fractions || !whole);
}

// Whether no other field of the column has the first field's text: a heading is there once.
bool is_once(std::span<const Record> sample, std::size_t column) {
    const std::string_view top = sample.front().fields[column].text;
    return std::ranges::none_of(
        sample.subspan(1), [&](const Record& record) { return record.fields[column].text == top; });
}

// Whether the column has more different texts than half of the rows.
bool mostly_differ(std::span<const Record> rows, std::size_t column) {
    std::vector<std::string_view> texts;
    for (const Record& record : rows) texts.push_back(record.fields[column].text);
    std::ranges::sort(texts);
    return 2 * std::ranges::distance(texts.begin(), std::ranges::unique(texts).begin()) >
           std::ssize(texts);
}

std::ptrdiff_t word_count(std::span<const Record> rows, std::size_t column) {
    return std::ranges::count_if(rows, [&](const Record& record) {
        return cell_of(record.fields[column], false) == Cell::name;
    });
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
    if (spaces.even && spaces.clean && spaces.some_numbers && most_cuts == 0) return {k_spaces};
    return {most};
}

bool is_token_heading(std::string_view text) {
    return text.size() <= 6 && (lower_case(text) == "token" || lower_case(text) == "tokens");
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
                        (headings(1) || count_up(texts_from(top, 1), 0));
    const bool below = sample.size() > 1 && headings_alone(wide ? 1 : 0);
    NamePlaces places;
    places.token_column = corner || dialect.words ||
                          (wide && leads(below ? rows : sample, dialect.delimiter, quoted_text));
    places.header = corner || headings_alone(places.token_column ? 1 : 0);
    if (sample.size() > 1) take_counted_heading(places, sample);
    return places;
}

bool is_class_heading(std::string_view text) {
    constexpr std::string_view k_headings[] = {"class",   "classes", "label",    "labels", "target",
                                               "targets", "species", "category", "y"};
    return find_in(k_headings, lower_case(trim(text)));
}

std::optional<NamePlaces> find_columns(std::span<const Record> sample, const Dialect& dialect,
                                       bool shortened, std::string_view classes) {
    const Record& top = sample.front();
    const auto rows = sample.subspan(sample.size() > 1 ? 1 : 0);
    const auto is_class = [&](const CsvField& field) {
        return !looks_like_number(field.text) &&
               (field.text == classes || is_class_heading(field.text));
    };
    bool headed = false, word_heads = false; // the first record is a heading; may be one
    std::vector<std::size_t> words;
    for (const auto c : indices(top.fields)) {
        const CsvField& heading = top.fields[c];
        const bool once = sample.size() > 1 && is_once(sample, c);
        const bool of_classes = once && is_class(heading);
        const std::ptrdiff_t found = word_count(rows, c);
        headed |= of_classes;
        if (2 * found <= std::ssize(rows) && !(of_classes && found > 0)) continue;
        const bool names =
            c == 0 && !of_classes &&
            (heading.text.empty() || is_token_heading(heading.text) || mostly_differ(rows, c));
        if (names) continue;
        words.push_back(c);
        word_heads |= once;
    }
    std::vector<Record> numbers(sample.size());
    for (const auto i : indices(sample))
        for (const auto c : indices(sample[i].fields))
            if (!std::ranges::binary_search(words, c))
                numbers[i].fields.push_back(sample[i].fields[c]);
    NamePlaces places;
    if (const Record& first = numbers.front(); !first.fields.empty()) {
        const auto found = find_names(numbers, {dialect.delimiter}, shortened);
        if (!found) return std::nullopt;
        places = *found;
        places.token_column &= words.empty() || words.front() > 0;
        headed |= word_heads && count_up(texts_from(first, places.token_column ? 1 : 0), 0);
    }
    places.header |= headed;
    places.doubtful &= !headed;
    places.quoted_words =
        !std::ranges::all_of(sample.back().fields, [](const CsvField& f) { return f.quoted; });
    places.words = std::move(words);
    return places;
}

Dialect with_names_in_comment(std::string_view bytes, const Dialect& dialect) {
    RecordReader reader(bytes, dialect);
    Record first, names;
    if (const auto more = reader.next(first); !more || !*more || reader.comment() == 0)
        return dialect;
    Dialect out = dialect;
    out.begin = reader.comment();
    out.line = reader.comment_line();
    const auto read = RecordReader(bytes, out).next(names);
    const auto is_name = [](const CsvField& f) { return cell_of(f, false) == Cell::name; };
    const bool heads =
        read && *read && first.fields.size() > 1 && names.fields.size() == first.fields.size() &&
        std::ranges::all_of(names.fields, is_name) && !std::ranges::all_of(first.fields, is_name);
    return heads ? out : dialect;
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
