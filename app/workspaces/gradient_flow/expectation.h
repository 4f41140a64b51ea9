#pragma once
#include "app/charts/line_chart.h"
#include "app/workspaces/flow_view.h"

#include <vector>

namespace normscope {

// What a viewer expects of ‖∂L/∂x_l‖, l = 0 … blocks, given that it is `top` at l = blocks: as
// drawn, else a straight line (on a logarithmic axis) of the chosen shape. Empty if neither was
// given.
std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top);

// A stroke of the pen from one point to another (l, log10 of the ratio to the top), so that a quick
// one leaves no gaps.
void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to);

// The axis that is drawn on, in powers of ten of the ratio to the top, up and down.
inline constexpr double k_expectation_decades = 12;

} // namespace normscope
