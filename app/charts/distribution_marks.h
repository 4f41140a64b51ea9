#pragma once
#include "app/charts/distribution_chart.h"
#include "app/charts/scale.h"

#include <span>
#include <vector>

// Parts of a distribution chart: values as dots, and names at curves.
namespace normscope {

// How many dots stand below each one where dots at these pixels are nearer than `apart`: dots that
// coincide are stacked, in their order.
std::vector<int> stack_dots(std::span<const float> x, float apart);

// Where a chart's dots stand: a lane a curve from the top down, a ghost in the lane of its colour.
Rect dot_lane(const DistributionChart& chart, const DistributionCurve& curve, Rect plot);

// Every value of every curve as a dot in its curve's lane, with the curve's name at its left end.
void draw_dots(Canvas& canvas, const Theme& theme, const DistributionChart& chart, Rect plot,
               const Scale& x);

// Each name beside its line, as near to its top as there is room.
struct NamedLine {
    std::span<const Point> points;
    std::string_view name;
    Color color;
};
void draw_names(Canvas& canvas, const Theme& theme, std::span<const NamedLine> lines, Rect plot);

} // namespace normscope
