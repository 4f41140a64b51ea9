#pragma once
#include "app/lessons/column.h"
#include "app/lessons/player.h"

#include <span>

// Questions that are answered with several values. True where a hand changed the answer.
namespace normscope {

// Lines that are dragged, or moved by up and down, to their places.
bool draw_order(LessonColumn& column, LessonPlayer& player);

// A curve that is drawn with the mouse, or point by point with the arrows.
bool draw_sketch(LessonColumn& column, LessonPlayer& player);

// Its chart in `area`: what was drawn and, where they are given, the values that the program has.
// Returns where the lines are.
Rect draw_sketch_chart(Canvas& canvas, const Theme& theme, Rect area,
                       const LessonPrediction& predict, std::span<const double> drawn,
                       std::span<const double> values = {});

} // namespace normscope
