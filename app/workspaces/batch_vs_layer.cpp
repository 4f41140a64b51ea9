#include "app/workspaces/batch_vs_layer.h"

#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/page.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_gap = 12;
constexpr float k_wide = 1360;   // pixels at scale 1: three panels beside each other
constexpr float k_medium = 860;  // two
constexpr float k_first_h = 926; // of the part that is seen without scrolling, at least
constexpr float k_least_row_h = 400, k_most_row_h = 540; // the panels below the norms

// A row of panels: the share of the width of each.
template<class... Panel>
void row_of(Ui& ui, Rect row, const Frame& f, Actions& a,
            std::array<float, sizeof...(Panel)> shares, Panel&&... panels) {
    const float gap = ui.px(k_gap);
    const float w = row.w - gap * (sizeof...(Panel) - 1);
    std::size_t i = 0;
    const auto next = [&](auto&& panel) {
        const bool last = i + 1 == sizeof...(Panel);
        const Rect r = last ? row : cut_left(row, std::floor(w * shares[i]));
        cut_left(row, gap);
        ++i;
        panel(ui, r, f, a);
    };
    (next(panels), ...);
}

float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_gap);
    const float top = area.y;
    const float h = std::max(area.h, ui.px(k_first_h));
    area.h = 1e6f;
    const float norms_h = norms_height(ui, f, area.w);
    norms_panel(ui, cut_top(area, norms_h), f, a);
    cut_top(area, gap);
    const float row_h = std::clamp(h - norms_h - gap, ui.px(k_least_row_h), ui.px(k_most_row_h));
    row_of(ui, cut_top(area, row_h), f, a, {0.56f, 0.44f}, influence_panel, batch_size_panel);
    cut_top(area, gap);
    row_of(ui, cut_top(area, ui.px(470)), f, a, {0.44f, 0.56f}, running_panel, small_batches_panel);
    cut_top(area, gap);
    sequences_panel(ui, cut_top(area, sequences_height(ui, area.w)), f, a);
    return area.y - top;
}

float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_gap);
    const float top = area.y;
    area.h = 1e6f;
    const auto full = [&](float height, auto&& panel) {
        panel(ui, cut_top(area, ui.px(height)), f, a);
        cut_top(area, gap);
    };
    norms_panel(ui, cut_top(area, norms_height(ui, f, area.w)), f, a);
    cut_top(area, gap);
    full(360, influence_panel);
    full(360, batch_size_panel);
    row_of(ui, cut_top(area, ui.px(500)), f, a, {0.46f, 0.54f}, running_panel, small_batches_panel);
    cut_top(area, gap);
    sequences_panel(ui, cut_top(area, sequences_height(ui, area.w)), f, a);
    return area.y - top;
}

float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_gap);
    const float top = area.y;
    area.h = 1e6f;
    const auto full = [&](float height, auto&& panel) {
        panel(ui, cut_top(area, ui.px(height)), f, a);
        cut_top(area, gap);
    };
    norms_panel(ui, cut_top(area, norms_height(ui, f, area.w)), f, a);
    cut_top(area, gap);
    full(340, influence_panel);
    full(380, batch_size_panel);
    full(460, running_panel);
    full(520, small_batches_panel);
    sequences_panel(ui, cut_top(area, sequences_height(ui, area.w)), f, a);
    return area.y - top;
}

constexpr std::array<FigureEntry, 6> k_figures = {{
    {"norms", "The same Z, three norms", {1560, 420}, norms_panel},
    {"influence", "Who touches whom", {880, 420}, influence_panel},
    {"batch-size", "Training against evaluation", {760, 420}, batch_size_panel},
    {"running", "Running statistics", {700, 470}, running_panel},
    {"small-batches", "Small batches", {880, 470}, small_batches_panel},
    {"sequences", "Sequences", {1560, 640}, sequences_panel},
}};

} // namespace

float batch_vs_layer_workspace(Ui& ui, Rect area, const Frame& f, Actions& a) {
    return draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
}

std::span<const FigureEntry> batch_vs_layer_figures() {
    return k_figures;
}

} // namespace normscope
