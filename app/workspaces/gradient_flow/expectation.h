#pragma once
#include "app/charts/line_chart.h"
#include "app/workspaces/flow_view.h"

#include <vector>

namespace normscope {

// What a viewer expects of ‖∂L/∂x_l‖, l = 0 … blocks, given that it is `top` at l = blocks: as
// drawn, with what was left out between two strokes and up to the top in straight lines (on a
// logarithmic axis) and level from the first point drawn to the input; else a straight line of the
// chosen shape. Empty if neither was given.
std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top);

// Powers of ten, up and down from the gradient at the top, that an answer is drawn on: the same for
// every question, so that the axis does not give the answer away.
inline constexpr double k_answer_decades = 20;

// A stroke of the pen from one point to another (l, log10 of the ratio to the top), so that a quick
// one leaves no gaps.
void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to);

} // namespace normscope
