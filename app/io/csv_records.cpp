#include "app/io/csv_records.h"

#include "app/io/text.h"
#include "app/language/language.h"

#include <algorithm>

namespace normscope {

bool Record::is_blank() const {
    return std::ranges::all_of(
        fields, [](const CsvField& field) { return field.text.empty() && !field.quoted; });
}

bool RecordReader::at_line_end() const {
    return at_ >= bytes_.size() || bytes_[at_] == '\n' || bytes_[at_] == '\r';
}

// Whether a field of the line after its first is meant as a number.
bool RecordReader::numbers_follow(std::string_view line) const {
    const char delimiter = dialect_.delimiter;
    if (delimiter == k_one_column) return false;
    for (std::size_t cut = line.find(delimiter); cut != line.npos; cut = line.find(delimiter)) {
        line.remove_prefix(cut + 1);
        const std::string_view text = trim(line.substr(0, line.find(delimiter)));
        if (looks_like_number(text) || begins_as_number(text)) return true;
    }
    return false;
}

// The place behind the comment's mark in this line; 0: the line is no comment.
std::size_t RecordReader::comment_mark() const {
    const std::size_t begin = bytes_.find_first_not_of(' ', at_);
    if (begin == bytes_.npos || bytes_[begin] == dialect_.delimiter) return 0;
    std::string_view line = bytes_.substr(begin);
    line = line.substr(0, line.find_first_of("\r\n"));
    const std::size_t mark = line.starts_with("//") ? 2 : line.find_first_of("#%;") == 0 ? 1 : 0;
    if (mark == 0) return 0;
    const std::string_view rest = line.substr(mark);
    const std::size_t words = rest.find_first_not_of(' ');
    bool comment = words == rest.npos;
    if (!comment && words > 0) {
        const bool named_row = dialect_.words || (began_ && !begins_as_number(rest.substr(words)));
        comment = rest[words] != dialect_.delimiter && !(named_row && numbers_follow(line));
    } else if (!comment)
        comment = !began_ && !numbers_follow(line) &&
                  !marks_no_value(line.substr(0, line.find(dialect_.delimiter)));
    return comment ? begin + mark : 0;
}

// Whether a field that begins with a quotation mark ends with one in the same line.
bool RecordReader::closes_in_line(std::size_t quote) const {
    std::string_view rest = bytes_.substr(quote + 1);
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    for (std::size_t i = rest.find('"'); i != rest.npos; i = rest.find('"', i + 2))
        if (rest.substr(i, 2) != "\"\"")
            return i + 1 == rest.size() || rest[i + 1] == dialect_.delimiter;
    return false;
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
        if (const std::size_t comment = comment_mark(); comment > 0) {
            if (!began_) comment_ = comment, comment_line_ = line_;
            skip_line();
            continue;
        }
        record.fields.clear();
        record.unescaped.clear();
        TRY(read_record(record));
        skip_line_end();
        if (record.fields.size() > 1 || !record.is_blank()) {
            began_ = true;
            return true;
        }
    }
    return false;
}

Result<void> RecordReader::read_record(Record& record) {
    if (dialect_.delimiter == k_spaces) skip(' ');
    for (;;) {
        record.fields.push_back(TRY(read_field(record)));
        if (dialect_.delimiter == k_spaces) skip(' ');
        if (at_line_end()) return {};
        if (dialect_.delimiter != k_spaces) ++at_; // the delimiter itself
    }
}

Result<CsvField> RecordReader::read_field(Record& record) {
    std::size_t first = at_;
    while (dialect_.delimiter != k_spaces && first < bytes_.size() && bytes_[first] == ' ') ++first;
    const bool quote = first < bytes_.size() && bytes_[first] == '"';
    if (quote && (!dialect_.words || closes_in_line(first))) {
        at_ = first;
        return read_quoted(record);
    }
    const std::size_t begin = at_;
    while (!at_line_end() &&
           (dialect_.delimiter == k_one_column || bytes_[at_] != dialect_.delimiter))
        ++at_;
    return CsvField{trim(bytes_.substr(begin, at_ - begin)), false, line_};
}

Result<CsvField> RecordReader::read_quoted(Record& record) {
    const std::size_t first_line = line_;
    const auto fail_here = [&](const std::string& why) {
        return fail("line {}, column {}: {}", first_line, record.fields.size() + 1, why);
    };
    const std::size_t begin = ++at_;
    bool doubled = false;
    for (;; ++at_) {
        if (at_ >= bytes_.size())
            return fail_here(
                worded("expected a closing quotation mark, found the end of the text"));
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
    const bool spaced = dialect_.delimiter == k_spaces && bytes_[at_ - 1] == ' ';
    if (!at_line_end() && !spaced && bytes_[at_] != dialect_.delimiter) {
        if (line_ != first_line) // far more likely one that was not closed than a text of lines
            return fail_here(worded(
                "expected a closing quotation mark in this line, found the next one in line {}",
                line_));
        return fail_here(
            worded("expected a delimiter or the end of the line after a closing quotation mark"));
    }
    return CsvField{text, true, first_line};
}

} // namespace normscope
