#pragma once
#include "app/charts/geometry.h"
#include "app/session/lesson/lesson.h"
#include "app/study/lesson/expression.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// Answers of several values: lines in an order, the heights of a curve.
namespace normscope {

// What the lines are ordered by, or how high the curve is at each point, as the program has it.
Result<std::vector<double>> item_values(const LessonPrediction& predict, const LessonScope& scope);

// Places in the file's list, from first to last. Lines of the same value may stand either way.
using LineOrder = std::vector<std::size_t>;
LineOrder right_order(std::span<const double> values);
bool is_in_order(const LineOrder& order, std::span<const double> values);

// Every height is as near to the value as `within` says.
bool sketch_fits(const LessonPrediction& predict, std::span<const double> heights,
                 std::span<const double> values);

// Where a height of point `i` is in the plot, and which height the mouse is at.
Point sketch_place(const LessonPrediction& predict, Rect plot, std::size_t i, double height);
double sketch_height(const LessonPrediction& predict, Rect plot, float y);
double sketch_column(const LessonPrediction& predict, Rect plot, float x); // 1.5: between two

// As it is kept, and the same read again; nothing where it is no answer to this prediction.
std::string kept_order(const LessonPrediction& predict, const LineOrder& order);
std::optional<LineOrder> order_from(const LessonPrediction& predict, const std::string& kept);
std::string kept_heights(std::span<const double> heights);
std::optional<std::vector<double>> heights_from(const LessonPrediction& predict,
                                                const std::string& kept);

} // namespace normscope
