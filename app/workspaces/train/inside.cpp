#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "app/workspaces/train/inside_parts.h"
#include "app/workspaces/train/memory.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr std::size_t k_inside_lanes = 2; // side by side, on one scale
constexpr std::size_t k_most_ribbons = 12;
constexpr float k_inside_head = 22, k_inside_ticks = 20, k_layer_w = 26;
constexpr int k_ribbon_points = 160;

// Of `layers` at most so many, the first and the last among them, from the last down.
std::vector<std::size_t> shown_layers(std::size_t layers, std::size_t most) {
    std::vector<std::size_t> out;
    const std::size_t n = std::min(layers, std::max<std::size_t>(most, 1));
    for (std::size_t i = 0; i < n; ++i)
        out.push_back(n == 1 ? layers - 1 : (layers - 1) * (n - 1 - i) / (n - 1));
    return out;
}

// The lanes that are looked into: the one that is chosen and the first other one.
std::vector<SeenLane> looked_into(const Frame& f) {
    std::vector<SeenLane> lanes = seen_lanes(f);
    std::erase_if(lanes, [](const SeenLane& l) { return !l.state || l.state->trace.steps() == 0; });
    const auto chosen = f.view.of<TrainView>().lane;
    const auto at = std::ranges::find_if(
        lanes, [&](const SeenLane& l) { return chosen && l.index == *chosen; });
    if (at != lanes.end()) std::rotate(lanes.begin(), at, at + 1);
    if (lanes.size() > k_inside_lanes) lanes.resize(k_inside_lanes);
    return lanes;
}

// What mean + 2σ reaches in any of them: the common scale.
double reach_of(const std::vector<SeenLane>& lanes) {
    double most = 1;
    for (const SeenLane& lane : lanes)
        for (const LayerTrace& at : lane.state->trace.layers) {
            const double reach = static_cast<double>(at.mean) + static_cast<double>(at.std);
            if (std::isfinite(reach)) most = std::max(most, reach);
        }
    return std::min(most, 1e6);
}

// "Layer norm · layer 6 · step 640: RMS mean 0.1, σ 2.09".
void tell_inside(Ui& ui, Rect r, const Frame& f, Actions& a, const SeenLane& lane,
                 std::size_t layer) {
    const LaneTrace& trace = lane.state->trace;
    const auto next = lane.state->shot ? lane.state->shot->next : nullptr;
    const Hit hit = ui.hit(fmt::format("lane-{}-layer-{}", lane.index, layer + 1), r,
                           {.focusable = next != nullptr});
    ui.focus_ring(hit, r, ui.px(2));
    if (hit.clicked && next)
        a.ask = [=, name = lane.name](DrawMemory& m, const Document& d) {
            m.of<TrainMemory>().opened = {d, worded("layer {} of “{}”", layer + 1, name),
                                          "add-norm", open_layer(d, *next, layer, name)};
        };
    if (!hit.hovered) return;
    const Index step = step_under_mouse(ui, f, r.x, r.right());
    a.view.of<TrainView>().pointed = step;
    if (step > std::min(f.document.train.step, trace.steps())) return;
    const LayerTrace& at = trace.layer(step, layer);
    ui.tooltip(
        hit,
        worded("{} · layer {} · step {}: RMS mean {}, σ {}{}", lane.name, layer + 1, step,
               number_text(static_cast<double>(at.mean), 3),
               number_text(static_cast<double>(at.std), 3),
               next ? ". Click or Enter: this layer, as it is at the step that is looked at, in "
                      "1 Add & Norm"
                    : ""),
        r);
}

void ribbon(Ui& ui, Rect r, const Frame& f, Actions& a, const SeenLane& lane, std::size_t layer,
            double reach) {
    const LaneTrace& trace = lane.state->trace;
    tell_inside(ui, r, f, a, lane, layer);
    const Scale x = step_scale(f, r.x, r.right());
    const Scale y{ScaleKind::symlog, -reach, reach, r.bottom(), r.y, 1};
    const Index known = std::min(trace.steps(), f.document.train.common.steps);
    const Index now = std::min(known, f.document.train.step);
    std::vector<Point> upper, lower, middle;
    for (int i = 0; i < k_ribbon_points && now > 0; ++i) {
        const float at = r.x + r.w * (static_cast<float>(i) + 0.5f) / k_ribbon_points;
        const auto step = static_cast<Index>(std::lround(x.value(at)));
        if (step < 1 || step > now) continue;
        const LayerTrace& t = trace.layer(step, layer);
        const double mean = static_cast<double>(t.mean), std = static_cast<double>(t.std);
        if (!std::isfinite(mean) || !std::isfinite(std)) break;
        upper.push_back({at, std::clamp(y.pixel(mean + std), r.y, r.bottom())});
        lower.push_back({at, std::clamp(y.pixel(mean - std), r.y, r.bottom())});
        middle.push_back({at, std::clamp(y.pixel(mean), r.y, r.bottom())});
    }
    const Color color = lane_style(ui.theme, lane.look).color;
    ui.canvas.line({r.x, y.pixel(0)}, {r.right(), y.pixel(0)}, ui.theme.rule, ui.px(1));
    if (upper.size() > 1) {
        ui.canvas.fill_between(upper, lower, color.with_alpha(0.3f));
        ui.canvas.polyline(middle, color, ui.px(1.5f));
    }
    if (trace.diverged && now >= trace.diverged->step && now < f.document.train.step) {
        const float from = x.pixel(static_cast<double>(std::max<Index>(1, trace.diverged->step)));
        draw_no_numbers(ui, {from, r.y, r.right() - from, r.h});
    }
}

void inside_column(Ui& ui, Rect column, const Frame& f, Actions& a, const SeenLane& lane,
                   const std::vector<std::size_t>& layers, double reach) {
    lane_heading(ui, cut_top(column, ui.px(k_inside_head)), lane,
                 diverged_words(lane, f.document.train.step));
    Rect ticks = cut_bottom(column, ui.px(k_inside_ticks));
    const float h = column.h / static_cast<float>(layers.size());
    for (const std::size_t layer : layers)
        ribbon(ui, cut_top(column, h).inset(0, ui.px(1.5f)), f, a, lane, layer, reach);
    ui.label(ticks, "1", TextRole::small, ui.theme.ink_soft);
    ui.label(ticks, worded("step {}", f.document.train.common.steps), TextRole::small,
             ui.theme.ink_soft, Align::right);
}

} // namespace

void inside_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "inside");
    const std::vector<SeenLane> lanes = looked_into(f);
    const double reach = reach_of(lanes);
    Rect inside =
        panel(ui, "", r,
              {.title = "Inside: what φ reads",
               .hint = lanes.empty() ? std::string()
                                     : worded("RMS mean ± σ, to ±{}", number_text(reach, 2))});
    if (lanes.empty()) {
        ui.label(inside, "Run the race: means and σ of every layer stand here", TextRole::small,
                 ui.theme.ink_soft, Align::center);
        return;
    }
    std::size_t least = lanes.front().state->trace.layer_count;
    for (const SeenLane& lane : lanes) least = std::min(least, lane.state->trace.layer_count);
    const float gap = ui.px(14);
    const float ribbons_h = inside.h - ui.px(k_inside_head + k_inside_ticks);
    const auto fit = static_cast<std::size_t>(std::max(1.0f, ribbons_h / ui.px(16)));
    const std::vector<std::size_t> layers = shown_layers(least, std::min(fit, k_most_ribbons));
    Rect names = cut_left(inside, ui.px(k_layer_w));
    cut_top(names, ui.px(k_inside_head));
    cut_bottom(names, ui.px(k_inside_ticks));
    const float h = names.h / static_cast<float>(layers.size());
    for (const std::size_t layer : layers)
        ui.label(cut_top(names, h), fmt::format("{}", layer + 1), TextRole::small,
                 ui.theme.ink_soft);
    if (const SeenLane* const lane = affine_lane(lanes))
        affine_columns(ui, cut_right(inside, affine_columns_width(ui)), *lane, layers,
                       ui.px(k_inside_head), ui.px(k_inside_ticks));
    const auto n = static_cast<float>(lanes.size());
    const float w = (inside.w - gap * (n - 1)) / n;
    for (const SeenLane& lane : lanes) {
        inside_column(ui, cut_left(inside, w, gap), f, a, lane, layers, reach);
    }
}

} // namespace normscope
