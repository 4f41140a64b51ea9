#pragma once
#include "app/io/table.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/train/tasks.h"

#include <string>
#include <string_view>
#include <vector>

// Tables of numbers as delimited text: files, and the blocks a spreadsheet puts on the clipboard.
namespace normscope {

// Reads CSV, TSV or semicolon-separated text (UTF-8, byte order mark allowed, RFC 4180 quotes) in
// any locale. Comments are left out, as numpy.savetxt writes them: lines that begin with "# ", and
// above the numbers with any # ("#x,y"). The delimiter is detected, and so are
//   a column of token names: the first one, when more than half of its cells (below the headings)
//     are not numbers, or when the top left cell is empty or says "token" and the rest
//     of its line are headings,
//   a line of feature names: the first one, when more than half of its cells are not numbers.
// One cell alone, in a file of one row or one column, is no name where it begins as a number does
// ("1O", "0x10"): it is a mistyped one. Where only the names are quoted, whatever is quoted is a
// name.
// A column that is empty throughout at the right edge and empty rows at the end are left out.
// Numbers are as in parse_number; every other cell must hold one.
// The error begins with `file_name` and says the line, the column, and what was expected there.
Result<Table> read_csv(std::string_view bytes, std::string_view file_name,
                       const Progress& progress = {});

// Values are written as the shortest text that reads back as the same float64, or float32.
enum class Digits { float32, float64 };

// One line a token, with names where the table has them. Reading it gives the same table. The error
// is that a stop was asked for.
Result<std::string> write_csv(const Table& table, char delimiter = ',',
                              Digits digits = Digits::float64, const Progress& progress = {});

// Clipboard text, as copied from a spreadsheet (tab-separated) or from any of the above.
Result<Table> parse_block(std::string_view text, const Progress& progress = {});

// Points with classes from a table: two or more columns of numbers, and one of classes.
struct ClassTable {
    Points points;
    std::vector<std::string> class_names; // by class
    std::string class_column;             // its heading, or empty
};

// Reads delimited text as read_csv() does. The class stands in the column that is called class,
// label, target or species, in any case, else in the last one; it may be a number or a word, and
// classes are numbered in the order of their names. Errors begin with `file_name`: fewer columns; a
// line without a class; one class alone or more than 100; those of read_csv(), by line and column.
Result<ClassTable> read_class_csv(std::string_view bytes, std::string_view file_name);

} // namespace normscope
