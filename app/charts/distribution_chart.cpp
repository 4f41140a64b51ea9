#include "app/charts/distribution_chart.h"

#include "app/charts/distribution_marks.h"
#include "app/charts/number_format.h"
#include "app/charts/scale.h"
#include "app/charts/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

struct Frame {
    Rect plot;    // curves
    Rect axis;    // tick labels
    float base_y; // the line the curves stand on
    Scale x;
};

Frame lay_out(const Canvas& canvas, Rect area, const DistributionChart& chart) {
    Frame f;
    f.axis = cut_bottom(area, canvas.line_height(TextRole::small) + 2 * canvas.scale());
    const float bar = 6 * canvas.scale(); // room for the ±σ bar below the base line
    cut_bottom(area, bar);
    const float side = 10 * canvas.scale(); // room for the outermost labels
    f.plot = {area.x + side, area.y, std::max(1.0f, area.w - 2 * side), area.h};
    f.base_y = f.plot.bottom();
    f.x = {ScaleKind::linear, chart.x_lo, chart.x_hi, f.plot.x, f.plot.right()};
    return f;
}

double density_x(const DistributionCurve& c, std::size_t i) {
    const auto steps = static_cast<double>(c.density.size() - 1);
    return c.density_lo + (c.density_hi - c.density_lo) * static_cast<double>(i) / steps;
}

// The density at x between its grid points; 0 outside the grid.
double density_at(const DistributionCurve& c, double x) {
    if (c.density.size() < 2 || !(x >= c.density_lo && x <= c.density_hi)) return 0;
    const double at = (x - c.density_lo) / (c.density_hi - c.density_lo) *
                      static_cast<double>(c.density.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), c.density.size() - 2);
    const double t = at - static_cast<double>(i);
    return c.density[i] * (1 - t) + c.density[i + 1] * t;
}

// The height of the tallest thing drawn within the range.
double tallest(const DistributionChart& chart) {
    double top = 0;
    for (const DistributionCurve& c : chart.curves) {
        if (chart.density)
            for (std::size_t i = 0; i < c.density.size(); ++i) {
                const double x = density_x(c, i);
                if (x >= chart.x_lo && x <= chart.x_hi) top = std::max(top, c.density[i]);
            }
        if (chart.histogram)
            for (std::size_t i = 0; i < c.bin_density.size(); ++i)
                if (c.bin_edges[i + 1] > chart.x_lo && c.bin_edges[i] < chart.x_hi)
                    top = std::max(top, c.bin_density[i]);
    }
    return top;
}

std::vector<Point> density_points(const DistributionCurve& c, const Frame& f, double top) {
    std::vector<Point> points;
    const auto n = c.density.size();
    if (n < 2) return points;
    points.reserve(n);
    constexpr float k_apart = 1.2f; // pixels: nearer points cost time and show nothing
    for (std::size_t i = 0; i < n; ++i) {
        const Point p{f.x.pixel(density_x(c, i)),
                      f.base_y - static_cast<float>(c.density[i] / top) * f.plot.h};
        const bool at_end = i == 0 || i + 1 == n;
        if (!at_end && p.x - points.back().x < k_apart && std::abs(p.y - points.back().y) < k_apart)
            continue;
        points.push_back(p);
    }
    return points;
}

void draw_bars(Canvas& canvas, const DistributionCurve& c, const Frame& f, double top,
               float alpha) {
    for (std::size_t i = 0; i < c.bin_density.size(); ++i) {
        const float x0 = f.x.pixel(c.bin_edges[i]);
        const float x1 = f.x.pixel(c.bin_edges[i + 1]);
        const float h = static_cast<float>(c.bin_density[i] / top) * f.plot.h;
        if (h <= 0 || x1 < f.plot.x || x0 > f.plot.right()) continue;
        const float gap = x1 - x0 > 4 ? 1.0f : 0.0f;
        canvas.fill_rect({x0, f.base_y - h, std::max(1.0f, x1 - x0 - gap), h},
                         c.color.with_alpha(alpha));
    }
}

// The bars' upper edges as one line of steps, which tells apart what lies over each other.
std::vector<Point> step_points(const DistributionCurve& c, const Frame& f, double top) {
    std::vector<Point> points;
    points.reserve(2 * c.bin_density.size() + 2);
    for (std::size_t i = 0; i < c.bin_density.size(); ++i) {
        const float x0 = f.x.pixel(c.bin_edges[i]);
        const float y = f.base_y - static_cast<float>(c.bin_density[i] / top) * f.plot.h;
        if (i == 0) points.push_back({x0, f.base_y});
        if (y != points.back().y)
            points.push_back({x0, y}); // no point twice: a line has no bend there
        points.push_back({f.x.pixel(c.bin_edges[i + 1]), y});
    }
    if (!points.empty()) points.push_back({points.back().x, f.base_y});
    return points;
}

void draw_curve(Canvas& canvas, const DistributionChart& chart, const DistributionCurve& c,
                const Frame& f, double top) {
    if (c.density.empty() && c.bin_density.empty()) return;
    const float s = canvas.scale();
    if (c.ghost) {
        if (chart.density)
            canvas.polyline(density_points(c, f, top), c.color.with_alpha(0.35f), 1.5f * s);
        else
            draw_bars(canvas, c, f, top, 0.12f);
        return;
    }
    const bool alone = std::ranges::count(chart.curves, false, &DistributionCurve::ghost) == 1;
    if (chart.histogram)
        draw_bars(canvas, c, f, top, !alone ? 0.15f : chart.density ? 0.28f : 0.45f);
    if (chart.histogram && !chart.density && !alone)
        canvas.polyline(step_points(c, f, top), c.color, 1.8f * s, c.dash);
    if (chart.density) {
        const std::vector<Point> points = density_points(c, f, top);
        if (chart.fill && !chart.histogram && points.size() > 1) {
            std::vector<Point> base = points;
            for (Point& p : base) p.y = f.base_y;
            canvas.fill_between(points, base, c.color.with_alpha(0.12f));
        }
        canvas.polyline(points, c.color, 1.8f * s, c.dash);
    }
}

// Values that are all the same have no density: a line as high as the plot, with a head, as there
// is no height to compare.
void draw_one_value(Canvas& canvas, const DistributionCurve& c, const Frame& f) {
    if (!c.density.empty() || !c.bin_density.empty() || !c.min || !std::isfinite(*c.min) ||
        c.min != c.max)
        return;
    const float s = canvas.scale();
    const float x = f.x.pixel(*c.min);
    if (x < f.plot.x - 0.5f || x > f.plot.right() + 0.5f) return;
    const Color color = c.ghost ? c.color.with_alpha(0.35f) : c.color;
    const std::array<Point, 2> line{{{x, f.base_y}, {x, f.plot.y + 4 * s}}};
    canvas.polyline(line, color, 2 * s, c.dash);
    canvas.fill_circle({x, f.plot.y + 4 * s}, 3.5f * s, color);
}

void draw_mean(Canvas& canvas, const Theme& theme, const DistributionCurve& c, const Frame& f) {
    if (!c.mean || !std::isfinite(*c.mean)) return;
    const float s = canvas.scale();
    const float x = f.x.pixel(*c.mean);
    if (x < f.plot.x - 0.5f || x > f.plot.right() + 0.5f) return;
    const Color color = c.ghost ? c.color.with_alpha(0.35f) : mix(c.color, theme.ink, 0.25f);
    canvas.line({x, f.plot.y}, {x, f.base_y}, color, 1.4f * s, Dash::dashed);
}

// An arrow for each end beyond which a curve has values, one above the other.
void draw_beyond(Canvas& canvas, const DistributionChart& chart, const Frame& f) {
    const float s = canvas.scale(), half = 4 * s, length = 5 * s;
    float left_y = f.base_y - half - 2 * s, right_y = left_y;
    for (const DistributionCurve& c : chart.curves) {
        if (c.ghost) continue;
        bool left = c.min && *c.min < chart.x_lo, right = c.max && *c.max > chart.x_hi;
        for (std::size_t i = 0; i < c.bin_density.size(); ++i) {
            if (!(c.bin_density[i] > 0)) continue;
            left = left || c.bin_edges[i + 1] <= chart.x_lo;
            right = right || c.bin_edges[i] >= chart.x_hi;
        }
        const float l = f.plot.x - 2 * s, r = f.plot.right() + 2 * s;
        if (left) {
            canvas.fill_triangle({l, left_y - half}, {l, left_y + half}, {l - length, left_y},
                                 c.color);
            left_y -= 2 * half + s;
        }
        if (right) {
            canvas.fill_triangle({r, right_y - half}, {r, right_y + half}, {r + length, right_y},
                                 c.color);
            right_y -= 2 * half + s;
        }
    }
}

bool in_range(const Frame& f, double value) {
    const float x = f.x.pixel(value);
    return x >= f.plot.x - 0.5f && x <= f.plot.right() + 0.5f;
}

void draw_dot(Canvas& canvas, const DistributionCurve& c, const Frame& f, double value,
              double top) {
    if (c.density.size() < 2) return;
    const float y = f.base_y - static_cast<float>(density_at(c, value) / top) * f.plot.h;
    canvas.fill_circle({f.x.pixel(value), y}, 3 * canvas.scale(), c.color);
}

// The highest that a curve is between two pixels, of `from`, `to` and half way.
double highest_between(const DistributionChart& chart, const Frame& f, float from, float to) {
    double highest = 0;
    for (const DistributionCurve& c : chart.curves)
        for (const float x : {from, (from + to) / 2, to})
            highest = std::max(highest, density_at(c, f.x.value(x)));
    return highest;
}

// Beside the line at `value`, where the curves are lower, in the given line of such labels.
void draw_value(Canvas& canvas, const Theme& theme, const DistributionChart& chart, const Frame& f,
                double value, int line) {
    // As exact as a pixel is, or as the cells are where those are more so.
    const double step = (chart.x_hi - chart.x_lo) / static_cast<double>(f.plot.w);
    const double least = step < 1 || std::abs(value) < 100 ? 2 : 0;
    const int decimals = static_cast<int>(std::clamp(std::ceil(-std::log10(step)), least, 6.0));
    const std::string text =
        std::abs(value) < 1e6 && step > 1e-6 ? fixed_text(value, decimals) : number_text(value, 4);
    const float s = canvas.scale(), x = f.x.pixel(value);
    const Size size = canvas.text_size(text, TextRole::number_small);
    Rect label{x + 5 * s, f.plot.y + static_cast<float>(line) * size.h, size.w + 6 * s, size.h};
    const float left = x - 5 * s - label.w;
    if (label.right() > f.axis.right() ||
        (left >= f.axis.x && highest_between(chart, f, left, left + label.w) <
                                 highest_between(chart, f, label.x, label.right())))
        label.x = left;
    canvas.fill_rect(label, theme.panel.with_alpha(0.85f), 3 * s);
    canvas.text_in(label, text, TextRole::number_small, theme.ink);
}

// A line at the cursor, its value beside it and a dot on every curve.
void draw_cursor(Canvas& canvas, const Theme& theme, const DistributionChart& chart, const Frame& f,
                 double top) {
    const double value = *chart.cursor;
    if (!in_range(f, value)) return;
    const float x = f.x.pixel(value);
    canvas.line({x, f.plot.y}, {x, f.base_y}, theme.ink, canvas.scale());
    if (chart.density && top > 0)
        for (const DistributionCurve& c : chart.curves)
            if (!c.ghost) draw_dot(canvas, c, f, value, top);
    draw_value(canvas, theme, chart, f, value, 0);
}

// The same for each curve at a value of its own, in its colour. The labels stand one below the
// other, each at the upper end of its line.
void draw_markers(Canvas& canvas, const Theme& theme, const DistributionChart& chart,
                  const Frame& f, double top) {
    const float line_h = canvas.text_size("0", TextRole::number_small).h;
    const auto shown = [&](const DistributionCurve& c) {
        return c.marker && std::isfinite(*c.marker) && in_range(f, *c.marker);
    };
    int line = 0;
    for (const DistributionCurve& c : chart.curves) {
        if (!shown(c)) continue;
        const float x = f.x.pixel(*c.marker);
        const float from = f.plot.y + static_cast<float>(line++) * line_h;
        canvas.line({x, from}, {x, f.base_y}, c.color, 1.5f * canvas.scale());
        if (chart.density && top > 0) draw_dot(canvas, c, f, *c.marker, top);
    }
    line = 0;
    for (const DistributionCurve& c : chart.curves)
        if (shown(c)) draw_value(canvas, theme, chart, f, *c.marker, line++);
}

void draw_sigma(Canvas& canvas, const DistributionCurve& c, const Frame& f) {
    if (!c.mean || !c.std || !std::isfinite(*c.mean) || !std::isfinite(*c.std)) return;
    const float s = canvas.scale();
    const float from = std::clamp(f.x.pixel(*c.mean - *c.std), f.plot.x, f.plot.right());
    const float to = std::clamp(f.x.pixel(*c.mean + *c.std), f.plot.x, f.plot.right());
    canvas.fill_rect({from, f.base_y, std::max(1.0f, to - from), 4 * s}, c.color.with_alpha(0.65f));
}

void draw_curves(Canvas& canvas, const Theme& theme, const DistributionChart& chart, const Frame& f,
                 double top) {
    if (top <= 0) return;
    for (const bool dashed : {false, true}) // on top, so that what coincides is seen
        for (const DistributionCurve& c : chart.curves)
            if ((c.dash != Dash::solid) == dashed) draw_curve(canvas, chart, c, f, top);
    std::vector<std::vector<Point>> points;
    std::vector<NamedLine> names;
    points.reserve(chart.curves.size());
    for (const DistributionCurve& c : chart.curves) {
        if (c.ghost || c.label.empty()) continue;
        points.push_back(chart.density ? density_points(c, f, top) : step_points(c, f, top));
        names.push_back({points.back(), c.label, c.color});
    }
    draw_names(canvas, theme, names, f.plot);
}

void draw_axis(Canvas& canvas, const Theme& theme, const Frame& f) {
    const float s = canvas.scale();
    canvas.line({f.plot.x - 6 * s, f.base_y}, {f.plot.right() + 6 * s, f.base_y}, theme.ink_soft,
                s);
    const auto room = [&](std::string_view label) {
        return canvas.text_size(label, TextRole::small).w + 20 * s;
    };
    for (const Tick& t : make_ticks(f.x, room)) {
        const float x = f.x.pixel(t.value);
        canvas.line({x, f.base_y}, {x, f.base_y + 3 * s}, theme.ink_soft, s);
        const float half = canvas.text_size(t.label, TextRole::small).w / 2;
        const float at = std::clamp(x, f.axis.x + half, f.axis.right() - half);
        canvas.text({at, f.axis.y + 2 * s}, t.label, TextRole::small, theme.ink_soft,
                    Align::center);
    }
}

} // namespace

Extent common_extent(std::span<const SampleExtent> samples) {
    double lo = INFINITY;
    double hi = -INFINITY;
    for (const SampleExtent& s : samples) {
        double from = s.min;
        double to = s.max;
        if (std::isfinite(s.mean) && std::isfinite(s.std)) {
            const double room = std::max(0.35 * s.std, s.tail);
            const double far = 4 * s.std + (s.std > 0 ? 0.35 * s.std : room);
            from = std::max(from - room, s.mean - far);
            to = std::min(to + room, s.mean + far);
        }
        if (std::isfinite(from)) lo = std::min(lo, from);
        if (std::isfinite(to)) hi = std::max(hi, to);
    }
    if (!(lo <= hi)) return {-1, 1};
    // Of their own size: values of 1e-15 that differ have a spread to be seen.
    const double largest = std::max(std::abs(lo), std::abs(hi));
    if (hi - lo <= 1e-9 * largest) {
        const double room = std::max(1.0, largest) * 0.5;
        return {lo - room, hi + room};
    }
    const NiceRange range = nice_range(lo, hi, 6);
    return {range.lo, range.hi};
}

void draw_distributions(Canvas& canvas, const Theme& theme, Rect area,
                        const DistributionChart& chart) {
    if (area.w < 20 || area.h < 20 || !canvas.sees(area)) return;
    const Frame f = lay_out(canvas, area, chart);
    draw_axis(canvas, theme, f);
    canvas.push_clip(
        {f.plot.x - 10 * canvas.scale(), area.y, f.plot.w + 20 * canvas.scale(), area.h});
    const double top = chart.dots ? 0 : tallest(chart) * 1.04;
    if (chart.dots)
        draw_dots(canvas, theme, chart, f.plot, f.x);
    else
        draw_curves(canvas, theme, chart, f, top);
    for (const DistributionCurve& c : chart.curves) {
        Frame own = f;
        if (chart.dots) {
            own.plot = dot_lane(chart, c, f.plot);
            own.base_y = own.plot.bottom();
        } else {
            draw_one_value(canvas, c, f);
        }
        draw_mean(canvas, theme, c, own);
        if (chart.sigma_bars && !c.ghost) draw_sigma(canvas, c, f);
    }
    draw_beyond(canvas, chart, f);
    draw_markers(canvas, theme, chart, f, top);
    if (chart.cursor && std::isfinite(*chart.cursor)) draw_cursor(canvas, theme, chart, f, top);
    canvas.pop_clip();
}

std::optional<double> distribution_x_at(const Canvas& canvas, Rect area,
                                        const DistributionChart& chart, Point p) {
    const Frame f = lay_out(canvas, area, chart);
    if (p.x < f.plot.x || p.x > f.plot.right() || p.y < f.plot.y || p.y > f.base_y)
        return std::nullopt;
    return f.x.value(p.x);
}

} // namespace normscope
