#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The grammar of delimited text (RFC 4180, with any of \n, \r\n, \r as line end): bytes to fields.
namespace normscope {

struct CsvField {
    std::string_view text; // trimmed unless quoted; valid as long as its record and the bytes are
    bool quoted = false;
    std::size_t line = 0; // from 1: where the field begins
};

// Moves only: a copy's fields would still point into the original's texts.
struct Record {
    Record() = default;
    Record(Record&&) noexcept = default;
    Record& operator=(Record&&) noexcept = default;

    std::vector<CsvField> fields;
    std::list<std::string> unescaped; // texts of fields that held a doubled quote

    bool is_blank() const; // no field has text
};

inline constexpr char k_one_column = '\0'; // nothing separates fields: each line is one
inline constexpr char k_spaces = ' ';      // runs of spaces do

// How a text is cut into records.
struct Dialect {
    char delimiter = ',';
    // Each line is a word and its numbers, as embeddings are written. The word may be anything: a
    // quotation mark that is not closed in its line is a part of it, and so is a #.
    bool words = false;
    std::size_t begin = 0; // of the first record, in bytes
    std::size_t line = 1;  // that one's
};

class RecordReader {
  public:
    // `bytes` must outlive the reader and its records.
    RecordReader(std::string_view bytes, const Dialect& dialect, Progress progress = {})
        : bytes_(bytes), dialect_(dialect), progress_(std::move(progress)), at_(dialect.begin),
          line_(dialect.line) {}

    // The next record, empty lines and comments left out; false at the end. A line is a comment
    // where it begins, unquoted, with # and a space or nothing after it. Before the first record #
    // is enough, as in "#x,y", unless numbers follow: a token may be called "##ing". "#N/A" begins
    // none. The error of a misplaced or unclosed quote begins with its line: `line 3: …`.
    Result<bool> next(Record& record);

    // Where the next record is looked for.
    std::size_t at() const { return at_; }
    std::size_t line() const { return line_; }

  private:
    Result<void> read_record(Record& record);
    Result<CsvField> read_field(Record& record);
    Result<CsvField> read_quoted(Record& record);
    bool at_line_end() const;
    bool at_comment() const;
    bool numbers_follow(std::string_view line) const;
    bool closes_in_line(std::size_t quote) const;
    void skip_line();
    void skip_line_end();
    void skip(char c);

    std::string_view bytes_;
    Dialect dialect_;
    Progress progress_;
    std::size_t at_;
    std::size_t line_;
    bool began_ = false; // a record was read
};

} // namespace normscope
