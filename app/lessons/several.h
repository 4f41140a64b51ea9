#pragma once
#include "app/lessons/column.h"
#include "app/lessons/player.h"

#include <span>

// Questions that are answered with several values. True where the person changed the answer.
namespace normscope {

// Draws lines that the person drags, or moves by up and down, to their places.
bool draw_order(LessonColumn& column, LessonPlayer& player);

// Draws the chart on which the person draws a curve: with the mouse, or point by point with the
// arrow keys.
bool draw_sketch(LessonColumn& column, LessonPlayer& player);

// The chart of a sketch in `area`: the person's curve and, where `values` are given, the program's.
// Returns the rectangle that the curves stand in.
Rect draw_sketch_chart(Canvas& canvas, const Theme& theme, Rect area,
                       const LessonPrediction& predict, std::span<const double> drawn,
                       std::span<const double> values = {});

} // namespace normscope
