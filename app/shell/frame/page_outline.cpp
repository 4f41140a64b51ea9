#include "app/shell/frame/page_outline.h"

#include "app/widgets/controls.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_strip = 30;      // pixels at scale 1
constexpr float k_in_sight = 0.5f; // of a panel
constexpr float k_above = 12;      // so much of what is above a panel stays in sight

} // namespace

std::vector<OutlinedPanel> outline_of(const App::State& s) {
    if (!s.ui.parts) return {};
    const WorkspaceEntry& workspace = workspace_table()[s.view.workspace];
    std::vector<OutlinedPanel> all;
    for (const FigureEntry& figure : workspace.figures)
        if (const NamedPart* part =
                find_part(*s.ui.parts, fmt::format("{}.{}", workspace.id, figure.id)))
            all.push_back({&figure, part->rect, part->in_sight()});
    std::erase_if(all, [every = all](const OutlinedPanel& one) {
        return std::ranges::any_of(every, [&](const OutlinedPanel& other) {
            return other.figure != one.figure && other.rect.w > one.rect.w &&
                   other.rect.contains(one.rect.center());
        });
    });
    std::ranges::stable_sort(all, {}, [](const OutlinedPanel& l) { return l.rect.y; });
    return all;
}

void draw_page_outline(Ui& ui, Rect& window, App::State& s,
                       const std::vector<OutlinedPanel>& panels) {
    if (s.content_height[s.view.workspace] <= window.h + 0.5f) return;
    Rect strip = cut_bottom(window, ui.px(k_strip));
    ui.canvas.fill_rect(strip, ui.theme.panel);
    ui.canvas.line({strip.x, strip.y}, {strip.right(), strip.y}, ui.theme.border, ui.px(1));
    const IdScope scope(ui, "outline");
    strip = strip.inset(ui.px(12), ui.px(3));
    const std::string_view words = "On this page:";
    ui.label(cut_left(strip, ui.canvas.text_size(words, TextRole::small).w + ui.px(10)), words,
             TextRole::small, ui.theme.ink_soft);
    for (const OutlinedPanel& panel : panels) {
        const float w = ui.canvas.text_size(panel.figure->label, TextRole::small).w + ui.px(14);
        if (w > strip.w) break; // what has no room is reached through the last one that has
        const Rect r = cut_left(strip, w);
        const bool seen = panel.seen.h > k_in_sight * panel.rect.h;
        const Hit hit = ui.hit(panel.figure->id, r, {.kind = PartKind::button});
        if (hit.hovered) ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(4));
        ui.canvas.text_in(r, panel.figure->label, TextRole::small,
                          seen ? ui.theme.ink : ui.theme.ink_soft);
        if (seen)
            ui.canvas.fill_rect({r.x + ui.px(7), r.bottom() - ui.px(3), r.w - ui.px(14), ui.px(2)},
                                ui.theme.accent);
        ui.focus_ring(hit, r, ui.px(4));
        if (hit.clicked) s.scroll_by = panel.rect.y - window.y - ui.px(k_above);
    }
}

} // namespace normscope
