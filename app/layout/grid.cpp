#include "app/layout/grid.h"

#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <imgui_internal.h>
#include <numeric>

namespace normscope {

namespace {

float draw_cell(Ui& ui, const GridCell& cell, Rect room, const DrawCell& draw);

// The scope of the heights of a row's or column's part.
class PartScope {
  public:
    explicit PartScope(std::size_t i) { ImGui::PushID(static_cast<int>(i)); }
    ~PartScope() { ImGui::PopID(); }
    PartScope(const PartScope&) = delete;
    PartScope& operator=(const PartScope&) = delete;
};

// Scrolls the page down until all of `r` is in sight, or its top stands at the page's.
void bring_into_sight(const Ui& ui, Rect r) {
    const Rect page = ui.page();
    const float below = r.bottom() + k_panel_gap - page.bottom();
    const float by = std::min(below, r.y - k_panel_gap - page.y);
    if (by > 0) ui.scroll_to(ui.scroll() + by);
}

// Side by side, all as high as the highest.
float draw_row(Ui& ui, const GridCell& cell, Rect room, const DrawCell& draw) {
    const float gap = k_panel_gap;
    float rest = room.w - gap * static_cast<float>(cell.parts.size() - 1);
    float shares = 0;
    for (const GridCell& part : cell.parts)
        if (part.width > 1)
            rest -= part.width;
        else
            shares += part.width;
    float needed = 0;
    Rect left = room;
    for (const auto i : indices(cell.parts)) {
        const float w = cell.parts[i].width;
        const bool last = i + 1 == cell.parts.size();
        const Rect part =
            last ? left : cut_left(left, w > 1 ? w : std::floor(rest * w / shares), gap);
        const PartScope scope(i);
        needed = std::max(needed, draw_cell(ui, cell.parts[i], part, draw));
    }
    return needed;
}

// Below one another; what grows shares the room that the others leave, and what one of them does
// not take is of those after it.
float draw_column(Ui& ui, const GridCell& cell, Rect room, float last_height,
                  const DrawCell& draw) {
    const float gap = k_panel_gap;
    float spare = last_height > 0 ? std::max(0.0f, room.h - last_height) : 0;
    float shares = std::transform_reduce(cell.parts.begin(), cell.parts.end(), 0.0f, std::plus<>(),
                                         [](const GridCell& part) { return part.grows; });
    float needed = -gap;
    for (const auto i : indices(cell.parts)) {
        const PartScope scope(i);
        Measured height(ui, "part");
        const GridCell& part = cell.parts[i];
        float assigned = 0;
        if (part.grows > 0) {
            const float room_to_grow =
                part.most > 0 ? std::max(0.0f, part.most - height.last()) : spare;
            const float more = std::min(spare * part.grows / shares, room_to_grow);
            assigned = height.last() + more;
            spare -= more;
            shares -= part.grows;
        }
        const float took = draw_cell(ui, part, {room.x, room.y, room.w, assigned}, draw);
        height.took(took);
        needed += took + gap;
        room.y += std::max(took, assigned) + gap;
    }
    return needed;
}

float draw_cell(Ui& ui, const GridCell& cell, Rect room, const DrawCell& draw) {
    Measured height(ui, cell.kind == GridCell::Kind::panel ? cell.panel : "parts");
    const float least = cell.height;
    float needed = 0;
    if (cell.kind == GridCell::Kind::column) {
        needed = draw_column(ui, cell, room, height.last(), draw);
    } else {
        room.h = std::max({room.h, least, height.last()});
        if (cell.kind == GridCell::Kind::row)
            needed = draw_row(ui, cell, room, draw);
        else // a panel without the held control stays as high while the page only takes input
            needed = ui.passes_by(room) ? height.last() : draw(cell.panel, room);
    }
    needed = std::max(needed, least);
    height.took(needed);
    if (cell.comes_into_sight) bring_into_sight(ui, {room.x, room.y, room.w, needed});
    return needed;
}

} // namespace

float draw_grid(Ui& ui, const GridCell& page, Rect room, const DrawCell& draw) {
    // A panel's controls keep their ids, and so the keyboard, wherever the page has it.
    const ImGuiID outer = ImGui::GetCurrentWindow()->IDStack.back();
    const DrawCell in_scope = [&](std::string_view panel, Rect r) {
        ImGui::PushOverrideID(outer);
        const AtEnd end(ImGui::PopID);
        return draw(panel, r);
    };
    return draw_cell(ui, page, room, in_scope);
}

} // namespace normscope
