#pragma once
#include "app/charts/canvas.h"
#include "app/charts/scale.h"

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct Tick {
    double value = 0;
    std::string label;
};

// One of the steps, ascending from 1, · 10^k: the least that is at least `least` (> 0).
double round_up(double least, std::initializer_list<double> steps);

// 1, 2 or 5 · 10^k.
double nice_step(double least);

// [lo, hi] moved outward to multiples of a nice step, about `parts` of them.
Extent nice_range(double lo, double hi, int parts);

// How much room a label takes along the axis, in pixels, the gap to its neighbour included.
using LabelRoom = std::function<float(std::string_view)>;

// Ticks within [lo, hi], as many as have room without crowding. Linear axes step by 1, 2 or 5 ·
// 10^k and write all labels with the same decimals; logarithmic ones step by whole decades (1e-4,
// 1e0), or by 1, 2, 5 within few of them; symlog has zero and the decades of both signs. Empty for
// a range that is empty or not finite.
std::vector<Tick> make_ticks(const Scale& scale, const LabelRoom& room);

// The same of a vertical axis, whose labels have room for so many lines.
std::vector<Tick> row_ticks(const Canvas& canvas, const Scale& y, TextRole role, float lines);

// The same of a horizontal axis of what is counted: whole numbers, the last one among them.
std::vector<Tick> count_ticks(const Canvas& canvas, const Scale& x);

float widest_label(const Canvas& canvas, std::span<const Tick> ticks, TextRole role);

// A rule across the plot at each tick of `y`, with its label at the left.
void draw_rows(Canvas& canvas, const Theme& theme, Rect plot, const Scale& y,
               std::span<const Tick> ticks);

} // namespace normscope
