#include "app/charts/distribution_chart.h"

#include "app/charts/number_format.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

struct Frame : Plot { // curves stand on the lower edge of the plot
    Rect axis;        // tick labels
};

Frame lay_out(const Canvas& canvas, Rect area, const DistributionChart& chart) {
    Frame f;
    f.axis = cut_bottom(area, canvas.line_height(TextRole::small) + 2);
    cut_bottom(area, 6);   // room for the ±σ bar below the base line
    const float side = 10; // room for the outermost labels
    const float left = side + dot_names_width(canvas, chart);
    f.plot = {area.x + left, area.y, std::max(1.0f, area.w - left - side), area.h};
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

// The chart's parts on its frame.
struct Drawing : Frame {
    Canvas& canvas;
    const Theme& theme;
    const DistributionChart& chart;
    double top; // the density that is as high as the plot

    static Color line_color(const DistributionCurve& c) {
        return c.ghost ? c.color.with_alpha(0.35f) : c.color;
    }
    float height(double density) const { return static_cast<float>(density / top) * plot.h; }

    std::vector<Point> density_points(const DistributionCurve& c) const {
        std::vector<Point> points;
        const auto n = c.density.size();
        if (n < 2) return points;
        points.reserve(n);
        constexpr float k_apart = 1.2f; // nearer points cost time and show nothing
        for (const auto i : indices(n)) {
            const Point p{x.pixel(density_x(c, i)), plot.bottom() - height(c.density[i])};
            const bool at_end = i == 0 || i + 1 == n;
            if (!at_end && p.x - points.back().x < k_apart &&
                std::abs(p.y - points.back().y) < k_apart)
                continue;
            points.push_back(p);
        }
        return points;
    }

    // The bars' upper edges as one line of steps, which tells apart what lies over each other.
    std::vector<Point> step_points(const DistributionCurve& c) const {
        std::vector<Point> points;
        points.reserve(2 * c.bin_density.size() + 2);
        for (const auto i : indices(c.bin_density)) {
            const float x0 = x.pixel(c.bin_edges[i]);
            const float edge = plot.bottom() - height(c.bin_density[i]);
            if (i == 0) points.push_back({x0, plot.bottom()});
            if (edge != points.back().y)
                points.push_back({x0, edge}); // no point twice: a line has no bend there
            points.push_back({x.pixel(c.bin_edges[i + 1]), edge});
        }
        if (!points.empty()) points.push_back({points.back().x, plot.bottom()});
        return points;
    }

    void draw_bars(const DistributionCurve& c, float alpha) const {
        for (const auto i : indices(c.bin_density)) {
            const float x0 = x.pixel(c.bin_edges[i]), x1 = x.pixel(c.bin_edges[i + 1]);
            const float h = height(c.bin_density[i]);
            if (h <= 0 || x1 < plot.x || x0 > plot.right()) continue;
            const float gap = x1 - x0 > 4 ? 1.0f : 0.0f;
            canvas.fill_rect({x0, plot.bottom() - h, std::max(1.0f, x1 - x0 - gap), h},
                             c.color.with_alpha(alpha));
        }
    }

    void draw_curve(const DistributionCurve& c, std::span<const Point> line) const {
        if (c.density.empty() && c.bin_density.empty()) return;
        if (c.ghost && chart.density) return canvas.polyline(line, line_color(c), 1.5f);
        if (c.ghost) return draw_bars(c, 0.12f);
        const bool alone = std::ranges::count(chart.curves, false, &DistributionCurve::ghost) == 1;
        if (chart.histogram) draw_bars(c, !alone ? 0.15f : chart.density ? 0.28f : 0.45f);
        if (chart.density && chart.fill && !chart.histogram && line.size() > 1) {
            std::vector<Point> base(line.begin(), line.end());
            for (Point& p : base) p.y = plot.bottom();
            canvas.fill_between(line, base, c.color.with_alpha(0.12f));
        }
        if (chart.density || (chart.histogram && !alone))
            canvas.polyline(line, c.color, 1.8f, c.dash);
    }

    void draw_curves() const {
        if (top <= 0) return;
        std::vector<std::vector<Point>> lines;
        std::vector<NamedLine> names;
        for (const DistributionCurve& c : chart.curves) {
            lines.push_back(chart.density ? density_points(c) : step_points(c));
            if (!c.ghost) names.push_back({lines.back(), c.label, c.color});
        }
        for (const bool dashed : {false, true}) // on top, so that what coincides is seen
            for (const auto i : indices(lines))
                if ((chart.curves[i].dash != Dash::solid) == dashed)
                    draw_curve(chart.curves[i], lines[i]);
        std::vector<Rect> taken;
        for (const auto& readings : {markers(), cursor()})
            for (const Reading& r : readings) taken.push_back(r.label);
        draw_names(canvas, theme, names, plot, taken);
    }

    // Values that are all the same have no density: a line as high as the plot, with a head, as
    // there is no height to compare.
    void draw_one_value(const DistributionCurve& c) const {
        if (!c.density.empty() || !c.bin_density.empty() || c.min != c.max) return;
        const std::optional<float> at = column(c.min);
        if (!at) return;
        const Point head{*at, plot.y + 4};
        const std::array<Point, 2> line{{{*at, plot.bottom()}, head}};
        canvas.polyline(line, line_color(c), 2, c.dash);
        canvas.fill_circle(head, 3.5f, line_color(c));
    }

    void draw_mean(const DistributionCurve& c, Rect lane) const {
        if (const auto at = column(c.mean))
            canvas.down(lane, *at, c.ghost ? line_color(c) : mix(c.color, theme.ink, 0.25f), 1.4f,
                        Dash::dashed);
    }

    void draw_sigma(const DistributionCurve& c) const {
        if (!c.mean || !c.std || !std::isfinite(*c.mean) || !std::isfinite(*c.std)) return;
        const float from = std::clamp(x.pixel(*c.mean - *c.std), plot.x, plot.right());
        const float to = std::clamp(x.pixel(*c.mean + *c.std), plot.x, plot.right());
        canvas.fill_rect({from, plot.bottom(), std::max(1.0f, to - from), 4},
                         c.color.with_alpha(0.65f));
    }

    // An arrow for each end beyond which a curve has values, one above the other; dots have lanes.
    void draw_beyond() const {
        const float half = 4, length = 5;
        float left_y = plot.bottom() - half - 2, right_y = left_y;
        const auto arrow = [&](float from, float& row, float along, Color color) {
            canvas.fill_triangle({from, row - half}, {from, row + half}, {from + along, row},
                                 color);
            row -= 2 * half + 1;
        };
        for (const DistributionCurve& c : chart.curves) {
            if (chart.dots) left_y = right_y = dot_lane(chart, c, plot).bottom() - half - 2;
            bool left = c.min && *c.min < chart.x_lo, right = c.max && *c.max > chart.x_hi;
            for (const double value : c.dots) {
                left |= value < chart.x_lo;
                right |= value > chart.x_hi;
            }
            for (const auto i : indices(c.bin_density)) {
                if (!(c.bin_density[i] > 0)) continue;
                left = left || c.bin_edges[i + 1] <= chart.x_lo;
                right = right || c.bin_edges[i] >= chart.x_hi;
            }
            if (left) arrow(plot.x - 2, left_y, -length, line_color(c));
            if (right) arrow(plot.right() + 2, right_y, length, line_color(c));
        }
    }

    // The highest that a curve is between two pixels, of `from`, `to` and half way; of dots how
    // many there are.
    double highest_between(float from, float to) const {
        double highest = 0;
        for (const DistributionCurve& c : chart.curves) {
            for (const float at : {from, (from + to) / 2, to})
                highest = std::max(highest, density_at(c, x.value(at)));
            for (const double value : c.dots)
                highest += from < x.pixel(value) && x.pixel(value) < to;
        }
        return highest;
    }

    // The rectangle that a reading's line crosses: the plot, or among dots the lane of its curve.
    Rect lane_of(const DistributionCurve* curve) const {
        return chart.dots && curve ? dot_lane(chart, *curve, plot) : plot;
    }

    // A value with a line at it, and its text beside the line, where the curves are lower, in the
    // given line of such texts.
    struct Reading {
        double value;
        const DistributionCurve* curve; // in its colour, with a dot on it; null: on all of them
        std::string text;
        Rect label;
    };
    Reading reading(double value, const DistributionCurve* curve, std::size_t line) const {
        // As exact as a pixel is, or as the cells are where those are more so.
        const double step = (chart.x_hi - chart.x_lo) / static_cast<double>(plot.w);
        const double least = step < 1 || std::abs(value) < 100 ? 2 : 0;
        const int decimals = static_cast<int>(std::clamp(std::ceil(-std::log10(step)), least, 6.0));
        const std::string text = std::abs(value) < 1e6 && step > 1e-6 ? fixed_text(value, decimals)
                                                                      : number_text(value, 4);
        const float at = x.pixel(value);
        const Size size = canvas.text_size(text, TextRole::number_small);
        Rect label{at + 5, lane_of(curve).y + static_cast<float>(line) * size.h, size.w + 6,
                   size.h};
        const float left = at - 5 - label.w;
        if (label.right() > axis.right() ||
            (left >= (chart.dots ? plot.x : axis.x) &&
             highest_between(left, left + label.w) < highest_between(label.x, label.right())))
            label.x = left;
        return {value, curve, text, label};
    }

    // The column of a value that lies on the axis.
    std::optional<float> column(const std::optional<double>& value) const {
        if (!value || !std::isfinite(*value)) return std::nullopt;
        const float at = x.pixel(*value);
        const bool seen = at >= plot.x - 0.5f && at <= plot.right() + 0.5f;
        return seen ? std::optional(at) : std::nullopt;
    }

    std::vector<Reading> markers() const {
        std::vector<Reading> out;
        for (const DistributionCurve& c : chart.curves)
            if (column(c.marker))
                out.push_back(reading(*c.marker, &c, chart.dots ? 0 : out.size()));
        return out;
    }
    std::vector<Reading> cursor() const {
        if (!column(chart.cursor)) return {};
        return {reading(*chart.cursor, nullptr, 0)};
    }

    // The texts stand one below the other, each at the upper end of its line.
    void draw_readings(std::span<const Reading> readings) const {
        for (const auto& [value, curve, text, label] : readings) {
            const float at = x.pixel(value);
            canvas.line({at, label.y}, {at, lane_of(curve).bottom()},
                        curve ? curve->color : theme.ink, curve ? 1.5f : 1);
            if (!chart.density || !(top > 0)) continue;
            for (const DistributionCurve& c : chart.curves)
                if (c.density.size() >= 2 && (curve ? curve == &c : !c.ghost))
                    canvas.fill_circle({at, plot.bottom() - height(density_at(c, value))}, 3,
                                       c.color);
        }
        for (const Reading& r : readings) {
            canvas.fill_rect(r.label, theme.panel.with_alpha(0.85f), 3);
            canvas.text_in(r.label, r.text, TextRole::number_small, theme.ink);
        }
    }

    void draw_axis() const {
        canvas.across(plot.inset(-6, 0), plot.bottom(), theme.ink_soft);
        draw_columns(canvas, theme, *this, column_ticks(canvas, x, 20),
                     {axis.x, axis.y + 2, axis.w, axis.h});
    }
};

} // namespace

Extent reach_of(std::span<const SampleExtent> samples) {
    double lo = INFINITY, hi = -INFINITY;
    for (const SampleExtent& s : samples) {
        double from = s.min, to = s.max;
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
    // A spread counts by the size of the values: values of 1e-15 that differ have one to be seen.
    const double largest = std::max(std::abs(lo), std::abs(hi));
    if (hi - lo <= 1e-9 * largest) {
        const double room = std::max(1.0, largest) * 0.5;
        return {lo - room, hi + room};
    }
    return {lo, hi};
}

Extent common_extent(std::span<const SampleExtent> samples) {
    const Extent reach = reach_of(samples);
    return nice_range(reach.lo, reach.hi, 6);
}

double tallest(const DistributionChart& chart) {
    double top = 0;
    for (const DistributionCurve& c : chart.curves) {
        if (chart.density)
            for (const auto i : indices(c.density)) {
                const double x = density_x(c, i);
                if (x >= chart.x_lo && x <= chart.x_hi) top = std::max(top, c.density[i]);
            }
        if (chart.histogram)
            for (const auto i : indices(c.bin_density))
                if (c.bin_edges[i + 1] > chart.x_lo && c.bin_edges[i] < chart.x_hi)
                    top = std::max(top, c.bin_density[i]);
    }
    return top;
}

void draw_distributions(Canvas& canvas, const Theme& theme, Rect area,
                        const DistributionChart& chart) {
    if (area.w < 20 || area.h < 20 || !canvas.sees(area)) return;
    const double top = chart.dots ? 0 : chart.top.value_or(tallest(chart) * k_head_room);
    const Drawing d{lay_out(canvas, area, chart), canvas, theme, chart, top};
    d.draw_axis();
    canvas.push_clip({area.x, area.y, d.plot.right() + 10 - area.x, area.h});
    if (chart.dots)
        draw_dots(canvas, theme, chart, d.plot, d.x);
    else
        d.draw_curves();
    for (const DistributionCurve& c : chart.curves) {
        if (!chart.dots) d.draw_one_value(c);
        d.draw_mean(c, chart.dots ? dot_lane(chart, c, d.plot) : d.plot);
        if (chart.sigma_bars && !c.ghost) d.draw_sigma(c);
    }
    d.draw_beyond();
    d.draw_readings(d.markers());
    d.draw_readings(d.cursor());
    canvas.pop_clip();
}

std::optional<double> distribution_x_at(const Canvas& canvas, Rect area,
                                        const DistributionChart& chart, Point p) {
    const Frame f = lay_out(canvas, area, chart);
    if (p.x < f.plot.x || p.x > f.plot.right() || p.y < f.plot.y || p.y > f.plot.bottom())
        return std::nullopt;
    return f.x.value(p.x);
}

} // namespace normscope
