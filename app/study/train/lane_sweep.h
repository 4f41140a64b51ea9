#pragma once
#include <memory>
#include <optional>
#include <vector>

namespace normscope {

// A rate of a lane, over the seeds that were run.
struct SweepPoint {
    double rate = 0;
    int seeds = 0;    // run so far
    int hits = 0;     // of them that have learned at their end, as has_learned() says
    int diverged = 0; // of them
    double loss = 0;  // mean of those that did not diverge, after the last step, in evaluation
};
struct LaneSweep {
    std::vector<SweepPoint> points; // by sweep_rates(); none of a lane that is off
    // The largest rate that trains; none: no rate that was run does.
    std::optional<double> largest() const;
};
using LaneSweeps = std::shared_ptr<const std::vector<LaneSweep>>; // by the lanes of a race

} // namespace normscope
