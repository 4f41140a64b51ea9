#pragma once
#include "app/charts/line_chart.h"
#include "app/widgets/ui.h"

namespace normscope {

// A piece of a line, its marker `radius` large.
inline void draw_swatch(Ui& ui, Rect r, const LineStyle& style, float radius) {
    const float y = r.center().y;
    ui.canvas.line({r.x, y}, {r.right(), y}, style.color, 2, style.dash);
    draw_marker(ui.canvas, style.marker, r.center(), radius, style.color);
}

} // namespace normscope
