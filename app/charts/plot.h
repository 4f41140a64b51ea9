#pragma once
#include "app/charts/canvas.h"
#include "app/charts/ticks.h"

#include <span>
#include <string_view>
#include <vector>

namespace normscope {

// The rectangle of a chart's values, the scales that lead there, and the ticks of its rows.
struct Plot {
    Rect plot;
    Scale x, y;
    std::vector<Tick> rows = {};
};

// Ticks of a vertical axis, whose labels have room for so many lines.
std::vector<Tick> row_ticks(const Canvas& canvas, const Scale& y, TextRole role, float lines);

// Ticks of a horizontal axis, whose labels stand so far apart at UI scale 1.
std::vector<Tick> column_ticks(const Canvas& canvas, const Scale& x, float gap);

// Ticks of a horizontal axis of what is counted: whole numbers, the last one among them.
std::vector<Tick> count_ticks(const Canvas& canvas, const Scale& x);

float widest_label(const Canvas& canvas, std::span<const Tick> ticks, TextRole role);

// A rule across the plot at each of its rows, with its label at the left.
void draw_rows(Canvas& canvas, const Theme& theme, const Plot& plot);

// A stroke below the plot at each tick of its x, with its label at the top of `labels`, within
// which it stays.
void draw_columns(Canvas& canvas, const Theme& theme, const Plot& plot, std::span<const Tick> ticks,
                  Rect labels);

// The title of a horizontal axis, in the last line of the chart's `area`; may be empty.
void draw_x_title(Canvas& canvas, const Theme& theme, Rect plot, Rect area, std::string_view title);

} // namespace normscope
