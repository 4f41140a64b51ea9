#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

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
std::vector<SeenLane> looked_into(const TrainPanel& p) {
    std::vector<SeenLane> lanes = chosen_first(p, trained_lanes(p));
    if (lanes.size() > k_inside_lanes) lanes.resize(k_inside_lanes);
    return lanes;
}

// The common scale of the ribbons: the largest mean + σ of any lane and layer, within 1 … 1e6.
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
void tell_inside(TrainPanel& p, Rect r, const SeenLane& lane, std::size_t layer) {
    const LaneTrace& trace = lane.state->trace;
    const auto next = lane.state->shot ? lane.state->shot->next : nullptr;
    const Hit hit = p.hit(fmt::format("lane-{}-layer-{}", lane.index, layer + 1), r,
                          {.focusable = next != nullptr});
    p.focus_ring(hit, r, 2);
    if (hit.clicked && next)
        p.actions.ask = [=, name = lane.name](DrawMemory& m, const Document& d) {
            m.of<TrainMemory>().opened = {d, worded("layer {} of “{}”", layer + 1, name),
                                          "add-norm", open_layer(d, *next, layer, name)};
        };
    if (!hit.hovered) return;
    const Index step = point_at_step(p, step_scale(p, r));
    if (step > shown_steps(p, trace)) return;
    const LayerTrace& at = trace.layer(step, layer);
    const std::string words = worded("{} · layer {} · step {}: RMS mean {}, σ {}", lane.name,
                                     layer + 1, step, number_text(static_cast<double>(at.mean), 3),
                                     number_text(static_cast<double>(at.std), 3));
    p.tooltip(hit,
              next ? worded("{}. Click or Enter: this layer, as it is at the step that is looked "
                            "at, in 1 Add & Norm",
                            words)
                   : words,
              r);
}

void ribbon(TrainPanel& p, Rect r, const SeenLane& lane, std::size_t layer, double reach) {
    const LaneTrace& trace = lane.state->trace;
    tell_inside(p, r, lane, layer);
    const Scale x = step_scale(p, r);
    const Scale y{ScaleKind::symlog, -reach, reach, r.bottom(), r.y, 1};
    const Index now = shown_steps(p, trace);
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
    p.canvas.across(r, y.pixel(0), p.theme.rule);
    if (upper.size() > 1) {
        p.canvas.fill_between(upper, lower, lane.style.color.with_alpha(0.3f));
        p.canvas.polyline(middle, lane.style.color, 1.5f);
    }
    draw_diverged(p, r, trace);
}

// A row for each layer between a heading and the ends of an axis.
struct LayerRows {
    Rect head, ticks;
    std::vector<Rect> rows;
};

LayerRows layer_rows(Rect r, std::size_t layers) {
    LayerRows out{cut_top(r, k_inside_head), cut_bottom(r, k_inside_ticks), {}};
    const float h = r.h / static_cast<float>(layers);
    for (std::size_t i = 0; i < layers; ++i) out.rows.push_back(cut_top(r, h).inset(0, 1.5f));
    return out;
}

void inside_column(TrainPanel& p, Rect r, const SeenLane& lane,
                   const std::vector<std::size_t>& layers, double reach) {
    const LayerRows at = layer_rows(r, layers.size());
    lane_heading(p, at.head, lane, diverged_words(p, lane));
    for (const auto i : indices(layers)) ribbon(p, at.rows[i], lane, layers[i], reach);
    step_ends(p, at.ticks);
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
constexpr AffineColumn k_columns[] = {{"γ", Stage::gamma, 1, &LayerAffine::gamma},
                                      {"β", Stage::beta, 0, &LayerAffine::beta}};

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
        ++entry_at(counts, std::clamp(static_cast<int>(t * k_bins), 0, k_bins - 1));
    }
    const auto most = static_cast<float>(std::ranges::max(counts));
    const float w = r.w / k_bins, room = r.h - 3;
    const float middle = r.center().x;
    ui.canvas.down(r, middle, ui.theme.rule);
    for (const auto i : indices(k_bins)) {
        const auto n = static_cast<float>(entry_at(counts, i));
        if (n == 0) continue;
        const float h = std::max(room * n / most, 1.0f);
        ui.canvas.fill_rect({r.x + w * static_cast<float>(i) + 0.5f, r.bottom() - h, w - 1, h},
                            ui.theme.of(column.stage));
    }
    ui.canvas.across(r, r.bottom(), ui.theme.ink_soft);
}

// The numbers at the ends of an axis; where it reaches far, how far.
void axis_ends(Ui& ui, Rect axis, double start, double reach) {
    constexpr double k_far = 10;
    if (reach >= k_far) return soft_label(ui, axis, "±" + number_text(reach, 2), Align::center);
    soft_label(ui, axis, number_text(start - reach, 3));
    soft_label(ui, axis, number_text(start + reach, 3), Align::right);
}

// Histograms of γ and β of a lane that has them, below a heading and above the ends of their axes.
void affine_columns(Ui& ui, Rect area, const SeenLane& lane,
                    const std::vector<std::size_t>& layers) {
    const std::vector<LayerAffine>& all = *affine_of_lane(lane);
    for (const AffineColumn& column : k_columns) {
        cut_left(area, k_affine_gap);
        const LayerRows at = layer_rows(cut_left(area, k_affine_w), layers.size());
        Rect heading = at.head;
        ui.tooltip(
            ui.hit(column.start == 1 ? "gamma" : "beta", heading, k_by_mouse),
            worded("{} of the norms of each layer of “{}”, at this step", column.name, lane.name));
        ui.label(cut_left(heading, 16), column.name, TextRole::label, ui.theme.of(column.stage));
        draw_swatch(ui, cut_left(heading, 22), lane.style, k_lane_marker);
        const double reach = reach_of_column(all, column);
        for (const auto i : indices(layers))
            if (layers[i] < all.size())
                histogram(ui, at.rows[i], all[layers[i]].*column.values, column, reach);
        axis_ends(ui, at.ticks, column.start, reach);
    }
}

} // namespace

void inside_panel(TrainPanel& p) {
    const IdScope scope(p, "inside");
    const std::vector<SeenLane> lanes = looked_into(p);
    const double reach = reach_of(lanes);
    Rect inside =
        p.framed({.title = "Inside: what φ reads",
                  .hint = lanes.empty() ? std::string()
                                        : worded("RMS mean ± σ, to ±{}", number_text(reach, 2))});
    if (lanes.empty())
        return soft_label(p, inside, "Run the race: means and σ of every layer stand here",
                          Align::center);
    std::size_t least = lanes.front().state->trace.layer_count;
    for (const SeenLane& lane : lanes) least = std::min(least, lane.state->trace.layer_count);
    const float gap = 14;
    const float ribbons_h = inside.h - (k_inside_head + k_inside_ticks);
    const auto fit = static_cast<std::size_t>(std::max(1.0f, ribbons_h / 16.0f));
    const std::vector<std::size_t> layers = layers_down(least, std::min(fit, k_most_ribbons));
    const LayerRows names = layer_rows(cut_left(inside, k_layer_w), layers.size());
    for (const auto i : indices(layers))
        soft_label(p, names.rows[i], fmt::format("{}", layers[i] + 1));
    // The histograms are those of the first lane that has γ and β.
    if (const auto lane = std::ranges::find_if(lanes, affine_of_lane); lane != lanes.end()) {
        const float w = std::size(k_columns) * (k_affine_w + k_affine_gap);
        affine_columns(p, cut_right(inside, w), *lane, layers);
    }
    const auto n = static_cast<float>(lanes.size());
    const float w = (inside.w - gap * (n - 1)) / n;
    for (const SeenLane& lane : lanes)
        inside_column(p, cut_left(inside, w, gap), lane, layers, reach);
}

} // namespace normscope
