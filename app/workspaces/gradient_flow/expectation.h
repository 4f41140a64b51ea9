#pragma once
#include "app/charts/line_chart.h"
#include "app/workspaces/gradient_flow/flow_view.h"

#include <vector>

namespace normscope {

// What a viewer expects of ‖∂L/∂x_l‖, l = 0 … blocks, given that it is `top` at l = blocks: as
// drawn, with what was left out between two strokes and up to the top in straight lines (on a
// logarithmic axis) and level from the first point drawn to the input; else a straight line of the
// chosen shape, as far as an axis of `decades` up and down has room. Empty if neither was given.
std::vector<DataPoint> expectation(const FlowView& view, int blocks, double top, double decades);

// A stroke of the pen from one point to another (l, log10 of the ratio to the top), so that a quick
// one leaves no gaps. It stays on an axis of `decades` up and down.
void draw_expectation(FlowView& view, int blocks, DataPoint from, DataPoint to, double decades);

} // namespace normscope
