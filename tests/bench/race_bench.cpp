// Going back in a race that has been run, as a drag of the scrubber does: until every lane shows a
// past step, drawn from all of them.
#include "app/study/train/race_runner.h"
#include "core/base/random.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

namespace {

using namespace normscope;

RaceSetup race_of(Task task) {
    RaceSetup out = default_race();
    if (kind_of(task) == TaskKind::points) return out;
    out.common = usual_config(task);
    out.lanes = usual_lanes(task);
    if (task != Task::text) return out;
    std::ifstream text(NORMSCOPE_ASSET_DIR "/texts/sonnets.txt");
    RaceInput input{"sonnets.txt", {}};
    input.given.text.assign(std::istreambuf_iterator<char>(text), {});
    out.input = std::move(input);
    return out;
}

void scrub(benchmark::State& state, Task task) {
    RaceSetup race = race_of(task);
    Lab lab;
    RaceRunner runner;
    race.step = race.common.steps;
    runner.compute(lab, race);
    Random random(1);
    const auto looked_at_elsewhere = [&](const auto& lane) {
        if (!lane || lane->error) return false;
        const auto& diverged = lane->trace.diverged; // there is nothing to see beyond
        if (diverged && race.step > diverged->step) return false;
        return !(lane->shot && lane->shot->step == race.step);
    };
    for (auto _ : state) {
        race.step = static_cast<Index>(random.below(static_cast<std::uint64_t>(race.common.steps)));
        do {
            runner.update(lab, race, 0);
            lab.end_frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } while (std::ranges::any_of(runner.state().lanes, looked_at_elsewhere));
    }
    state.counters["steps"] = static_cast<double>(race.common.steps);
    state.counters["lanes"] = static_cast<double>(race.lanes->size());
}

BENCHMARK_CAPTURE(scrub, spirals, Task::spirals)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(40);
BENCHMARK_CAPTURE(scrub, reverse, Task::reverse)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(40);
BENCHMARK_CAPTURE(scrub, text, Task::text)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(40);

} // namespace
