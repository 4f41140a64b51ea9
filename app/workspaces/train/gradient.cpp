#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "app/workspaces/train/memory.h"
#include "app/workspaces/train/panels.h"
#include "app/workspaces/train/update_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_least_gradient = 1e-5, k_most_gradient = 10;
constexpr int k_gradient_columns = 120, k_gradient_layers = 16;
constexpr float k_name_w = 160, k_gradient_head = 28, k_gradient_ticks = 20;
constexpr std::array<ChoiceName, 2> k_quantities = {
    {{"gradient", "gradient"}, {"update", "update : data"}}};

// Pale to rust, by the logarithm.
Color gradient_color(const Theme& theme, double norm) {
    if (!std::isfinite(norm)) return theme.nan;
    const double span = std::log10(k_most_gradient / k_least_gradient);
    const double t = norm > 0 ? std::log10(norm / k_least_gradient) / span : 0;
    return mix(theme.heat_mid, theme.heat_high, static_cast<float>(std::clamp(t, 0.0, 1.0)));
}

// Of a row, counted from the top, of so many.
int layer_of_row(int row, int rows, int layers) {
    return rows == 1 ? 0 : (layers - 1) * (rows - 1 - row) / (rows - 1);
}

// "Layer norm · layer 6 · step 640: gradient 0.38".
void tell_gradient(Ui& ui, Rect r, const Frame& f, Actions& a, const SeenLane& lane, int rows) {
    const Hit hit = ui.hit(fmt::format("lane-{}", lane.index), r, {.focusable = false});
    if (!hit.hovered) return;
    const LaneTrace& trace = lane.state->trace;
    const Index step = step_under_mouse(ui, f, r.x, r.right());
    a.view.of<TrainView>().pointed = step;
    if (step > std::min(f.document.train.step, trace.steps())) return;
    const int row = std::clamp(
        static_cast<int>((ui.mouse().y - r.y) / r.h * static_cast<float>(rows)), 0, rows - 1);
    const int layer = layer_of_row(row, rows, static_cast<int>(trace.layer_count));
    const LayerTrace& at = trace.layer(step, static_cast<std::size_t>(layer));
    ui.tooltip(hit,
               worded("{} · layer {} · step {}: gradient {}", lane.name, layer + 1, step,
                      number_text(static_cast<double>(at.gradient_norm), 3)),
               r);
}

void gradient_cells(Ui& ui, Rect r, const Frame& f, Actions& a, const SeenLane& lane) {
    const LaneTrace& trace = lane.state->trace;
    const Index now = std::min(f.document.train.step, trace.steps());
    const auto layers = static_cast<int>(trace.layer_count);
    const int rows = std::min(layers, k_gradient_layers);
    if (rows > 0) tell_gradient(ui, r, f, a, lane, rows);
    const Scale x = step_scale(f, r.x, r.right());
    const float w = r.w / k_gradient_columns, h = r.h / static_cast<float>(std::max(rows, 1));
    for (int col = 0; col < k_gradient_columns; ++col) {
        const float at = r.x + w * static_cast<float>(col);
        const auto step = static_cast<Index>(std::lround(x.value(at + w / 2)));
        if (step < 1 || step > now) continue;
        for (int row = 0; row < rows; ++row) {
            const int layer = layer_of_row(row, rows, layers);
            const double norm = static_cast<double>(
                trace.layer(step, static_cast<std::size_t>(layer)).gradient_norm);
            ui.canvas.fill_rect({at, r.y + h * static_cast<float>(row), w + 0.5f, h},
                                gradient_color(ui.theme, norm));
        }
    }
    if (trace.diverged && f.document.train.step > trace.diverged->step) {
        const float from = x.pixel(static_cast<double>(std::max<Index>(1, trace.diverged->step)));
        draw_no_numbers(ui, {from, r.y, r.right() - from, r.h});
    }
    ui.canvas.stroke_rect(r, ui.theme.border, ui.px(1));
}

void gradient_legend(Ui& ui, Rect row) {
    ui.label(cut_left(row, ui.px(36)), "1e-5", TextRole::small, ui.theme.ink_soft);
    Rect bar = cut_left(row, ui.px(90)).inset(0, row.h * 0.3f);
    constexpr int k_steps = 30;
    for (int i = 0; i < k_steps; ++i) {
        const double t = static_cast<double>(i) / (k_steps - 1);
        const double norm = k_least_gradient * std::pow(k_most_gradient / k_least_gradient, t);
        ui.canvas.fill_rect(
            {bar.x + bar.w * static_cast<float>(i) / k_steps, bar.y, bar.w / k_steps + 0.5f, bar.h},
            gradient_color(ui.theme, norm));
    }
    cut_left(row, ui.px(6));
    ui.label(row, "10", TextRole::small, ui.theme.ink_soft);
}

} // namespace

void train_gradient_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "train-gradient");
    const bool updates = f.view.of<TrainView>().updates;
    Rect inside = panel(ui, "", r,
                        {.title = updates ? "Update : data" : "Gradient by layer",
                         .hint = updates ? "log₁₀(‖update‖/‖weights‖), mean of the layers"
                                         : "norm; layer 1 below"});
    std::vector<SeenLane> lanes = seen_lanes(f);
    std::erase_if(lanes, [](const SeenLane& l) { return !l.state || l.state->trace.steps() == 0; });
    if (lanes.empty()) {
        ui.label(inside, "Run the race: the gradients of every layer stand here", TextRole::small,
                 ui.theme.ink_soft, Align::center);
        return;
    }
    Rect head = cut_top(inside, ui.px(k_gradient_head), ui.px(4));
    if (!ui.state.picture)
        if (const auto c =
                segmented(ui, "quantity", cut_right(head, segmented_width(ui, k_quantities)),
                          k_quantities, updates ? 1 : 0))
            a.view.of<TrainView>().updates = *c == 1;
    if (updates) return update_chart(ui, inside, f, a, lanes);
    gradient_legend(ui, head);
    Rect ticks = cut_bottom(inside, ui.px(k_gradient_ticks));
    const float name_w = std::min(ui.px(k_name_w), inside.w * 0.35f);
    const float h = inside.h / static_cast<float>(lanes.size());
    for (const SeenLane& lane : lanes) {
        Rect row = cut_top(inside, h).inset(0, ui.px(2));
        const Rect name = cut_left(row, name_w, ui.px(6));
        lane_heading(ui, name, lane, "");
        gradient_cells(ui, row, f, a, lane);
    }
    cut_left(ticks, name_w + ui.px(6));
    ui.label(ticks, "1", TextRole::small, ui.theme.ink_soft);
    ui.label(ticks, worded("step {}", f.document.train.common.steps), TextRole::small,
             ui.theme.ink_soft, Align::right);
}

} // namespace normscope
