#pragma once
#include "app/charts/line_chart.h"
#include "app/widgets/ui.h"

namespace normscope {

// How a line looks in charts and in lists.
struct LineStyle {
    Color color;
    Dash dash;
    Marker marker;
};

// A piece of it, its marker `radius` pixels (at scale 1) large.
inline void draw_swatch(Ui& ui, Rect r, const LineStyle& style, float radius) {
    const float y = r.center().y;
    ui.canvas.line({r.x, y}, {r.right(), y}, style.color, ui.px(2), style.dash);
    draw_marker(ui.canvas, style.marker, r.center(), ui.px(radius), style.color);
}

} // namespace normscope
