#pragma once
#include "app/layout/grid.h"
#include "app/workspaces/workspace_table.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace normscope {

// How a workspace is laid out where there is much, some and little room, without a margin.
struct PageLayouts {
    float wide_from, medium_from; // width in pixels at scale 1
    WorkspaceFn wide, medium, narrow;
};

// Draws the widest layout that `area` has room for, with a margin around it.
inline float draw_page(Ui& ui, Rect area, const Frame& f, Actions& a, const PageLayouts& layouts) {
    const float margin = ui.px(14);
    const Rect inside = area.inset(margin);
    const WorkspaceFn layout = inside.w >= ui.px(layouts.wide_from)     ? layouts.wide
                               : inside.w >= ui.px(layouts.medium_from) ? layouts.medium
                                                                        : layouts.narrow;
    return layout(ui, inside, f, a) + 2 * margin;
}

// Panels below one another, a gap between them.
class PanelColumn {
  public:
    PanelColumn(const Ui& ui, Rect area) : area_(area), gap_(ui.px(k_panel_gap)) {}
    Rect next(float height) { return cut_top(area_, height, gap_); }
    Rect rest() const { return area_; }
    // From `top` to the end of the last one.
    float used(float top) const { return area_.y - gap_ - top; }

  private:
    Rect area_;
    float gap_;
};

// Panels side by side, a gap between them: the share of the width of each. The last takes the rest.
template<class... Panel>
void draw_row(Ui& ui, Rect row, const Frame& f, Actions& a,
              std::array<float, sizeof...(Panel)> shares, Panel&&... panels) {
    const float gap = ui.px(k_panel_gap);
    const float w = row.w - gap * (sizeof...(Panel) - 1);
    std::size_t i = 0;
    const auto next = [&](auto&& panel) {
        const bool last = i + 1 == sizeof...(Panel);
        const Rect r = last ? row : cut_left(row, std::floor(w * shares[i]), gap);
        ++i;
        panel(ui, r, f, a);
    };
    (next(panels), ...);
}

} // namespace normscope
