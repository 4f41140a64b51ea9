#include "app/charts/line_chart.h"
#include "app/workspaces/backward/panels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {

namespace {

constexpr double k_dial_decades = 5; // to either side of 1
constexpr double k_above = 100;
constexpr double k_least_y = 0.9; // of ‖Y − β‖: below it ε counts
constexpr double k_stays = 0.01;  // so far Y may move where it is said to stay
constexpr double k_level = 0.8; // of the gradient at twice the scale, where a slope of −1 has 0.5
constexpr double k_swing = 0.75 * std::numbers::pi;
constexpr float k_ring_below = 0.708f; // radii from the dial's centre to its ring's ends

// A ratio on a round scale, 1 at the top, ten times as much a fifth of the way round.
void dial(Ui& ui, Rect r, double ratio, std::string_view name, Color color) {
    // The ring is open at the bottom: the words below it begin where it ends.
    const float radius = std::min(r.w / 2 - 6.0f, (r.h - 54.0f) / (1 + k_ring_below));
    if (radius < 12) return;
    const Point c{r.center().x, r.y + radius + 6};
    const auto at = [&](double decades, float distance) {
        const double angle = decades / k_dial_decades * k_swing - std::numbers::pi / 2;
        return Point{c.x + static_cast<float>(std::cos(angle)) * distance,
                     c.y + static_cast<float>(std::sin(angle)) * distance};
    };
    const auto ring = [&](double from, double to, Color ink) {
        const int steps = std::max(1, static_cast<int>(std::abs(to - from) * 6));
        std::vector<Point> arc;
        for (int i = 0; i <= steps; ++i)
            arc.push_back(at(std::lerp(from, to, double(i) / steps), radius));
        ui.canvas.polyline(arc, ink, 5);
    };
    ring(-k_dial_decades, k_dial_decades, ui.theme.rule);
    const double decades = std::clamp(ratio > 0 ? std::log10(ratio) : -k_dial_decades,
                                      -k_dial_decades, k_dial_decades);
    if (std::isfinite(ratio)) ring(0, decades, color);
    for (int d = -4; d <= 4; d += 2)
        ui.canvas.line(at(d, radius - 8), at(d, radius - 4), ui.theme.ink_soft);
    if (std::isfinite(ratio)) {
        ui.canvas.line(c, at(decades, radius - 9), ui.theme.ink, 2);
        ui.canvas.fill_circle(c, 3.5f, ui.theme.ink);
    }
    const float below = c.y + radius * k_ring_below + 6;
    ui.label({r.x, below, r.w, 20}, "× " + number_text(ratio, 3), TextRole::number, ui.theme.ink,
             Align::center);
    ui.label({r.x, below + 19, r.w, 20}, name, TextRole::small, ui.theme.ink_soft, Align::center);
}

// The plotted gradient: dX, or without a skip dF(X), as dX is 0 then and dz goes to F(X) alone.
struct Receiver {
    std::string name;
    Stage stage;
};

void curve(Ui& ui, Rect r, const ScaleCurve& scale_curve, double scale, const Receiver& receiver) {
    std::vector<DataPoint> points, ideal;
    std::vector<double> values;
    for (const ScaleCurve::Point& p : scale_curve.points()) {
        points.push_back({p.scale, p.gradient});
        values.push_back(p.gradient);
    }
    LineChart chart;
    chart.x_kind = chart.y_kind = ScaleKind::log;
    chart.x_lo = k_least_scale;
    chart.x_hi = k_most_scale;
    const LineRange y = line_range(ScaleKind::log, values);
    chart.y_lo = y.lo;
    chart.y_hi = y.hi * k_above; // to see the dashed line leave
    chart.x_title = "Z ×";
    const std::string size = "‖" + receiver.name + "‖";
    chart.y_title = size;
    // Through the right end, where ε counts least, if any part of the curve has that slope.
    const double anchor = points.back().y * points.back().x;
    if (points.back().y <= k_level * scale_curve.gradient(k_most_scale / 2)) {
        for (const DataPoint& p : points) ideal.push_back({p.x, anchor / p.x});
        chart.series.push_back({ideal, {ui.theme.ink_soft, Dash::dashed}, 1});
        chart.y_title = worded("{}, dashed: slope −1", size);
    }
    const Color color = ui.theme.of(receiver.stage);
    chart.series.push_back({points, {color}});
    const double now = scale_curve.gradient(scale);
    chart.marks.push_back({scale, now, number_text(now, 3), color});
    draw_line_chart(ui.canvas, ui.theme, r, chart);
}

} // namespace

void scale_panel(BackPanel& p) {
    const IdScope scope(p, "see-saw");
    const Backward& b = backward_of(p.frame);
    const BackwardSetup& s = p.document.backward;
    const double scale = s.scale;
    const ScaleCurve& c = b.scale_curve();
    const double usual = c.gradient(1);
    const Receiver receiver = b.skip() ? Receiver{"dX", Stage::x} : Receiver{"dF(X)", Stage::f};
    const bool finite = std::isfinite(usual);
    const bool no_gradient = next_to_nothing(b);
    const bool lost_by_break =
        s.broken != BrokenTerm::none && !b.vanishing() && !b.target_reached();
    const bool leaves_trace = b.vanishing() && !b.target_reached() && !b.dz_is_rounding();
    // These losses would have another gradient at another Y.
    const bool dy_is_held = s.loss == LossKind::distance || s.loss == LossKind::cross_entropy;
    Rect inside = p.framed({.title = "Scale see-saw", .hint = dy_is_held ? "dY stays" : ""});
    Rect row = cut_top(inside, 28);
    p.label(cut_left(row, 30), "Z", TextRole::label, p.theme.ink_of(Stage::z));
    p.control<&BackwardSetup::scale>(row);
    const bool shrinks = c.output(scale) < k_least_y;
    // Against what is drawn at 1, and against a little more of the slider.
    const bool stays = std::abs(c.output(scale) - 1) < k_stays &&
                       c.output(2 * scale) < c.output(scale) * (1 + k_stays);
    const bool levels_off = c.gradient(2 * scale) > k_level * c.gradient(scale);
    soft_label(p, cut_top(inside, 22, 4),
               !finite         ? "A value that is not a number has no size."
               : leaves_trace  ? worded("{} is 0 but for what ε leaves.", receiver.name)
               : no_gradient   ? worded("{} is 0 at every scale.", receiver.name)
               : b.running()   ? "μ and σ are constants: Y moves with Z, the gradient stays."
               : !b.rescales() ? "No norm: Y goes as the scale, the gradient stays."
               : shrinks       ? "ε takes over: Y shrinks, the gradient levels off."
               : levels_off    ? "ε takes over: the gradient levels off."
               : !stays        ? "ε is felt: Y nearly stays, the gradient goes nearly as 1/scale."
                               : "Y stays, the gradient goes as 1/scale.");
    Rect dials = cut_left(inside, std::min(250.0f, inside.w * 0.45f), 12.0f);
    const Rect first = cut_left(dials, dials.w / 2);
    dial(p, first, c.output(scale), "‖Y − β‖", p.theme.of(Stage::y));
    if (finite && no_gradient) {
        const Rect words{dials.x + 12, inside.y, inside.right() - dials.x - 12, inside.h};
        soft_paragraph(
            p, words,
            lost_by_break
                ? worded("No curve: with a term left out, nothing of {} is left.", receiver.name)
            : leaves_trace ? worded("No curve: were ε 0, {} would be 0 however large Z is. The "
                                    "card dY says why; what is left is a trace of ε, which "
                                    "follows no slope.",
                                    receiver.name)
                           : worded("No curve: {} is 0 however large Z is. The card dY says why.",
                                    receiver.name));
        return;
    }
    dial(p, dials, usual == 0 ? 1 : c.gradient(scale) / usual, "‖" + receiver.name + "‖",
         p.theme.of(receiver.stage));
    if (finite)
        curve(p, inside, c, scale, receiver);
    else
        soft_paragraph(p, inside,
                       b.error() ? worded("No curve. {}", sentence(*b.error()))
                       : b.not_a_number()
                           ? worded("No curve: {}", b.not_a_number()->words(p.state.picture))
                           : "No curve: Z or dY holds values that are not numbers.");
}

} // namespace normscope
