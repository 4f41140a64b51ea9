#pragma once
#include "app/charts/line_chart.h"

#include <span>
#include <vector>

namespace normscope {

// The logarithmic axis for curves that reach so far each, in whole decades. Where one curve leaves
// two or more others far behind, only its beginning has room, so that the others can be told apart.
LineRange curves_range(std::span<const LineRange> curves);

// `range`, and of what a guess reaches as much as leaves the curves legible.
LineRange with_guess(LineRange range, LineRange guess);

// Where a curve crosses an edge of `range`, the last crossing of each edge, the lower one first;
// empty where it stays within.
struct Leaving {
    DataPoint at;        // on the edge
    double farthest = 0; // the value that it reaches beyond it
};
std::vector<Leaving> leaves(std::span<const DataPoint> points, LineRange range);

} // namespace normscope
