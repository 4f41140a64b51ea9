#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/memory.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

std::vector<SeenLane> seen_lanes(const Frame& f) {
    const RaceSetup& setup = f.document.train;
    const RaceState& state = f.memory.of<TrainMemory>().runner.state();
    std::vector<SeenLane> out;
    for (std::size_t i = 0; i < setup.lanes->size(); ++i) {
        const Lane& lane = (*setup.lanes)[i];
        if (!lane.on) continue;
        out.push_back({i, lane_name(setup, lane), lane.look,
                       i < state.lanes.size() ? state.lanes[i].get() : nullptr});
    }
    return out;
}

LaneStyle lane_style(const Theme& theme, std::size_t look) {
    const std::array<LaneStyle, k_most_lanes> styles = {{
        {theme.ink, Dash::solid, Marker::circle},
        {theme.of(Stage::y), Dash::solid, Marker::triangle},
        {theme.of(Stage::x), Dash::dashed, Marker::diamond},
        {theme.of(Stage::x_hat), Dash::dotted, Marker::ring},
        {theme.of(Stage::gamma), Dash::dashed, Marker::square},
        {theme.of(Stage::f), Dash::dotted, Marker::wedge},
    }};
    return styles[look % styles.size()];
}

void draw_lane_swatch(Ui& ui, Rect r, const LaneStyle& style) {
    const float y = r.center().y;
    ui.canvas.line({r.x, y}, {r.right(), y}, style.color, ui.px(2), style.dash);
    draw_marker(ui.canvas, style.marker, r.center(), ui.px(4), style.color);
}

void lane_heading(Ui& ui, Rect row, const SeenLane& lane, std::string_view words) {
    if (!words.empty()) {
        const float w = ui.canvas.text_size(words, TextRole::number_small).w + 1;
        ui.label(cut_right(row, std::min(w, row.w), ui.px(6)), words, TextRole::number_small,
                 ui.theme.ink, Align::right);
    }
    draw_lane_swatch(ui, cut_left(row, ui.px(24), ui.px(6)), lane_style(ui.theme, lane.look));
    const AsTyped name(ui.canvas);
    ui.label(row, lane.name, TextRole::small, ui.theme.ink);
}

std::string diverged_words(const SeenLane& lane, Index step) {
    if (!lane.state || !lane.state->trace.diverged) return {};
    const Index at = lane.state->trace.diverged->step;
    return step > at ? worded("NaN after step {}", at) : std::string();
}

void draw_no_numbers(Ui& ui, Rect r) {
    if (r.w <= 0 || r.h <= 0) return;
    ui.canvas.push_clip(r);
    ui.canvas.fill_rect(r, ui.theme.nan.with_alpha(0.16f));
    const float step = ui.px(10);
    for (float x = r.x - r.h; x < r.right(); x += step)
        ui.canvas.line({x, r.bottom()}, {x + r.h, r.y}, ui.theme.nan.with_alpha(0.3f), ui.px(1));
    ui.canvas.pop_clip();
}

BaseLine base_line(const Frame& f) {
    const TrainConfig& c = f.document.train.common;
    const auto& data = f.memory.of<TrainMemory>().runner.state().data;
    Index choices = c.symbols;
    if (kind_of(c.task) == TaskKind::points) choices = data ? data->class_count : 2;
    if (kind_of(c.task) == TaskKind::text && data) choices = data->vocabulary;
    return {std::log(static_cast<double>(choices)), worded("ln {}: a guess", choices)};
}

Scale step_scale(const Frame& f, float from, float to) {
    const auto steps = static_cast<double>(std::max<Index>(2, f.document.train.common.steps));
    return {f.view.of<TrainView>().log_steps ? ScaleKind::log : ScaleKind::linear, 1, steps, from,
            to};
}

Index step_under_mouse(const Ui& ui, const Frame& f, float from, float to) {
    const double step = step_scale(f, from, to).value(ui.mouse().x);
    return std::clamp<Index>(static_cast<Index>(std::lround(step)), 1,
                             f.document.train.common.steps);
}

std::string percent_text(double share) {
    const double percent = 100 * share;
    return fixed_text(percent, std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1) + " %";
}

} // namespace normscope
