#include "app/charts/flow_band.h"
#include "app/language/language.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/shared/pen.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace normscope {

namespace {

// log10 of the ratio at the input that stands for a shape: well within what it is called, and far
// enough from its neighbours to be told from them on the axis.
double decades_of(ExpectedShape shape, double room) {
    constexpr double k_slow = 1;
    const double far = std::min(12.0, room - 0.5);
    const double of[] = {0, -k_slow, -far, k_slow, far}; // in the order of ExpectedShape
    return entry_at(of, shape);
}

// The drawn expectation at any l of 0 … blocks, in decades from the top.
double drawn_at(const std::map<int, double>& drawn, int blocks, int l) {
    const auto above = drawn.lower_bound(l);
    if (above == drawn.begin()) return above->second;
    const auto below = std::prev(above);
    const bool ends = above == drawn.end();
    const int to = ends ? blocks : above->first;
    const double to_value = ends ? 0 : above->second; // at the top it is the top's own
    if (to <= below->first) return below->second;
    const double t = static_cast<double>(l - below->first) / (to - below->first);
    return below->second + (to_value - below->second) * t;
}

} // namespace

std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top, double decades) {
    std::vector<DataPoint> points;
    if (view.drawn.empty() && !view.expected) return points;
    for (int l = 0; l <= blocks; ++l) {
        const double at_l = view.drawn.empty() ? decades_of(*view.expected, decades) *
                                                     (1 - static_cast<double>(l) / blocks)
                                               : drawn_at(view.drawn, blocks, l);
        points.push_back({static_cast<double>(l), top * std::pow(10.0, at_l)});
    }
    return points;
}

void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to, double decades) {
    pen_stroke(view.drawn, blocks, from, to, -decades, decades);
    view.expected.reset();
}

void ask_expectation(FlowPanel& p, Rect inside) {
    const int blocks = p.document.flow.stack.blocks;
    const FlowStory& story = *told_story(p.document.flow);
    cut_top(inside, paragraph(p, inside,
                              worded("{}. {}", stack_name(p.document.flow.stack), story.question)) +
                        6);
    const std::vector<ChoiceName> shapes = names_of<ExpectedShape>();
    Rect row = cut_top(inside, wrapped_choice_height(p, inside.w, shapes));
    const int now = p.view.expected ? static_cast<int>(*p.view.expected) : -1;
    if (const auto c = wrapped_choice(p, "shape", row, shapes, now)) {
        p.next.expected = static_cast<ExpectedShape>(*c);
        p.next.drawn.clear();
    }
    cut_top(inside, 6);
    Rect last = cut_bottom(inside, 28, 6);
    if (right_button(
            p, "reveal", last,
            {"Reveal", "Shows what was measured beside what you expect", true, ButtonLook::primary},
            10))
        p.next.revealed = true;
    soft_label(p, last, "Pick a shape, or draw it: drag across the chart.");

    const std::vector<DataPoint> guess = expectation(p.view, blocks, 1, story.answer_decades);
    LineChart chart;
    chart.y_kind = ScaleKind::log;
    chart.y_lo = std::pow(10.0, -story.answer_decades);
    chart.y_hi = std::pow(10.0, story.answer_decades);
    chart.x_hi = blocks;
    chart.x_counts = true;
    chart.x_title = "block (0 = input)";
    chart.y_title = "gradient, against that at the top";
    chart.marks.push_back(
        {static_cast<double>(blocks), 1, std::string(tr("the top")), p.theme.ink});
    chart.series.push_back({guess, {p.theme.focus}, 5});
    const LinePlot plot = line_plot(p.canvas, inside, chart);
    const Hit hit = p.hit("pen", plot.plot, k_by_mouse);
    if (const auto stroke = pen_moved(p, hit)) {
        const auto point = [&](Point at) {
            return DataPoint{plot.x.value(at.x), std::log10(plot.y.value(at.y))};
        };
        draw_expectation(p.next, blocks, point(stroke->first), point(stroke->second),
                         story.answer_decades);
    }
    draw_line_chart(p.canvas, p.theme, inside, chart);
}

std::string prediction_verdict(const FlowView& v, const StackStudy& study) {
    const auto measured = measured_shape(study);
    const auto points = flow_points(study, FlowQuantity::gradient);
    if (!measured || points.empty()) return "Measured: not a number.";
    const std::string ratio = flow_norm_text(points.front().mean / points.back().mean);
    const std::string was =
        worded("Measured: {}, {} times the top at the input.", label_of(*measured), ratio);
    if (v.expected)
        return worded("You expected: {} (the thick line). {}", label_of(*v.expected), was);
    return v.drawn.empty() ? was : worded("Thick line: as you drew it. {}", was);
}

} // namespace normscope
