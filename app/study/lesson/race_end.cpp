#include "app/study/lesson/race_end.h"

#include "app/study/train/lane_run.h"
#include "core/base/lists.h"
#include "core/train/run.h"

#include <cmath>
#include <utility>

namespace normscope {

namespace {

LaneResult result_of(std::string name, const LaneRun& run, Index steps) {
    LaneTrace trace;
    run.tell(trace);
    const double nan = std::nan("");
    LaneResult out{std::move(name), trace.loss_at(steps).value_or(nan), nan, trace.hit, steps};
    if (trace.diverged)
        out.steps = trace.diverged->step;
    else if (const TestLook* const look = trace.look_at(steps))
        out.accuracy = look->accuracy;
    return out;
}

} // namespace

Result<RaceResults> RaceEnds::find(Lab& lab, const RaceSetup& setup) {
    double bytes = 0;
    std::vector<const Lane*> lanes; // that are on
    for (const Lane& lane : *setup.lanes)
        if (lane.on) {
            lanes.push_back(&lane);
            bytes += run_bytes(config_of(setup, lane), setup.input->given, k_lane_checkpoints);
        }
    if (bytes > k_most_race_bytes)
        return fail("this race takes too much memory: take fewer lanes, layers or units");
    End& end = ends_.of(setup, [&] {
        End made;
        for (const Lane* const lane : lanes) {
            made.runs.push_back(std::make_shared<LaneRun>(run_of(setup, *lane), setup.input));
            made.runs.back()->aim({setup.common.steps, {}});
        }
        return made;
    });
    if (end.made) return end.made;
    std::vector<LaneResult> results;
    for (const auto i : indices(lanes)) {
        if (at_once) lab.finish(end.runs[i]);
        lab.want(end.runs[i]);
        if (const auto error = end.runs[i]->error()) return tl::unexpected(*error);
        if (end.runs[i]->is_over())
            results.push_back(
                result_of(lane_name(setup, *lanes[i]), *end.runs[i], setup.common.steps));
    }
    if (results.size() < lanes.size()) return RaceResults();
    end.runs.clear();
    return end.made = std::make_shared<const std::vector<LaneResult>>(std::move(results));
}

} // namespace normscope
