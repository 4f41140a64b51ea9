#include "app/charts/flow_band.h"
#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "app/widgets/paragraph.h"
#include "app/workspaces/gradient_flow/expectation.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/shared/choice.h"

#include <cmath>

namespace normscope {

void ask_expectation(Ui& ui, Rect inside, const Frame& f, Actions& a) {
    const FlowView& v = f.view.of<FlowView>();
    const int blocks = f.document.flow.stack.blocks;
    const FlowStory& story = *told_story(f.document.flow);
    cut_top(inside, paragraph(ui, inside,
                              worded("{}. {}", stack_name(f.document.flow.stack), story.question),
                              TextRole::label, ui.theme.ink) +
                        ui.px(6));
    const std::vector<ChoiceName> shapes = names_of<ExpectedShape>();
    Rect row = cut_top(inside, wrapped_choice_height(ui, inside.w, shapes));
    const int now = v.expected ? static_cast<int>(*v.expected) : -1;
    if (const auto c = wrapped_choice(ui, "shape", row, shapes, now)) {
        a.view.of<FlowView>().expected = static_cast<ExpectedShape>(*c);
        a.view.of<FlowView>().drawn.clear();
    }
    cut_top(inside, ui.px(6));
    Rect last = cut_bottom(inside, ui.px(28), ui.px(6));
    const std::string_view label = "Reveal";
    if (button(
            ui, "reveal", cut_right(last, button_width(ui, label), ui.px(10)),
            {label, ButtonLook::primary, true, "Shows what was measured beside what you expect"}))
        a.view.of<FlowView>().revealed = true;
    ui.label(last, "Pick a shape, or draw it: drag across the chart.", TextRole::small,
             ui.theme.ink_soft);

    const std::vector<DataPoint> guess = expectation(v, blocks, 1, story.answer_decades);
    LineChart chart;
    chart.y_kind = ScaleKind::log;
    chart.y_lo = std::pow(10.0, -story.answer_decades);
    chart.y_hi = std::pow(10.0, story.answer_decades);
    chart.x_hi = blocks;
    chart.x_counts = true;
    chart.x_title = "block (0 = input)";
    chart.y_title = "gradient, against that at the top";
    chart.marks.push_back({static_cast<double>(blocks), 1, "the top", ui.theme.ink});
    chart.series.push_back({"expected", guess, ui.theme.focus, Dash::solid, 5});
    const LinePlot plot = line_plot(ui.canvas, inside, chart);
    const Hit hit = ui.hit("pen", plot.plot, {.focusable = false});
    if (hit.held) {
        const ImVec2 moved = hit.pressed ? ImVec2{0, 0} : ImGui::GetIO().MouseDelta;
        const Point at = ui.mouse();
        const auto point = [&](float x, float y) {
            return DataPoint{plot.x.value(x), std::log10(plot.y.value(y))};
        };
        draw_expectation(a.view.of<FlowView>(), blocks, point(at.x - moved.x, at.y - moved.y),
                         point(at.x, at.y), story.answer_decades);
    }
    draw_line_chart(ui.canvas, ui.theme, inside, chart);
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
    return v.drawn.empty() ? was : worded("Thick line: as you drew it. ") + was;
}

} // namespace normscope
