#include "app/shell/present/present.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <vector>

namespace normscope {
namespace {

constexpr float k_list_margin = 14, k_list_gap = 14; // at the bar's scale
constexpr float k_list_label = 24;
constexpr float k_least_list_scale = 0.1f;

std::span<const FigureEntry> listed_panels(const App::State& s) {
    return s.workspace().figures;
}

// Equal cells that fill the area, row by row.
struct ListCells {
    std::size_t columns;
    float w, h;

    ListCells(Rect area, std::size_t count, float gap) {
        columns = static_cast<std::size_t>(
            std::ceil(std::sqrt(static_cast<float>(count) * area.w / area.h)));
        columns = std::clamp<std::size_t>(columns, 1, count);
        const std::size_t rows = (count + columns - 1) / columns;
        w = area.w / static_cast<float>(columns) - gap;
        h = area.h / static_cast<float>(rows) - gap;
    }
    Rect at(Rect area, std::size_t i, float gap) const {
        return {area.x + static_cast<float>(i % columns) * (w + gap),
                area.y + static_cast<float>(i / columns) * (h + gap), w, h};
    }
};

std::string tile_id(const FigureEntry& figure) {
    return fmt::format("panel-{}", figure.id);
}

// The arrow keys go from tile to tile, at first from the panel that is shown.
void walk_tiles(App::State& s, std::size_t columns) {
    const auto panels = listed_panels(s);
    const auto id_of = [&](std::size_t i) { return NamePart(tile_id(panels[i])).id(); };
    std::size_t at = shown_slide(s).panel;
    for (const auto i : indices(panels))
        if (id_of(i) == s.ui.focus) at = i;
    std::size_t to = at;
    if (key_pressed(Key::right, true)) to += 1;
    if (key_pressed(Key::down, true)) to += columns;
    if (key_pressed(Key::left, true)) to -= 1;
    if (key_pressed(Key::up, true)) to -= columns;
    if (to == at && s.ui.focus != 0) return;
    s.ui.focus = id_of(to < panels.size() ? to : at);
    s.ui.focus_visible = true;
}

} // namespace

void show_panel_list(App::State& s) {
    s.present.list = !s.present.list;
    s.ui.focus = 0; // the page that had it is gone
    s.frames_wanted = 2;
}

float panel_list_scale(const App::State& s) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float bar = s.fonts.bar;
    const Rect area =
        Rect{0, 0, window.x, window.y - 2 * k_list_margin * bar}.inset(k_list_margin * bar);
    const ListCells cells(area, listed_panels(s).size(), k_list_gap * bar);
    std::vector<float> scales;
    for (const FigureEntry& figure : listed_panels(s))
        scales.push_back(
            std::min(cells.w / figure.size.w, (cells.h - k_list_label * bar) / figure.size.h));
    // Most have their own size; the largest are laid out in less room.
    const auto middle = scales.begin() + std::ssize(scales) / 2;
    std::ranges::nth_element(scales, middle);
    const float scale = std::min(1.0f, *middle);
    constexpr float k_steps = 20; // a unit of scale; each has fonts of its own
    return std::max(k_least_list_scale, std::floor(scale * k_steps) / k_steps);
}

void draw_panel_list(Turn turn, App::State& s) {
    const float bar = s.fonts.bar / s.fonts.scale, gap = k_list_gap * bar;
    const Rect area = turn.rect.inset(k_list_margin * bar);
    const ListCells cells(area, listed_panels(s).size(), gap);
    const IdScope scope(turn, "presenter");
    const FontSet fonts = bar_fonts(s);
    ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), fonts, &s.textures, s.drawing, s.ui.texts);
    Ui words(canvas, turn.theme, s.ui);
    s.pictures_ui.picture = true;
    Ui pictures(turn.canvas, turn.theme, s.pictures_ui);
    Actions unused;
    unused.view = s.view;
    walk_tiles(s, cells.columns);
    for (const auto i : indices(listed_panels(s))) {
        const FigureEntry& figure = listed_panels(s)[i];
        Rect cell = cells.at(area, i, gap);
        const Hit hit = turn.hit(tile_id(figure), cell, {.kind = PartKind::choice});
        const bool is_shown = shown_slide(s).panel == i;
        const Rect frame = cell.times(1 / bar);
        words.canvas.stroke_rect(frame, hit.hovered ? turn.theme.accent : turn.theme.border,
                                 hit.hovered ? 3.0f : 1.0f, 5);
        words.focus_ring(hit, frame, 5);
        const Rect name = cut_bottom(cell, k_list_label * bar).times(1 / bar);
        if (is_shown) words.canvas.fill_rect(name, turn.theme.accent, 5);
        words.label(name.inset(6, 0), figure.label, TextRole::bar,
                    is_shown ? turn.theme.on_accent : turn.theme.ink, Align::center);
        const Size size{std::min(cell.w, figure.size.w), std::min(cell.h, figure.size.h)};
        const Rect picture{cell.center().x - size.w / 2, cell.center().y - size.h / 2, size.w,
                           size.h};
        turn.canvas.push_clip(cell);
        figure.draw({pictures, picture, turn.frame, unused});
        turn.canvas.pop_clip();
        if (hit.clicked) s.defer(given(go_to_panel, i));
    }
}

} // namespace normscope
