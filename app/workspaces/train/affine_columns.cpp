#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/inside_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

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
    ui.canvas.line({middle, r.y}, {middle, r.bottom()}, ui.theme.rule, ui.px(1));
    for (int i = 0; i < k_bins; ++i) {
        const auto n = static_cast<float>(counts[static_cast<std::size_t>(i)]);
        if (n == 0) continue;
        const float h = std::max(room * n / most, ui.px(1));
        ui.canvas.fill_rect({r.x + w * static_cast<float>(i) + 0.5f, r.bottom() - h, w - 1, h},
                            ui.theme.of(column.stage));
    }
    ui.canvas.line({r.x, r.bottom()}, {r.right(), r.bottom()}, ui.theme.ink_soft, ui.px(1));
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

} // namespace

const SeenLane* affine_lane(const std::vector<SeenLane>& lanes) {
    const auto at = std::ranges::find_if(lanes, affine_of_lane);
    return at == lanes.end() ? nullptr : &*at;
}

float affine_columns_width(const Ui& ui) {
    return ui.px(k_columns.size() * (k_affine_w + k_affine_gap));
}

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
        draw_lane_swatch(ui, cut_left(heading, ui.px(22)), lane_style(ui.theme, lane.look));
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

} // namespace normscope
