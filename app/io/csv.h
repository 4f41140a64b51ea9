#pragma once
#include "app/io/table.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

// Tables of numbers as delimited text: files, and the blocks a spreadsheet puts on the clipboard.
namespace normscope {

// Reads CSV, TSV or semicolon-separated text (UTF-8, byte order mark allowed, RFC 4180 quotes) in
// any locale. Comments are left out: lines that begin with #, %, // or ; and a space, and above the
// numbers with the mark alone. As many names as columns in the last comment above the numbers
// ("# x y") name the features. The delimiter is detected, and so are
//   a column of token names: the first one, when more than half of its cells (below the headings)
//     are not numbers, or when the top left cell is empty or says "token" and the rest
//     of its line are headings,
//   a line of feature names: the first one, when more than half of its cells are not numbers.
// One cell alone, in a file of one row or one column, is no name where it begins as a number does
// ("1O", "0x10"): it is a mistyped one. Where only the names are quoted, whatever is quoted is a
// name.
// A column that is empty throughout at the right edge and empty rows at the end are left out.
// Numbers are as in parse_number; every other cell must hold one.
// A first line 0, 1, 2, … of names or of values, as it may be, is refused.
// With `classes`, the name of the column of classes or empty, columns may be of words
// (Table::words): those of more words than numbers, and the one of the classes. A word that is
// missing, as NA or nan without quotes, is refused. The error begins with `file_name` and says the
// line, the column, and what was expected there.
Result<Table> read_csv(std::string_view bytes, std::string_view file_name,
                       const std::optional<std::string>& classes = {});

// Values are written as the shortest text that reads back as the same float64, or float32.
enum class Digits { float32, float64 };

// One line a token, with names where the table has them. Reading it gives the same table.
std::string write_csv(const Table& table, char delimiter = ',', Digits digits = Digits::float64);

// Clipboard text, as copied from a spreadsheet (tab-separated) or from any of the above.
Result<Table> parse_block(std::string_view text);

} // namespace normscope
