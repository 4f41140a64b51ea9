#pragma once
#include "core/base/result.h"
#include "core/train/tasks.h"

#include <string>
#include <string_view>
#include <vector>

namespace normscope {

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
