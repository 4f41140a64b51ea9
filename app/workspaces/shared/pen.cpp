#include "app/workspaces/shared/pen.h"

#include <algorithm>
#include <cmath>

namespace normscope {

void pen_stroke(std::map<int, double>& drawn, int most, DataPoint from, DataPoint to, double lo,
                double hi) {
    const int a = std::clamp(static_cast<int>(std::lround(from.x)), 0, most);
    const int b = std::clamp(static_cast<int>(std::lround(to.x)), 0, most);
    const int step = b >= a ? 1 : -1;
    for (int x = a;; x += step) {
        const double t = a == b ? 1.0 : static_cast<double>(x - a) / static_cast<double>(b - a);
        drawn[x] = std::clamp(from.y + (to.y - from.y) * t, lo, hi);
        if (x == b) break;
    }
}

} // namespace normscope
