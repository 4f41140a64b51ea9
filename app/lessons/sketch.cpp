#include "app/charts/line_chart.h"
#include "app/language/language.h"
#include "app/lessons/question.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

constexpr float k_sketch_h = 190;
constexpr float k_key_step = 0.05f; // the share of the axis that a key moves a point by
constexpr int k_sketch_digits = 3;
constexpr float k_upright = 3; // a stroke that is steeper goes up or down

std::vector<DataPoint> points_of(std::span<const double> heights) {
    std::vector<DataPoint> points;
    for (const auto i : indices(heights)) points.push_back({static_cast<double>(i), heights[i]});
    return points;
}

// The mouse moved from one place to another: every point of the curve that it passed takes its
// height, so that a quick stroke leaves no gaps. The nearest point takes the mouse's height where
// the stroke goes up or down, and where the point is not drawn yet.
void draw_stroke(const LessonPrediction& predict, Rect plot, Point from, Point to,
                 std::vector<double>& heights) {
    const double a = sketch_column(predict, plot, from.x), b = sketch_column(predict, plot, to.x);
    const double last = static_cast<double>(heights.size() - 1);
    const auto nearest = static_cast<std::size_t>(std::lround(std::clamp(b, 0.0, last)));
    const bool upright = k_upright * std::abs(to.x - from.x) <= std::abs(to.y - from.y);
    for (const auto i : indices(heights)) {
        const auto x = static_cast<double>(i);
        float y = to.y;
        if (i != nearest || !(upright || std::isnan(heights[i]))) {
            if ((x - a) * (x - b) > 0 || a == b) continue;
            y = from.y + static_cast<float>((x - a) / (b - a)) * (to.y - from.y);
        }
        heights[i] = to_significant(sketch_height(predict, plot, y), k_sketch_digits);
    }
}

// The keys left and right choose a point, up and down move the point.
bool move_by_keys(const LessonPrediction& predict, Rect plot, LessonPlayer& player) {
    std::size_t& at = player.key_column;
    if (key_pressed(Key::left, true) && at > 0) return --at, true;
    if (key_pressed(Key::right, true) && at + 1 < player.heights.size()) return ++at, true;
    const int steps = (key_pressed(Key::up, true) ? 1 : 0) - (key_pressed(Key::down, true) ? 1 : 0);
    if (steps == 0) return false;
    // A point that is not drawn yet begins at its neighbour's height, or in the middle.
    double from = player.heights[at];
    if (std::isnan(from) && at > 0) from = player.heights[at - 1];
    float y = std::isnan(from) ? plot.center().y : sketch_place(predict, plot, at, from).y;
    y -= static_cast<float>(steps) * k_key_step * plot.h;
    player.heights[at] = to_significant(sketch_height(predict, plot, y), k_sketch_digits);
    return true;
}

} // namespace

Rect draw_sketch_chart(Canvas& canvas, const Theme& theme, Rect area,
                       const LessonPrediction& predict, std::span<const double> drawn,
                       std::span<const double> values) {
    const std::vector<DataPoint> of_hand = points_of(drawn), measured = points_of(values);
    LineChart chart;
    chart.y_kind = predict.axis.log ? ScaleKind::log : ScaleKind::linear;
    chart.y_lo = predict.axis.from;
    chart.y_hi = predict.axis.to;
    chart.y_title = predict.axis.title;
    chart.x_lo = sketch_column(predict, {0, 0, 1, 1}, 0);
    chart.x_hi = sketch_column(predict, {0, 0, 1, 1}, 1);
    for (const auto i : indices(predict.items))
        chart.x_ticks.push_back({static_cast<double>(i), predict.items[i].text});
    chart.series.push_back({of_hand, {theme.focus, Dash::solid, Marker::ring}, 4});
    if (!measured.empty()) {
        chart.series.push_back({measured, {theme.ink, Dash::dashed, Marker::circle}});
        if (!of_hand.empty())
            chart.marks.push_back(
                {of_hand.front().x, of_hand.front().y, std::string(tr("yours")), theme.focus});
        chart.marks.push_back(
            {measured.back().x, measured.back().y, std::string(tr("measured")), theme.ink});
    }
    draw_line_chart(canvas, theme, area, chart);
    return line_plot(canvas, area, chart).plot;
}

bool draw_sketch(LessonColumn& column, LessonPlayer& player) {
    Ui& ui = column.ui;
    const LessonPrediction& predict = *player.step().predict;
    std::vector<double> values;
    if (!player.asks() && !player.can_check())
        values = item_values(predict, player.scope()).value_or(values);
    const Rect plot = draw_sketch_chart(ui.canvas, ui.theme, column.next(k_sketch_h), predict,
                                        player.heights, values);
    column.space(6);
    const Hit hit = ui.hit("sketch", plot);
    bool changed = false;
    const Point by = hit.pressed ? Point{} : ui.mouse_moved();
    if (hit.held && (hit.pressed || by.x != 0 || by.y != 0)) {
        const Point at = ui.mouse();
        const std::vector<double> before = player.heights;
        draw_stroke(predict, plot, {at.x - by.x, at.y - by.y}, at, player.heights);
        changed = before != player.heights;
    }
    if (hit.focused) {
        ui.state.scroll_keys_used = true;
        changed |= move_by_keys(predict, plot, player);
    }
    if (hit.focused && ui.state.focus_visible) {
        const float x = sketch_place(predict, plot, player.key_column, predict.axis.from).x;
        ui.canvas.down(plot, x, ui.theme.focus, 1, Dash::dotted);
    }
    ui.focus_ring(hit, plot, 3);
    const auto left = std::ranges::count_if(player.heights, [](double h) { return std::isnan(h); });
    if (player.asks())
        column.text(left == 0 ? "Draw over it, as long as you like."
                              : worded("Drag across the chart, or Tab to it and use the "
                                       "arrows: {} of {} points drawn.",
                                       player.heights.size() - static_cast<std::size_t>(left),
                                       player.heights.size()),
                    TextRole::small);
    return changed;
}

} // namespace normscope
