#include "app/study/lesson/race_results.h"

#include "app/study/train/lane_run.h"

#include <limits>

namespace normscope {

namespace {

constexpr double k_most_race_work = 1e7; // units × examples × layers × steps: half a second or so

double work_of(const TrainConfig& c) {
    return static_cast<double>(c.width * c.batch) * static_cast<double>(c.layers * c.steps);
}

Result<LaneResult> result_of(std::string name, const TrainConfig& config) {
    LaneRun run(config);
    if (const auto ok = run.advance(config.steps); !ok) return tl::unexpected(ok.error());
    LaneTrace trace;
    run.tell(trace);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    LaneResult out{std::move(name), trace.loss_at(config.steps).value_or(nan), nan, trace.hit,
                   config.steps};
    if (trace.diverged)
        out.steps = trace.diverged->step;
    else if (const TestLook* const look = trace.look_at(config.steps))
        out.accuracy = look->accuracy;
    return out;
}

} // namespace

bool same_race(const RaceSetup& a, const RaceSetup& b) {
    return a.common == b.common && same_value(*a.lanes, *b.lanes);
}

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
        auto result = result_of(lane_name(setup, lane), config);
        if (!result) return tl::unexpected(result.error());
        out.lanes.push_back(std::move(*result));
    }
    return std::make_shared<const RaceResults>(std::move(out));
}

} // namespace normscope
