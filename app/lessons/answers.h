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

// The program's own values: lines are ordered by them, and a curve is as high as they are.
Result<std::vector<double>> item_values(const LessonPrediction& predict, const LessonScope& scope);

// The places of the lines in the file's list, from first to last. Two lines of the same value may
// stand either way.
using LineOrder = std::vector<std::size_t>;
LineOrder right_order(std::span<const double> values);
bool is_in_order(const LineOrder& order, std::span<const double> values);

// Whether every height is as near to its value as `within` says.
bool sketch_fits(const LessonPrediction& predict, std::span<const double> heights,
                 std::span<const double> values);

// sketch_place(): where a height of point `i` stands in the plot. The other two lead back, from a
// place of the mouse to the height and the point; between two points the column is 1.5.
Point sketch_place(const LessonPrediction& predict, Rect plot, std::size_t i, double height);
double sketch_height(const LessonPrediction& predict, Rect plot, float y);
double sketch_column(const LessonPrediction& predict, Rect plot, float x);

// Answers as the record keeps them, and read from it; none where the text is no answer to this
// prediction.
std::string kept_order(const LessonPrediction& predict, const LineOrder& order);
std::optional<LineOrder> order_from(const LessonPrediction& predict, const std::string& kept);
std::string kept_heights(std::span<const double> heights);
std::optional<std::vector<double>> heights_from(const LessonPrediction& predict,
                                                const std::string& kept);

} // namespace normscope
