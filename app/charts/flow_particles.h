#pragma once
#include "app/charts/flow_band.h"

namespace normscope {

// Where a walker of the river is: it goes from the loss to the input, at every block down the skip
// or through the sublayer, by the share of each part's norm.
struct FlowParticle {
    Point at;
    Index block = 0; // 0 at the input
    bool crosses = false;
};

// The `count` walkers at a moment; the same ones for the same moment. Those over numbers that are
// none are left out.
std::vector<FlowParticle> flow_particles(const FlowBandPlot& plot, const FlowBand& band, int count,
                                         double seconds);

void draw_flow_particles(Canvas& canvas, const Theme& theme, const FlowBandPlot& plot,
                         const FlowBand& band, double seconds);

} // namespace normscope
