#include "app/workspaces/gradient_flow/expectation.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// log10 of the ratio at the input that stands for a shape: well within what it is called.
double decades_of(ExpectedShape shape) {
    switch (shape) {
    case ExpectedShape::flat:
        return 0;
    case ExpectedShape::shrinks_slowly:
        return -0.6;
    case ExpectedShape::vanishes:
        return -8;
    case ExpectedShape::grows:
        return 1;
    case ExpectedShape::explodes:
        return 8;
    }
    return 0;
}

} // namespace

std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top) {
    std::vector<DataPoint> points;
    if (!view.drawn.empty()) {
        for (const auto& [l, decades] : view.drawn)
            if (l <= blocks)
                points.push_back({static_cast<double>(l), top * std::pow(10.0, decades)});
        return points;
    }
    if (!view.expected) return points;
    const double at_input = decades_of(*view.expected);
    for (int l = 0; l <= blocks; ++l) {
        const double share = 1 - static_cast<double>(l) / blocks;
        points.push_back({static_cast<double>(l), top * std::pow(10.0, at_input * share)});
    }
    return points;
}

void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to) {
    const int a = std::clamp(static_cast<int>(std::lround(from.x)), 0, blocks);
    const int b = std::clamp(static_cast<int>(std::lround(to.x)), 0, blocks);
    const int step = b >= a ? 1 : -1;
    for (int l = a;; l += step) {
        const double t = a == b ? 1.0 : static_cast<double>(l - a) / static_cast<double>(b - a);
        view.drawn[l] =
            std::clamp(from.y + (to.y - from.y) * t, -k_expectation_decades, k_expectation_decades);
        if (l == b) break;
    }
    view.expected.reset();
}

} // namespace normscope
