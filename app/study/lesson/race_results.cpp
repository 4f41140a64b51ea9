#include "app/study/lesson/quantities.h"

#include <limits>

namespace normscope {

namespace {

constexpr double k_most_race_work = 1e7; // units × examples × layers × steps: half a second or so

double work_of(const TrainConfig& c) {
    return static_cast<double>(c.width * c.batch) * static_cast<double>(c.layers * c.steps);
}

Result<LaneResult> result_of(const RaceSetup& setup, const Lane& lane) {
    const Index steps = setup.common.steps;
    LaneRun run(run_of(setup, lane), setup.input);
    if (const auto ok = run.advance(steps); !ok) return tl::unexpected(ok.error());
    LaneTrace trace;
    run.tell(trace);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    LaneResult out{lane_name(setup, lane), trace.loss_at(steps).value_or(nan), nan, trace.hit,
                   steps};
    if (trace.diverged)
        out.steps = trace.diverged->step;
    else if (const TestLook* const look = trace.look_at(steps))
        out.accuracy = look->accuracy;
    return out;
}

} // namespace

Result<std::shared_ptr<const RaceResults>> race_results(const RaceSetup& setup) {
    RaceResults out{setup, {}};
    double work = 0;
    for (const Lane& lane : *setup.lanes) {
        if (!lane.on) continue;
        const TrainConfig config = config_of(setup, lane);
        work += work_of(config);
        if (is_transformer(config.model) || work > k_most_race_work)
            return fail("this race is too long to be run while the text is read: take fewer steps, "
                        "lanes, layers or units, and points instead of sequences");
        auto result = result_of(setup, lane);
        if (!result) return tl::unexpected(result.error());
        out.lanes.push_back(std::move(*result));
    }
    return std::make_shared<const RaceResults>(std::move(out));
}

} // namespace normscope
