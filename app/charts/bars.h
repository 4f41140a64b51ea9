#pragma once
#include "app/charts/canvas.h"
#include "app/charts/plot.h"
#include "core/base/matrix.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace normscope {

// Values as bars up and down from zero, side by side over the whole width, with a ghost of what
// each was before.
struct SignedBars {
    std::span<const double> values;
    std::span<const double> ghosts = {}; // as many, or none
    std::span<const double> marks = {};  // as many, or none: a short line across each bar's place
    Extent range = {};                   // from the bottom to the top; 0 lies within
    Color color = {};
    std::optional<Index> lit = std::nullopt;
};

// The rectangle for the i-th of n bars.
Rect bar_slot(Rect area, Index n, Index i);

// The pixel row of a value; beyond the range it stays at the edge.
float bar_end(Rect area, const Extent& range, double value);

// The bar at a point of `area`.
std::optional<Index> bar_at(Rect area, Index n, Point p);

// With more bars than pixel columns, each column shows the value of the largest magnitude that it
// stands for and, unless there are ghosts, the largest on the other side of 0; the lit bar's column
// shows its value alone. NaN and ±∞ are a mark in their own colour.
void draw_signed_bars(Canvas& canvas, const Theme& theme, Rect area, const SignedBars& bars);

// From the least to the largest finite value, with 0; −1 to 1 for nothing but zeros. A side that
// has values is never too thin to see them.
Extent value_range(std::span<const double> values);

// A range that holds still while values change a little: each end 0, or ±1, 2 or 5 · 10^k beyond
// every finite value; −1 to 1 for nothing but zeros.
Extent bar_range(std::span<const double> values);

// The smallest range around both.
Extent both(const Extent& a, const Extent& b);

// Two shares (0 to 1) a place, side by side: what there is, and what it carries.
struct PairedBars {
    std::span<const double> first, second; // as many
    std::span<const std::string> names;    // as many, below
    double hi = 1;                         // the share at the top of the axis
    Color first_color, second_color;
    std::string_view x_title;
    std::optional<Index> lit = std::nullopt;
    std::optional<Index> chosen = std::nullopt;
};

struct PairedBarsPlot {
    Rect bars;
    Rect names; // below; a press on either means the bar
    Plot axes;
};

// How draw_paired_bars() divides `area`.
PairedBarsPlot paired_bars_plot(const Canvas& canvas, Rect area, const PairedBars& chart);

// A round share, at least as much as any; 1 for nothing but zeros.
double share_limit(std::span<const double> first, std::span<const double> second);

// Names that have no room are left out, evenly; those of `lit` and `chosen` last.
void draw_paired_bars(Canvas& canvas, const Theme& theme, Rect area, const PairedBars& chart);

} // namespace normscope
