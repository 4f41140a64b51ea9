#include "app/workspaces/gradient_flow/expectation.h"

#include "app/workspaces/shared/pen.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace normscope {

namespace {

// log10 of the ratio at the input that stands for a shape: well within what it is called, and far
// enough from its neighbours to be told from them on the axis.
double decades_of(ExpectedShape shape, double room) {
    constexpr double k_slow = 1;
    const double far = std::min(12.0, room - 0.5);
    switch (shape) {
    case ExpectedShape::flat:
        return 0;
    case ExpectedShape::shrinks_slowly:
        return -k_slow;
    case ExpectedShape::vanishes:
        return -far;
    case ExpectedShape::grows:
        return k_slow;
    case ExpectedShape::explodes:
        return far;
    }
    return 0;
}

// What was drawn, at any l of 0 … blocks.
double drawn_at(const std::map<int, double>& drawn, int blocks, int l) {
    const auto above = drawn.lower_bound(l);
    if (above == drawn.begin()) return above->second;
    const auto below = std::prev(above);
    const bool ends = above == drawn.end();
    const int to = ends ? blocks : above->first;
    const double to_value = ends ? 0 : above->second; // at the top it is the top's own
    if (to <= below->first) return below->second;
    const double t = static_cast<double>(l - below->first) / (to - below->first);
    return below->second + (to_value - below->second) * t;
}

} // namespace

std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top, double decades) {
    std::vector<DataPoint> points;
    if (view.drawn.empty() && !view.expected) return points;
    for (int l = 0; l <= blocks; ++l) {
        const double at_l = view.drawn.empty() ? decades_of(*view.expected, decades) *
                                                     (1 - static_cast<double>(l) / blocks)
                                               : drawn_at(view.drawn, blocks, l);
        points.push_back({static_cast<double>(l), top * std::pow(10.0, at_l)});
    }
    return points;
}

void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to, double decades) {
    pen_stroke(view.drawn, blocks, from, to, -decades, decades);
    view.expected.reset();
}

} // namespace normscope
