#pragma once
#include "core/base/result.h"

#include <cstddef>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The grammar of delimited text (RFC 4180, with any of \n, \r\n, \r as line end): bytes to fields;
// how it is cut; names and values told apart, and names as they are written.
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
    RecordReader(std::string_view bytes, const Dialect& dialect)
        : bytes_(bytes), dialect_(dialect), at_(dialect.begin), line_(dialect.line) {}

    // The next record, empty lines and comments left out; false at the end. A line is a comment
    // where it begins, unquoted, with #, %, // or ; and a space or nothing after it. Before the
    // first record the mark is enough, as in "#x,y", unless numbers follow: a token may be called
    // "##ing". "#N/A" begins none, nor does the delimiter, nor a mark that is a field of its own.
    // The error of a misplaced or unclosed quote begins with its line: `line 3: …`.
    Result<bool> next(Record& record);

    // The place and the line where the search for the next record begins.
    std::size_t at() const { return at_; }
    std::size_t line() const { return line_; }
    // The place behind the mark of the last comment above the first record; 0: there is no comment.
    std::size_t comment() const { return comment_; }
    std::size_t comment_line() const { return comment_line_; }

  private:
    Result<void> read_record(Record& record);
    Result<CsvField> read_field(Record& record);
    Result<CsvField> read_quoted(Record& record);
    bool at_line_end() const;
    std::size_t comment_mark() const;
    bool numbers_follow(std::string_view line) const;
    bool closes_in_line(std::size_t quote) const;
    void skip_line();
    void skip_line_end();
    void skip(char c);

    std::string_view bytes_;
    Dialect dialect_;
    std::size_t at_;
    std::size_t line_;
    std::size_t comment_ = 0, comment_line_ = 0;
    bool began_ = false; // a record was read
};

// How `bytes` are cut into records. A first line "sep=;", as Excel writes it, says the delimiter.
// Otherwise it is, by the first lines,
//   1. semicolon or comma that cuts them evenly with numbers behind it,
//   2. tabs or spaces that cut each into a word and numbers: a line "rows columns" above them, as
//      word2vec writes it, is passed over,
//   3. tab, semicolon or comma that cuts them evenly,
//   4. spaces that cut them evenly with a number at the end, or anywhere in each where nothing else
//      cuts them,
//   5. whichever of tab, semicolon and comma cuts most.
// The first line may have a field less than the others: a heading without a corner.
Dialect detect_dialect(std::string_view bytes);

// The dialect that begins with the names of the columns where these stand in the last comment above
// the first record, as in "# x y": as many as that has fields, two or more, no numbers among them,
// and numbers in the record.
Dialect with_names_in_comment(std::string_view bytes, const Dialect& dialect);

// The places of a table's names, and its columns of words.
struct NamePlaces {
    bool header = false;       // the first record
    bool token_column = false; // the first field of each
    // The first record counts 0, 1, 2, … and may be values as well as headings without names.
    bool doubtful = false;
    std::vector<std::size_t> words = {}; // columns of words
    bool quoted_words = false; // not everything is quoted: what is quoted is meant as a word
};

// The places of the names, told from the first records, which are all equally wide. NA and its like
// stand for values, but beside names they may be names. A first record 0, 1, 2, … is a heading, as
// pandas writes it, where no column mixes whole numbers with others below it, some columns have
// decimal points throughout, and three lines or more follow. None: `shortened`, a first record that
// had a field less than the others and was given an empty one in front, is no heading.
std::optional<NamePlaces> find_names(std::span<const Record> sample, const Dialect& dialect,
                                     bool shortened);

// find_names() for a table with columns of words: the columns that have more words than numbers,
// and the column of the classes, called `classes` or as is_class_heading() says, if it has any
// words. A first column of words names the tokens if its heading is empty or "token", or if most of
// its words differ, unless it is the classes'.
std::optional<NamePlaces> find_columns(std::span<const Record> sample, const Dialect& dialect,
                                       bool shortened, std::string_view classes);

// "class", "label", "target", "species" and their like, in any case.
bool is_class_heading(std::string_view text);

bool is_token_heading(std::string_view text); // "token", in any case

// A name as a field holds it. In quotation marks an apostrophe may stand in front that hides the
// name from a spreadsheet, which would take it for a formula or a number.
std::string name_of(const CsvField& field);

// Whether the apostrophe is needed in front of `name`, which may have some of its own.
bool needs_apostrophe(std::string_view name);

} // namespace normscope
