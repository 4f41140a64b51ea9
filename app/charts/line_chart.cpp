#include "app/charts/line_chart.h"

#include "app/charts/number_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace normscope {

namespace {

constexpr TextRole k_tick_role = TextRole::small;
constexpr std::ptrdiff_t k_words_meet = 1000; // as bad as so many lines behind words
// Between words and what they are of: lines of text, and where lines of the chart are in the way,
// lines and halves of the words' width.
constexpr int k_far_lines = 3, k_most_lines = 9, k_most_halves = 4;

std::vector<Tick> x_ticks(const Canvas& canvas, const LinePlot& p, const LineChart& chart) {
    if (!chart.x_ticks.empty()) return chart.x_ticks;
    return chart.x_counts ? count_ticks(canvas, p.x) : column_ticks(canvas, p.x, 14);
}

// The points of a series that have a place, in runs without a gap.
struct Run {
    const LineSeries& series;
    std::vector<Point> points = {};
};

// Whether the straight line from a to b passes through `r`.
bool passes(Rect r, Point a, Point b) {
    if (std::max(a.x, b.x) < r.x || std::min(a.x, b.x) > r.right()) return false;
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

struct LineDrawing : LinePlot {
    Canvas& canvas;
    const Theme& theme;
    const LineChart& chart;
    std::vector<Run> runs = {};
    std::vector<Rect> taken = {};                   // by marks and words
    std::vector<std::pair<Point, Rect>> named = {}; // marks, and where their words stand
    float first_row = 0, last_row = 0;              // for the words of a mark

    // The row of a value that has one; far outside it is drawn just outside: the clip hides it, and
    // stay finite.
    std::optional<float> row(double value) const {
        const double at = y.fraction(value);
        return std::isfinite(at) ? std::optional(held(at)) : std::nullopt;
    }
    float held(double fraction) const { return y.pixel_at(std::clamp(fraction, -2.0, 3.0)); }

    std::optional<Point> place(double at_x, double at_y) const {
        const double across = x.fraction(at_x);
        const std::optional<float> down = row(at_y);
        return std::isfinite(across) && down ? std::optional(Point{x.pixel_at(across), *down})
                                             : std::nullopt;
    }

    void find_runs() {
        for (const LineSeries& series : chart.series) {
            runs.push_back({series});
            for (const DataPoint& point : series.points)
                if (const auto at = place(point.x, point.y))
                    runs.back().points.push_back(*at);
                else if (!runs.back().points.empty())
                    runs.push_back({series});
        }
    }

    void draw_band(const LineSeries& series) const {
        std::vector<Point> upper, lower;
        const auto flush = [&] {
            if (upper.size() > 1)
                canvas.fill_between(upper, lower, series.style.color.with_alpha(0.18f));
            upper.clear();
            lower.clear();
        };
        for (const DataRange& r : series.band) {
            // The least may be 0, below a logarithmic axis; the most may not.
            const double lo = y.fraction(r.lo);
            const std::optional<Point> hi = place(r.x, r.hi);
            if (hi && !std::isnan(lo)) {
                upper.push_back(*hi);
                lower.push_back({hi->x, held(lo)});
            } else {
                flush();
            }
        }
        flush();
    }

    void draw_markers(const Run& run) const {
        const std::vector<Point>& points = run.points;
        if (run.series.style.marker == Marker::none || points.empty()) return;
        const float span = points.back().x - points.front().x;
        const float apart = points.size() > 1 ? span / static_cast<float>(points.size() - 1) : 1e6f;
        const auto step =
            static_cast<std::size_t>(std::max(1.0f, std::ceil(13 / std::max(apart, 0.1f))));
        for (std::size_t i = 0; i < points.size(); i += step)
            if (plot.inset(-1).contains(points[i]))
                draw_marker(canvas, run.series.style.marker, points[i], 3.5f,
                            run.series.style.color);
    }

    void draw_lines() const {
        canvas.push_clip(plot.inset(-2));
        for (const LineLevel& level : chart.levels)
            if (const auto at = row(level.y))
                canvas.across(plot, *at, level.color, 2, Dash::dashed);
        for (const LineSeries& series : chart.series) draw_band(series);
        for (const auto& [series, points] : runs)
            if (points.size() == 1)
                canvas.fill_circle(points.front(), 2, series.style.color);
            else if (!points.empty())
                canvas.polyline(points, series.style.color, series.width, series.style.dash);
        canvas.pop_clip();
        // Whole also at the edges of the plot.
        for (const Run& run : runs) draw_markers(run);
    }

    // The lines that pass through a place for words, and what stands there; counted up to `most`.
    std::ptrdiff_t obstacles(Rect r, std::ptrdiff_t most) const {
        const auto meets = [&](const Rect& other) { return r.overlaps(other); };
        std::ptrdiff_t n = k_words_meet * std::ranges::count_if(taken, meets);
        const Rect clear = r.inset(0, -2);
        const auto count = [&](Point a, Point b) { n += passes(clear, a, b) ? 1 : 0; };
        for (const LineLevel& level : chart.levels)
            if (const auto at = row(level.y)) count({plot.x, *at}, {plot.right(), *at});
        for (const Run& run : runs)
            for (std::size_t i = 1; i < run.points.size() && n < most; ++i)
                count(run.points[i - 1], run.points[i]);
        return n;
    }

    // Words where no line passes through them, or as few as can be, and no other words stand: on a
    // row at `beside`, where that is given, before above it before below it, near before far, at
    // the first of these lefts before the others; behind `beside` where lines pass through all of
    // them; anywhere at its left or at the right edge where words would meet. Where none lies
    // within the plot, above it at the first of `near`.
    using Lefts = std::array<float, 3>;
    Rect words_place(float at_row, Size size, float gap, const Lefts& near, const Lefts& far,
                     std::optional<float> beside = {}) {
        std::optional<Rect> best;
        std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max(); // obstacles of it
        const auto consider = [&](float left, float top) {
            const Rect r{left, top, size.w, size.h};
            if (least == 0 || !plot.encloses(r)) return;
            const bool out_of_order = beside && (top < first_row || top > last_row);
            const std::ptrdiff_t worse = out_of_order ? k_words_meet : 0;
            const std::ptrdiff_t n = obstacles(r, least - worse) + worse;
            if (n >= least) return;
            best = r;
            least = n;
        };
        if (beside) consider(*beside, at_row - size.h / 2);
        for (int lines = 0; lines <= k_far_lines; ++lines) {
            const float away = size.h * static_cast<float>(lines) + gap;
            for (const float top : {at_row - away - size.h, at_row + away})
                for (const float left : lines == 0 ? near : far) consider(left, top);
        }
        for (int lines = 0; beside && best && least > 0 && lines <= k_most_lines; ++lines)
            for (int halves = 0; halves <= k_most_halves; ++halves)
                for (const float side : {-1.0f, 1.0f})
                    consider(*beside + size.w * 0.5f * static_cast<float>(halves),
                             at_row - size.h / 2 + side * size.h * static_cast<float>(lines));
        for (float top = plot.y; beside && best && least >= k_words_meet && top < plot.bottom();
             ++top)
            for (const float left : {*beside, plot.right() - size.w}) consider(left, top);
        if (!best)
            best =
                Rect{std::clamp(near[0], plot.x, std::max(plot.x, plot.right() - size.w)),
                     std::clamp(at_row - size.h, plot.y, std::max(plot.y, plot.bottom() - size.h)),
                     size.w, size.h};
        taken.push_back(*best);
        return *best;
    }
    Size words_size(Text text) const {
        return {canvas.text_size(text, k_tick_role).w + 4, canvas.line_height(k_tick_role)};
    }

    // Readable over a line that passes behind.
    void write(Rect words, Text text, Color color) const {
        canvas.fill_rect(words, theme.panel.with_alpha(0.85f), 3);
        canvas.text({words.x + 2, words.y}, text, k_tick_role, color);
    }

    // Below the words of marks above this one, with room for those of marks below it.
    void keep_order(const LineMark& mark, Point at, float line) {
        first_row = plot.y;
        for (const auto& [other, words] : named)
            if (other.x == at.x && other.y < at.y) first_row = std::max(first_row, words.bottom());
        const auto below = std::ranges::count_if(chart.marks, [&](const LineMark& other) {
            return other.x == mark.x && y.pixel(other.y) > at.y && !other.text.empty();
        });
        last_row = plot.bottom() - line * static_cast<float>(below + 1);
    }

    // A mark's words stand beside it, right before left, where its line ends there on its row;
    // straight above or below where they are far; in the order of the marks where these stand one
    // below the other.
    void draw_mark(const LineMark& mark) {
        const Point at{x.pixel(mark.x), y.pixel(mark.y)};
        if (!plot.inset(-3).contains(at)) return;
        Rect words;
        if (!mark.text.empty()) {
            const Size size = words_size(Text::typed(mark.text));
            keep_order(mark, at, size.h);
            const float right = at.x + 5, left = at.x - 5 - size.w;
            words = words_place(at.y, size, 7, {right, left, left},
                                {at.x - size.w / 2, right, left}, at.x + 8);
            named.emplace_back(at, words);
            // To whom the words belong, where they had to go far.
            const Point near = words.nearest_to(at);
            if (distance(near, at) > 10) canvas.line(at, near, mark.color);
        }
        canvas.fill_circle(at, 5, theme.panel);
        draw_marker(canvas, mark.marker, at, 4, mark.color);
        if (!mark.text.empty()) write(words, Text::typed(mark.text), theme.ink);
    }

    // A level's words stand along it, right before left before the middle.
    void write_level(const LineLevel& level) {
        const auto at = row(level.y);
        if (!at || *at < plot.y - 1 || *at > plot.bottom() + 1) return;
        const std::string fitting = canvas.elide(level.text, k_tick_role, plot.w - 4);
        const Text text = Text::typed(fitting);
        const Size size = words_size(text);
        const Lefts lefts{plot.right() - size.w, plot.x + 4, plot.center().x - size.w / 2};
        write(words_place(*at, size, 3, lefts, lefts), text, level.color);
    }
};

} // namespace

void draw_marker(Canvas& canvas, Marker marker, Point at, float radius, Color color) {
    const float r = radius, stroke = radius * 0.5f;
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
        return canvas.fill_rect(square_around(at, r * 0.9f), color);
    case Marker::triangle:
        return triangle(1.2f, 1.1f, 0.8f);
    case Marker::diamond:
        triangle(1.25f, 1, 0);
        return triangle(-1.25f, -1, 0);
    case Marker::ring:
        return canvas.stroke_circle(at, r, color, stroke);
    case Marker::frame:
        return canvas.stroke_rect(square_around(at, r), color, stroke);
    case Marker::cross:
        canvas.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, stroke);
        return canvas.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, color, stroke);
    case Marker::wedge:
        return triangle(-1.2f, -1.1f, -0.8f);
    }
}

LinePlot line_plot(const Canvas& canvas, Rect area, const LineChart& chart) {
    const float line = canvas.line_height(k_tick_role);
    cut_top(area, line / 2 + (chart.y_title.empty() ? 0 : line + 1));
    cut_bottom(area, line + 4);
    if (!chart.x_title.empty()) cut_bottom(area, line);
    LinePlot p;
    p.y = {chart.y_kind, chart.y_lo, chart.y_hi, area.bottom(), area.y};
    p.rows = row_ticks(canvas, p.y, k_tick_role, 1.6f);
    cut_left(area, widest_label(canvas, p.rows, k_tick_role) + 8);
    cut_right(area, 8);
    p.plot = area;
    p.x = {chart.x_kind, chart.x_lo, chart.x_hi, area.x, area.right()};
    return p;
}

void draw_line_chart(Canvas& canvas, const Theme& theme, Rect area, const LineChart& chart) {
    if (!canvas.sees(area)) return;
    LineDrawing d{line_plot(canvas, area, chart), canvas, theme, chart};
    const Rect plot = d.plot;
    if (plot.w < 10 || plot.h < 10) return;
    draw_rows(canvas, theme, d);
    draw_columns(canvas, theme, d, x_ticks(canvas, d, chart),
                 {area.x, plot.bottom() + 4, area.w, canvas.line_height(k_tick_role)});
    canvas.across(plot, plot.bottom(), theme.ink_soft);
    draw_x_title(canvas, theme, plot, area, chart.x_title);
    if (!chart.y_title.empty())
        canvas.text({area.x, area.y}, canvas.elide(chart.y_title, k_tick_role, area.w), k_tick_role,
                    theme.ink_soft);
    for (const LineMark& mark : chart.marks)
        d.taken.push_back(square_around({d.x.pixel(mark.x), d.y.pixel(mark.y)}, 5));
    d.find_runs();
    d.draw_lines();
    for (const LineMark& mark : chart.marks) d.draw_mark(mark);
    for (const LineLevel& level : chart.levels) d.write_level(level);
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
        // Values close together get ends of 1, 2 or 5 · 10^k: whole decades would leave most of the
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
