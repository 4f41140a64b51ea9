#include "app/io/csv_records.h"

#include "app/io/number.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr std::size_t k_sampled_records = 20;

struct Split {
    bool even = true;            // every record has equally many fields, and more than one
    bool ends_in_numbers = true; // below the first line
    std::size_t cuts = 0;
};

Split try_delimiter(std::string_view bytes, char delimiter) {
    RecordReader reader(bytes, delimiter);
    Record record;
    Split split;
    std::size_t width = 0;
    for (std::size_t i = 0; i < k_sampled_records; ++i) {
        const Result<bool> more = reader.next(record);
        if (!more) split.even = false;
        if (!more || !*more) break;
        if (i == 0) width = record.fields.size();
        split.even = split.even && record.fields.size() == width && width > 1;
        split.cuts += record.fields.size() - 1;
        if (i > 0 || width == 1) {
            split.ends_in_numbers =
                split.ends_in_numbers && looks_like_number(record.fields.back().text);
        }
    }
    split.even = split.even && width > 1;
    return split;
}

} // namespace

bool Record::is_blank() const {
    return std::all_of(fields.begin(), fields.end(),
                       [](const Field& field) { return field.text.empty() && !field.quoted; });
}

bool RecordReader::at_line_end() const {
    return at_ >= bytes_.size() || bytes_[at_] == '\n' || bytes_[at_] == '\r';
}

// Whether a field of this line after its first is meant as a number.
bool RecordReader::numbers_follow() const {
    std::string_view rest = bytes_.substr(at_);
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    if (delimiter_ == k_one_column) return false;
    for (std::size_t cut = rest.find(delimiter_); cut != rest.npos; cut = rest.find(delimiter_)) {
        rest.remove_prefix(cut + 1);
        const std::string_view text = trim(rest.substr(0, rest.find(delimiter_)));
        if (looks_like_number(text) || begins_as_number(text)) return true;
    }
    return false;
}

bool RecordReader::at_comment() const {
    const std::size_t mark = bytes_.find_first_not_of(' ', at_);
    if (mark == bytes_.npos || bytes_[mark] != '#') return false;
    const std::size_t next = mark + 1;
    if (next == bytes_.size() || bytes_[next] == '\n' || bytes_[next] == '\r') return true;
    return bytes_[next] == ' ' || (!began_ && !numbers_follow());
}

void RecordReader::skip_line() {
    at_ = std::min(bytes_.find_first_of("\r\n", at_), bytes_.size());
    skip_line_end();
}

void RecordReader::skip_line_end() {
    if (at_ >= bytes_.size()) return;
    at_ += bytes_.substr(at_, 2) == "\r\n" ? 2 : 1;
    ++line_;
}

void RecordReader::skip(char c) {
    while (at_ < bytes_.size() && bytes_[at_] == c) ++at_;
}

Result<bool> RecordReader::next(Record& record) {
    while (at_ < bytes_.size()) {
        if (at_comment()) {
            skip_line();
            continue;
        }
        record.fields.clear();
        record.unescaped.clear();
        if (Result<void> read = read_record(record); !read) {
            return tl::unexpected(std::move(read).error());
        }
        skip_line_end();
        if (record.fields.size() > 1 || !record.is_blank()) {
            began_ = true;
            return true;
        }
    }
    return false;
}

Result<void> RecordReader::read_record(Record& record) {
    if (delimiter_ == k_spaces) skip(' ');
    for (;;) {
        Result<Field> field = read_field(record);
        if (!field) return tl::unexpected(std::move(field).error());
        record.fields.push_back(*field);
        if (delimiter_ == k_spaces) skip(' ');
        if (at_line_end()) return {};
        if (delimiter_ != k_spaces) ++at_; // the delimiter itself
    }
}

Result<Field> RecordReader::read_field(Record& record) {
    std::size_t first = at_;
    while (delimiter_ != k_spaces && first < bytes_.size() && bytes_[first] == ' ') ++first;
    if (first < bytes_.size() && bytes_[first] == '"') {
        at_ = first;
        return read_quoted(record);
    }
    const std::size_t begin = at_;
    while (!at_line_end() && (delimiter_ == k_one_column || bytes_[at_] != delimiter_)) ++at_;
    return Field{trim(bytes_.substr(begin, at_ - begin)), false, line_};
}

Result<Field> RecordReader::read_quoted(Record& record) {
    const std::size_t first_line = line_;
    const auto fail_here = [&](const std::string& why) {
        return fail("line " + std::to_string(first_line) + ", column " +
                    std::to_string(record.fields.size() + 1) + ": " + why);
    };
    const std::size_t begin = ++at_;
    bool doubled = false;
    for (;; ++at_) {
        if (at_ >= bytes_.size()) {
            return fail_here("expected a closing quotation mark, found the end of the text");
        }
        const char c = bytes_[at_];
        if (c == '\n' || (c == '\r' && bytes_.substr(at_, 2) != "\r\n")) ++line_;
        if (c != '"') continue;
        if (bytes_.substr(at_, 2) != "\"\"") break;
        doubled = true;
        ++at_;
    }
    std::string_view text = bytes_.substr(begin, at_ - begin);
    ++at_;
    if (doubled) {
        std::string& plain = record.unescaped.emplace_back();
        for (std::size_t i = 0; i < text.size(); ++i) {
            plain += text[i];
            if (text[i] == '"') ++i;
        }
        text = plain;
    }
    skip(' ');
    const bool spaced = delimiter_ == k_spaces && bytes_[at_ - 1] == ' ';
    if (!at_line_end() && !spaced && bytes_[at_] != delimiter_) {
        if (line_ != first_line) // far more likely one that was not closed than a text of lines
            return fail_here(
                "expected a closing quotation mark in this line, found the next one in line " +
                std::to_string(line_));
        return fail_here(
            "expected a delimiter or the end of the line after a closing quotation mark");
    }
    return Field{text, true, first_line};
}

char detect_delimiter(std::string_view bytes) {
    char most = k_one_column;
    std::size_t most_cuts = 0;
    for (const char delimiter : {'\t', ';', ','}) {
        const Split split = try_delimiter(bytes, delimiter);
        if (split.even) return delimiter;
        if (split.cuts > most_cuts) {
            most = delimiter;
            most_cuts = split.cuts;
        }
    }
    if (most != k_one_column) return most;
    const Split spaces = try_delimiter(bytes, k_spaces);
    return spaces.even && spaces.ends_in_numbers ? k_spaces : k_one_column;
}

} // namespace normscope
