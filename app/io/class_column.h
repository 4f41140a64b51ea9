#pragma once
#include "app/io/table.h"
#include "core/train/tasks.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Points with classes from a table: two or more columns of numbers, and one of classes.
namespace normscope {

// The points of a table that load_table() has read with `wanted`, the heading of the classes'
// column or its number from 1; empty: the first that there is of
//   the column called class, label, target, species or alike (is_class_heading(); y beside no x),
//   the last one of words that come again,
//   the last or the first one of few whole numbers.
// Numbers are classes where they are whole, every one is there twice on average, and they are 20
// different ones at most or up to 100 that count from 0 or 1. Classes are numbered in the order of
// their numbers or letters. Errors begin with `file_name`: fewer columns; no column of the name;
// one that holds no classes; other columns of words.
Result<Points> points_of(const Table& table, const std::string& wanted,
                         const std::string& file_name);

// The points of any file that load_table() reads.
Result<Points> load_points(const std::filesystem::path& path, const std::string& wanted = {});

// The points with `column` of their table as the class; the former class becomes a feature. Errors
// as in points_of().
Result<Points> with_class(const Points& points, Index column, const std::string& file_name);

// The columns that with_class() takes.
std::vector<Index> class_columns(const Points& points);

} // namespace normscope
