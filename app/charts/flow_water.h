#pragma once
#include "app/charts/flow_band.h"

namespace normscope {

// The band itself, in runs of finite slices, with the parts that a route goes through over the
// paler rest of it.
void draw_flow_water(Canvas& canvas, const Theme& theme, const FlowBandPlot& plot,
                     const FlowBand& band);

// A path from the loss to the input as a line: through the lower part where it crosses a sublayer.
void draw_flow_route(Canvas& canvas, const Theme& theme, const FlowBandPlot& plot,
                     const FlowBand& band);

} // namespace normscope
