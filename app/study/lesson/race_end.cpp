#include "app/study/lesson/race_end.h"

#include "core/base/lists.h"

#include <cmath>
#include <utility>

namespace normscope {

namespace {

LaneResult result_of(std::string name, const LaneTrace& trace, Index steps) {
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
    End& end = ends_.of(setup, [] { return End(); });
    if (end.made) return end.made;
    RaceSetup last = setup;
    last.step = setup.common.steps;
    const RaceState& state =
        at_once ? end.runner.compute(lab, last) : end.runner.update(lab, last, 0);
    if (state.too_large())
        return fail("this race takes too much memory: take fewer lanes, layers or units");
    std::vector<LaneResult> results;
    for (const auto i : indices(state.lanes)) {
        if (!state.lanes[i]) continue;
        const auto& [trace, shot, error] = *state.lanes[i];
        if (error) return tl::unexpected(*error);
        results.push_back(result_of(lane_name(setup, (*setup.lanes)[i]), trace, last.step));
    }
    if (state.behind) return RaceResults();
    end.runner = {};
    return end.made = std::make_shared<const std::vector<LaneResult>>(std::move(results));
}

} // namespace normscope
