#include "app/charts/line_chart.h"

#include "app/charts/number_format.h"
#include "app/charts/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace normscope {

namespace {

constexpr TextRole k_tick_role = TextRole::small;

std::vector<Tick> y_ticks(const Canvas& canvas, const Scale& y) {
    return row_ticks(canvas, y, k_tick_role, 1.6f);
}

std::vector<Tick> x_ticks(const Canvas& canvas, const Scale& x, const LineChart& chart) {
    if (!chart.x_ticks.empty()) return chart.x_ticks;
    if (chart.x_counts) return count_ticks(canvas, x);
    return make_ticks(x, [&canvas](std::string_view label) {
        return canvas.text_size(label, k_tick_role).w + 14 * canvas.scale();
    });
}

// A value's row; far outside it is drawn just outside: the clip hides it, and pixels stay finite.
float held_row(const Scale& y, double fraction) {
    return y.from + static_cast<float>(std::clamp(fraction, -2.0, 3.0)) * (y.to - y.from);
}

void draw_band(Canvas& canvas, const LinePlot& p, const LineSeries& series) {
    std::vector<Point> upper, lower;
    const auto flush = [&] {
        if (upper.size() > 1) canvas.fill_between(upper, lower, series.color.with_alpha(0.18f));
        upper.clear();
        lower.clear();
    };
    for (const DataRange& r : series.band) {
        const double lo = p.y.fraction(r.lo);
        const double hi = p.y.fraction(r.hi);
        // The least may be 0, below a logarithmic axis; the most may not.
        if (!std::isfinite(p.x.fraction(r.x)) || !std::isfinite(hi) || std::isnan(lo)) {
            flush();
            continue;
        }
        upper.push_back({p.x.pixel(r.x), held_row(p.y, hi)});
        lower.push_back({p.x.pixel(r.x), held_row(p.y, lo)});
    }
    flush();
}

void draw_markers(Canvas& canvas, const LinePlot& p, const LineSeries& series,
                  std::span<const Point> run) {
    if (series.marker == Marker::none || run.empty()) return;
    const float px = canvas.scale();
    const float span = run.back().x - run.front().x;
    const float apart = run.size() > 1 ? span / static_cast<float>(run.size() - 1) : 1e6f;
    const auto step =
        static_cast<std::size_t>(std::max(1.0f, std::ceil(13 * px / std::max(apart, 0.1f))));
    for (std::size_t i = 0; i < run.size(); i += step)
        if (p.plot.inset(-px).contains(run[i]))
            draw_marker(canvas, series.marker, run[i], 3.5f * px, series.color);
}

// The points of a series that have a place, in runs without a gap.
using Runs = std::vector<std::vector<Point>>;

Runs runs_of(const LinePlot& p, const LineSeries& series) {
    Runs out(1);
    for (const DataPoint& point : series.points) {
        const double fx = p.x.fraction(point.x);
        const double fy = p.y.fraction(point.y);
        if (!std::isfinite(fx) || !std::isfinite(fy)) {
            if (!out.back().empty()) out.emplace_back();
            continue;
        }
        out.back().push_back({p.x.pixel_at(fx), held_row(p.y, fy)});
    }
    return out;
}

// Whether the straight line from a to b passes through `r`.
bool passes(Rect r, Point a, Point b) {
    float from = 0, to = 1;
    const auto narrow = [&](float start, float step, float lo, float hi) {
        if (step == 0) return start >= lo && start <= hi;
        const float t0 = (lo - start) / step, t1 = (hi - start) / step;
        from = std::max(from, std::min(t0, t1));
        to = std::min(to, std::max(t0, t1));
        return from <= to;
    };
    return narrow(a.x, b.x - a.x, r.x, r.right()) && narrow(a.y, b.y - a.y, r.y, r.bottom());
}

// Room for words where no line passes through them, or as few as can be, and no other words stand.
class WordPlaces {
  public:
    // `series`: the runs of each.
    WordPlaces(const Canvas& canvas, const LinePlot& plot, const LineChart& chart,
               std::vector<Runs> series)
        : canvas_(canvas), plot_(plot), px_(canvas.scale()) {
        for (Runs& runs : series)
            for (std::vector<Point>& run : runs) lines_.push_back(std::move(run));
        for (const LineLevel& level : chart.levels)
            if (const double at = plot.y.fraction(level.y); std::isfinite(at)) {
                const float y = held_row(plot.y, at);
                lines_.push_back({{plot.plot.x, y}, {plot.plot.right(), y}});
            }
        for (const LineMark& mark : chart.marks) {
            const Point at{plot.x.pixel(mark.x), plot.y.pixel(mark.y)};
            taken_.push_back({at.x - 5 * px_, at.y - 5 * px_, 10 * px_, 10 * px_});
        }
    }

    // Beside a point, right before left; straight above or below where it is far.
    Rect beside(Point at, std::string_view text) {
        const Size size = size_of(text);
        const float right = at.x + 5 * px_;
        return near(at.y, size, 7 * px_, right, [&](float away) {
            return std::array{away < size.h ? right : at.x - size.w / 2, right,
                              at.x - 5 * px_ - size.w};
        });
    }

    // Along a level, right before left before the middle.
    Rect along(float row, std::string_view text) {
        const Size size = size_of(text);
        const Rect plot = plot_.plot;
        const float right = plot.right() - size.w;
        return near(row, size, 3 * px_, right, [&](float) {
            return std::array{right, plot.x + 4 * px_, plot.center().x - size.w / 2};
        });
    }

  private:
    Size size_of(std::string_view text) const {
        return {canvas_.text_size(text, k_tick_role).w + 4 * px_, canvas_.line_height(k_tick_role)};
    }

    std::ptrdiff_t obstacles(Rect r) const {
        std::ptrdiff_t n = 0;
        const Rect clear = r.inset(0, -2 * px_);
        for (const std::vector<Point>& line : lines_)
            for (std::size_t i = 1; i < line.size(); ++i)
                n += passes(clear, line[i - 1], line[i]) ? 1 : 0;
        const auto meets = [&](const Rect& other) { return r.overlaps(other); };
        return n + 1000 * std::ranges::count_if(taken_, meets);
    }

    // The place within the plot that meets the fewest: above a row before below it, near before
    // far, at the first of the `lefts` before the others. Where none is, above it at `otherwise`.
    template<class Lefts>
    Rect near(float row, Size size, float gap, float otherwise, Lefts&& lefts) {
        const Rect plot = plot_.plot;
        std::optional<Rect> best;
        std::ptrdiff_t least = 0;
        for (const float away : {gap, size.h + gap, 2 * size.h + gap})
            for (const float y : {row - away - size.h, row + away})
                for (const float x : lefts(away)) {
                    const Rect r{x, y, size.w, size.h};
                    if (!plot.encloses(r)) continue;
                    const std::ptrdiff_t n = obstacles(r);
                    if (best && n >= least) continue;
                    best = r;
                    least = n;
                }
        if (!best)
            best = Rect{std::clamp(otherwise, plot.x, std::max(plot.x, plot.right() - size.w)),
                        std::clamp(row - size.h, plot.y, std::max(plot.y, plot.bottom() - size.h)),
                        size.w, size.h};
        taken_.push_back(*best);
        return *best;
    }

    const Canvas& canvas_;
    const LinePlot& plot_;
    float px_;
    Runs lines_;
    std::vector<Rect> taken_;
};

} // namespace

void draw_marker(Canvas& canvas, Marker marker, Point at, float radius, Color color) {
    const float r = radius;
    const float stroke = r * 0.5f;
    const auto triangle = [&](float up, float wide, float down) { // upside down where negative
        canvas.fill_triangle({at.x, at.y - r * up}, {at.x - r * wide, at.y + r * down},
                             {at.x + r * wide, at.y + r * down}, color);
    };
    switch (marker) {
    case Marker::none:
        return;
    case Marker::circle:
        return canvas.fill_circle(at, r, color);
    case Marker::square:
        return canvas.fill_rect({at.x - r * 0.9f, at.y - r * 0.9f, r * 1.8f, r * 1.8f}, color);
    case Marker::triangle:
        return triangle(1.2f, 1.1f, 0.8f);
    case Marker::diamond:
        triangle(1.25f, 1, 0);
        return triangle(-1.25f, -1, 0);
    case Marker::ring:
        return canvas.stroke_circle(at, r, color, stroke);
    case Marker::frame:
        return canvas.stroke_rect({at.x - r, at.y - r, 2 * r, 2 * r}, color, stroke);
    case Marker::cross:
        canvas.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, stroke);
        return canvas.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, color, stroke);
    case Marker::wedge:
        return triangle(-1.2f, -1.1f, -0.8f);
    }
}

LinePlot line_plot(const Canvas& canvas, Rect area, const LineChart& chart) {
    const float px = canvas.scale();
    const float line = canvas.line_height(k_tick_role);
    LinePlot p;
    Rect r = area;
    cut_top(r, line / 2 + (chart.y_title.empty() ? 0 : line + px));
    cut_bottom(r, line + 4 * px);
    if (!chart.x_title.empty()) cut_bottom(r, line);
    p.y = {chart.y_kind, chart.y_lo, chart.y_hi, r.bottom(), r.y};
    cut_left(r, widest_label(canvas, y_ticks(canvas, p.y), k_tick_role) + 8 * px);
    cut_right(r, 8 * px);
    p.plot = r;
    p.x = {chart.x_kind, chart.x_lo, chart.x_hi, r.x, r.right()};
    return p;
}

void draw_line_chart(Canvas& canvas, const Theme& theme, Rect area, const LineChart& chart) {
    if (!canvas.sees(area)) return;
    const float px = canvas.scale();
    const float line = canvas.line_height(k_tick_role);
    const LinePlot p = line_plot(canvas, area, chart);
    if (p.plot.w < 10 * px || p.plot.h < 10 * px) return;
    draw_rows(canvas, theme, p.plot, p.y, y_ticks(canvas, p.y));
    draw_columns(canvas, theme, p.plot, p.x, x_ticks(canvas, p.x, chart),
                 {area.x, p.plot.bottom() + 4 * px, area.w, line});
    canvas.line({p.plot.x, p.plot.bottom()}, {p.plot.right(), p.plot.bottom()}, theme.ink_soft, px);
    draw_x_title(canvas, theme, p.plot, area, chart.x_title);
    if (!chart.y_title.empty())
        canvas.text({area.x, area.y}, canvas.elide(chart.y_title, k_tick_role, area.w), k_tick_role,
                    theme.ink_soft);

    std::vector<Runs> runs;
    for (const LineSeries& series : chart.series) runs.push_back(runs_of(p, series));
    canvas.push_clip(p.plot.inset(-2 * px));
    for (const LineLevel& level : chart.levels) {
        const float y = p.y.pixel(level.y);
        if (!std::isfinite(y)) continue;
        canvas.line({p.plot.x, y}, {p.plot.right(), y}, level.color, 2 * px, Dash::dashed);
    }
    for (const LineSeries& series : chart.series) draw_band(canvas, p, series);
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const std::vector<Point>& run : runs[i]) {
            const LineSeries& series = chart.series[i];
            if (run.size() == 1) canvas.fill_circle(run.front(), 2 * px, series.color);
            if (run.size() > 1) canvas.polyline(run, series.color, series.width * px, series.dash);
        }
    canvas.pop_clip();
    // Whole also at the edges of the plot.
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const std::vector<Point>& run : runs[i]) draw_markers(canvas, p, chart.series[i], run);
    WordPlaces places(canvas, p, chart, std::move(runs));
    const auto write = [&](Rect words, std::string_view text, Color color) {
        // Readable over a line that passes behind.
        canvas.fill_rect(words, theme.panel.with_alpha(0.85f), 3 * px);
        canvas.text({words.x + 2 * px, words.y}, text, k_tick_role, color);
    };
    for (const LineMark& mark : chart.marks) {
        const Point at{p.x.pixel(mark.x), p.y.pixel(mark.y)};
        if (!p.plot.inset(-3 * px).contains(at)) continue;
        Rect words;
        if (!mark.text.empty()) {
            words = places.beside(at, mark.text);
            // To whom the words belong, where they had to go far.
            const Point near{std::clamp(at.x, words.x, words.right()),
                             std::clamp(at.y, words.y, words.bottom())};
            if (std::hypot(near.x - at.x, near.y - at.y) > 10 * px)
                canvas.line(at, near, mark.color, px);
        }
        canvas.fill_circle(at, 5 * px, theme.panel);
        canvas.fill_circle(at, 4 * px, mark.color);
        if (!mark.text.empty()) write(words, mark.text, theme.ink);
    }
    for (const LineLevel& level : chart.levels) {
        const float y = p.y.pixel(level.y);
        if (!std::isfinite(y) || y < p.plot.y - 1 || y > p.plot.bottom() + 1) continue;
        const std::string text = canvas.elide(level.text, k_tick_role, p.plot.w - 4 * px);
        write(places.along(y, text), text, level.color);
    }
}

LineRange line_range(ScaleKind kind, std::span<const double> values) {
    constexpr double k_close = 100;
    constexpr double k_least_span = 4.5; // a fluctuation is not to look like a fall
    double lo = INFINITY, hi = -INFINITY;
    for (const double v : values) {
        if (!std::isfinite(v) || (kind == ScaleKind::log && v <= 0)) continue;
        lo = std::min(lo, v);
        hi = std::max(hi, v);
    }
    if (lo > hi) return kind == ScaleKind::log ? LineRange{0.1, 1} : LineRange{0, 1};
    if (kind == ScaleKind::log) {
        // Where they lie close together, ends of 1, 2 or 5: whole decades would leave most of the
        // axis empty.
        if (hi < lo * k_close) {
            const LineRange close{1 / nice_step(1 / lo), nice_step(hi)};
            if (close.hi > close.lo * k_least_span) return close;
        }
        lo = std::pow(10.0, std::floor(std::log10(lo) + 1e-9));
        hi = std::pow(10.0, std::ceil(std::log10(hi) - 1e-9));
        return {lo, hi > lo ? hi : lo * 10};
    }
    lo = std::min(lo, 0.0);
    hi = std::max(hi, 0.0);
    if (lo == hi) hi = 1;
    return nice_range(lo, hi, 5);
}

} // namespace normscope
