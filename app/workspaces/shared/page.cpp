#include "app/workspaces/shared/page.h"

namespace normscope {

namespace {
constexpr float k_margin = 14;
}

float draw_page(Ui& ui, Rect area, const Frame& f, Actions& a, const PageLayouts& layouts) {
    const float margin = ui.px(k_margin);
    const Rect inside = area.inset(margin);
    const WorkspaceFn layout = inside.w >= ui.px(layouts.wide_from)     ? layouts.wide
                               : inside.w >= ui.px(layouts.medium_from) ? layouts.medium
                                                                        : layouts.narrow;
    return layout(ui, inside, f, a) + 2 * margin;
}

Column::Column(const Ui& ui, Rect area) : area_(area), gap_(ui.px(k_panel_gap)) {}

Rect Column::next(float height) {
    return cut_top(area_, height, gap_);
}

float Column::used(float top) const {
    return area_.y - gap_ - top;
}

} // namespace normscope
