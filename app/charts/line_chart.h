#pragma once
#include "app/charts/canvas.h"
#include "app/charts/plot.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace normscope {

struct DataPoint {
    double x = 0, y = 0;
};

// The range of several measurements at one x.
struct DataRange {
    double x = 0, lo = 0, hi = 0;
};

// Shapes that tell series apart without their colour.
enum class Marker : std::uint8_t {
    none,
    circle,
    square,
    triangle,
    diamond,
    ring,
    frame,
    cross,
    wedge
};

// Centred at `at`, about 2·radius wide at scale 1.
void draw_marker(Canvas& canvas, Marker marker, Point at, float radius, Color color);

// How a line looks in charts and in lists.
struct LineStyle {
    Color color;
    Dash dash = Dash::solid;
    Marker marker = Marker::none;
};

// Points joined by a line. Those that have no place on the axes (NaN, 0 on a logarithmic one)
// interrupt it.
struct LineSeries {
    std::span<const DataPoint> points;
    LineStyle style; // its marker at every point, or as many of them as have room
    float width = 2; // at scale 1
    std::span<const DataRange> band = {}; // behind the line; what has no place interrupts it
};

// A value that is looked at, with its words beside it.
struct LineMark {
    double x = 0, y = 0;
    std::string text;
    Color color;
    Marker marker = Marker::circle;
};

// A level across the plot with its words.
struct LineLevel {
    double y = 0;
    std::string text;
    Color color;
};

struct LineChart {
    std::vector<LineSeries> series;
    std::vector<LineMark> marks;
    std::vector<LineLevel> levels;
    ScaleKind x_kind = ScaleKind::linear, y_kind = ScaleKind::linear;
    double x_lo = 0, x_hi = 1;
    double y_lo = 0, y_hi = 1;
    std::vector<Tick> x_ticks;    // in place of the made ones, where there are any
    std::string x_title, y_title; // below, and above the axis; may be empty
    bool x_counts = false;        // x is a number of things: only whole numbers are written
};

using LinePlot = Plot;

// How draw_line_chart() divides `area`.
LinePlot line_plot(const Canvas& canvas, Rect area, const LineChart& chart);

void draw_line_chart(Canvas& canvas, const Theme& theme, Rect area, const LineChart& chart);

// [lo, hi] that holds every value that has a place on such an axis: whole decades for a logarithmic
// one, or ends of 1, 2 or 5 where they lie within two; nice numbers and 0 for a linear one.
using LineRange = Extent;
LineRange line_range(ScaleKind kind, std::span<const double> values);

} // namespace normscope
