#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr std::size_t k_inside_lanes = 2; // side by side, on one scale
constexpr std::size_t k_most_ribbons = 12;
constexpr float k_inside_head = 22, k_inside_ticks = 20, k_layer_w = 26;
constexpr int k_ribbon_points = 160;

// The lanes that are looked into: the one that is chosen and the first other one.
std::vector<SeenLane> looked_into(const Frame& f) {
    std::vector<SeenLane> lanes = chosen_first(f, trained_lanes(f));
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
    const Index step = point_at_step(ui, f, a, step_scale(f, r.x, r.right()));
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
    ui.canvas.across(r, y.pixel(0), ui.theme.rule, ui.px(1));
    if (upper.size() > 1) {
        ui.canvas.fill_between(upper, lower, color.with_alpha(0.3f));
        ui.canvas.polyline(middle, color, ui.px(1.5f));
    }
    draw_diverged(ui, r, f, trace);
}

void inside_column(Ui& ui, Rect column, const Frame& f, Actions& a, const SeenLane& lane,
                   const std::vector<std::size_t>& layers, double reach) {
    lane_heading(ui, cut_top(column, ui.px(k_inside_head)), lane,
                 diverged_words(lane, f.document.train.step));
    Rect ticks = cut_bottom(column, ui.px(k_inside_ticks));
    const float h = column.h / static_cast<float>(layers.size());
    for (const std::size_t layer : layers)
        ribbon(ui, cut_top(column, h).inset(0, ui.px(1.5f)), f, a, lane, layer, reach);
    step_ends(ui, ticks, f);
}

constexpr int k_bins = 13; // of a histogram; the middle one holds γ = 1 and β = 0
constexpr float k_affine_w = 58, k_affine_gap = 12;
constexpr double k_least_reach = 0.5;

// γ or β of every layer, around where it starts.
struct AffineColumn {
    std::string_view name;
    Stage stage;
    double start;
    std::vector<float> LayerAffine::*values;
};
constexpr std::array<AffineColumn, 2> k_columns = {
    {{"γ", Stage::gamma, 1, &LayerAffine::gamma}, {"β", Stage::beta, 0, &LayerAffine::beta}}};

const std::vector<LayerAffine>* affine_of_lane(const SeenLane& lane) {
    const LaneShot* const shot = lane.state ? lane.state->shot.get() : nullptr;
    if (!shot || !shot->finite || shot->affine.empty()) return nullptr;
    return shot->affine.front().gamma.empty() ? nullptr : &shot->affine;
}

// How far a value lies from where it starts, at most: in halves.
double reach_of_column(const std::vector<LayerAffine>& layers, const AffineColumn& column) {
    double most = k_least_reach;
    for (const LayerAffine& layer : layers)
        for (const float v : layer.*column.values)
            most = std::max(most, std::abs(static_cast<double>(v) - column.start));
    return std::ceil(most * 2) / 2;
}

void histogram(Ui& ui, Rect r, const std::vector<float>& values, const AffineColumn& column,
               double reach) {
    std::array<int, k_bins> counts{};
    for (const float v : values) {
        const double t = (static_cast<double>(v) - column.start + reach) / (2 * reach);
        ++counts[static_cast<std::size_t>(std::clamp(static_cast<int>(t * k_bins), 0, k_bins - 1))];
    }
    const auto most = static_cast<float>(std::ranges::max(counts));
    const float w = r.w / k_bins, room = r.h - ui.px(3);
    const float middle = r.center().x;
    ui.canvas.down(r, middle, ui.theme.rule, ui.px(1));
    for (int i = 0; i < k_bins; ++i) {
        const auto n = static_cast<float>(counts[static_cast<std::size_t>(i)]);
        if (n == 0) continue;
        const float h = std::max(room * n / most, ui.px(1));
        ui.canvas.fill_rect({r.x + w * static_cast<float>(i) + 0.5f, r.bottom() - h, w - 1, h},
                            ui.theme.of(column.stage));
    }
    ui.canvas.across(r, r.bottom(), ui.theme.ink_soft, ui.px(1));
}

// Of an axis that reaches far, how far.
void axis_ends(Ui& ui, Rect axis, double start, double reach) {
    constexpr double k_far = 10;
    const auto end = [&](const std::string& text, Align align) {
        ui.label(axis, text, TextRole::small, ui.theme.ink_soft, align);
    };
    if (reach >= k_far) return end("±" + number_text(reach, 2), Align::center);
    end(number_text(start - reach, 3), Align::left);
    end(number_text(start + reach, 3), Align::right);
}

// Histograms of γ and β of a lane that has them, below a heading and above the ends of their axes.
void affine_columns(Ui& ui, Rect area, const SeenLane& lane, const std::vector<std::size_t>& layers,
                    float head, float ticks) {
    const std::vector<LayerAffine>& all = *affine_of_lane(lane);
    for (const AffineColumn& column : k_columns) {
        cut_left(area, ui.px(k_affine_gap));
        Rect r = cut_left(area, ui.px(k_affine_w));
        Rect heading = cut_top(r, head);
        ui.tooltip(
            ui.hit(column.start == 1 ? "gamma" : "beta", heading, {.focusable = false}),
            worded("{} of the norms of each layer of “{}”, at this step", column.name, lane.name));
        ui.label(cut_left(heading, ui.px(16)), column.name, TextRole::label,
                 ui.theme.of(column.stage));
        draw_swatch(ui, cut_left(heading, ui.px(22)), lane_style(ui.theme, lane.look),
                    k_lane_marker);
        const Rect axis = cut_bottom(r, ticks);
        const double reach = reach_of_column(all, column);
        const float h = r.h / static_cast<float>(layers.size());
        for (const std::size_t layer : layers) {
            const Rect row = cut_top(r, h).inset(0, ui.px(1.5f));
            if (layer < all.size()) histogram(ui, row, all[layer].*column.values, column, reach);
        }
        axis_ends(ui, axis, column.start, reach);
    }
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
        soft_label(ui, inside, "Run the race: means and σ of every layer stand here",
                   Align::center);
        return;
    }
    std::size_t least = lanes.front().state->trace.layer_count;
    for (const SeenLane& lane : lanes) least = std::min(least, lane.state->trace.layer_count);
    const float gap = ui.px(14);
    const float ribbons_h = inside.h - ui.px(k_inside_head + k_inside_ticks);
    const auto fit = static_cast<std::size_t>(std::max(1.0f, ribbons_h / ui.px(16)));
    const std::vector<std::size_t> layers = layers_down(least, std::min(fit, k_most_ribbons));
    Rect names = cut_left(inside, ui.px(k_layer_w));
    cut_top(names, ui.px(k_inside_head));
    cut_bottom(names, ui.px(k_inside_ticks));
    const float h = names.h / static_cast<float>(layers.size());
    for (const std::size_t layer : layers)
        soft_label(ui, cut_top(names, h), fmt::format("{}", layer + 1));
    // Of the first lane that has γ and β.
    if (const auto lane = std::ranges::find_if(lanes, affine_of_lane); lane != lanes.end()) {
        const float w = ui.px(k_columns.size() * (k_affine_w + k_affine_gap));
        affine_columns(ui, cut_right(inside, w), *lane, layers, ui.px(k_inside_head),
                       ui.px(k_inside_ticks));
    }
    const auto n = static_cast<float>(lanes.size());
    const float w = (inside.w - gap * (n - 1)) / n;
    for (const SeenLane& lane : lanes)
        inside_column(ui, cut_left(inside, w, gap), f, a, lane, layers, reach);
}

} // namespace normscope
