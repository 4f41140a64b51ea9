#pragma once
#include "app/charts/line_chart.h"
#include "app/widgets/ui.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <map>
#include <optional>
#include <utility>

// Curves drawn by hand over a chart.
namespace normscope {

// A stroke of the pen over a curve drawn by hand at x = 0 … `most`: without gaps, in lo … hi.
inline void pen_stroke(std::map<int, double>& drawn, int most, DataPoint from, DataPoint to,
                       double lo, double hi) {
    const int a = std::clamp(static_cast<int>(std::lround(from.x)), 0, most);
    const int b = std::clamp(static_cast<int>(std::lround(to.x)), 0, most);
    const int step = b >= a ? 1 : -1;
    for (int x = a;; x += step) {
        const double t = a == b ? 1.0 : static_cast<double>(x - a) / static_cast<double>(b - a);
        drawn[x] = std::clamp(from.y + (to.y - from.y) * t, lo, hi);
        if (x == b) break;
    }
}

// The stroke of the mouse in this frame, from where it was, while it is held on `hit`.
inline std::optional<std::pair<Point, Point>> pen_moved(const Ui& ui, const Hit& hit) {
    if (!hit.held) return std::nullopt;
    const Point moved = hit.pressed ? Point{} : ui.mouse_moved();
    const Point to = ui.mouse();
    return std::pair{Point{to.x - moved.x, to.y - moved.y}, to};
}

} // namespace normscope
