#pragma once
#include "app/charts/canvas.h"
#include "app/charts/plot.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// One set of values as histogram and density, computed elsewhere (core/stats) on a grid of its own.
struct DistributionCurve {
    Color color;
    Dash dash = Dash::solid;
    std::string label;               // beside the curve, or at its dots
    std::span<const double> density; // heights at equal steps over [density_lo, density_hi]
    double density_lo = 0, density_hi = 0;
    std::span<const double> dots;        // the values themselves, for a chart of dots
    std::span<const double> bin_edges;   // n + 1
    std::span<const double> bin_density; // n heights, area 1
    std::optional<double> mean;          // dashed vertical line
    std::optional<double> std;           // ±σ bar on the base line
    // The outermost values; unset: those of the bins. The same, and no density: a line, where all
    // the values are.
    std::optional<double> min, max;
    std::optional<double> marker; // a line at this x with its value: one of its own
    bool ghost = false;           // pale outline only: how it stood before
};

struct DistributionChart {
    std::vector<DistributionCurve> curves; // drawn in this order
    double x_lo = -1, x_hi = 1;
    bool dots = false; // in place of both of these
    // How far dots have come from the first lane: 1 at the second. Those of lanes that they have
    // not reached are not there yet. Unset: all are in their lanes.
    std::optional<double> travelled = std::nullopt;
    bool histogram = true;
    bool density = true;
    bool fill = true; // under density lines
    bool sigma_bars = true;
    std::optional<double> top; // the density as high as the plot; none: a little over the tallest
    std::optional<double> cursor; // a line at this x with its value: the hovered cell's
};

// x-range for curves that are compared: the union of their drawn ranges (±4 σ around each mean,
// within min and max), with room at the ends for the tails of their densities, rounded to ticks so
// that it holds still while a value is dragged.
struct SampleExtent {
    double mean, std, min, max;
    double tail = 0; // the density goes so far beyond the outermost values
};
Extent common_extent(std::span<const SampleExtent> samples);
// common_extent() before it is rounded.
Extent reach_of(std::span<const SampleExtent> samples);

// The density of the tallest curve or bar within the range, and the room above it.
double tallest(const DistributionChart& chart);
inline constexpr double k_head_room = 1.04;

// Axis, ticks and curves; the tallest fills the height. Values beyond the range are marked by
// an arrow at that edge, in their curve's colour.
void draw_distributions(Canvas& canvas, const Theme& theme, Rect area,
                        const DistributionChart& chart);

// The value at a point inside the plot that draw_distributions() makes of `area`.
std::optional<double> distribution_x_at(const Canvas& canvas, Rect area,
                                        const DistributionChart& chart, Point p);

// Parts of draw_distributions().

// How many dots stand below each one where dots at these pixels are nearer than `apart`: dots that
// coincide are stacked, in their order.
std::vector<int> stack_dots(std::span<const float> x, float apart);

// The lane of a curve's dots: one a curve from the top down, a ghost in the lane of its colour.
Rect dot_lane(const DistributionChart& chart, const DistributionCurve& curve, Rect plot);

// The room for the names at the left of a chart of dots; 0 in other charts.
float dot_names_width(const Canvas& canvas, const DistributionChart& chart);

// Every value of every curve as a dot in its curve's lane, with the curve's name at its left.
void draw_dots(Canvas& canvas, const Theme& theme, const DistributionChart& chart, Rect plot,
               const Scale& x);

// Each name beside its line, as near to its top as there is room beside what is `taken`.
struct NamedLine {
    std::span<const Point> points;
    std::string_view name;
    Color color;
};
void draw_names(Canvas& canvas, const Theme& theme, std::span<const NamedLine> lines, Rect plot,
                std::vector<Rect> taken);

} // namespace normscope
