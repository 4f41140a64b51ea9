#include "app/study/train/lane_run.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <chrono>
#include <mutex>

namespace normscope {

namespace {

using TurnClock = std::chrono::steady_clock;

constexpr auto k_turn = std::chrono::milliseconds(4); // of a run, about
constexpr Index k_longest_stretch = 64;               // steps

struct Turn {
    Index steps = 0;   // that are taken
    Index stretch = 1; // steps of the next turn
    bool taken = false, done = false;
};

} // namespace

Result<void> train_side_by_side(std::span<const std::shared_ptr<LaneRun>> runs, Index target,
                                const Progress& progress,
                                const std::function<void(std::size_t run, const Error&)>& failed) {
    std::mutex mutex;
    std::vector<Turn> turns(runs.size()); // guarded by mutex
    const auto note = [&](std::size_t i) {
        turns[i].steps = runs[i]->steps();
        turns[i].done |= !runs[i]->goes_on() || turns[i].steps >= target;
    };
    for (std::size_t i = 0; i < runs.size(); ++i) note(i);
    // The run that is furthest behind of those that no thread has; runs.size(): none.
    const auto next = [&] {
        const std::lock_guard lock(mutex);
        std::size_t best = runs.size();
        for (std::size_t i = 0; i < turns.size(); ++i)
            if (!turns[i].taken && !turns[i].done &&
                (best == runs.size() || turns[i].steps < turns[best].steps))
                best = i;
        if (best == runs.size()) return best;
        const double share = static_cast<double>(turns[best].steps) / static_cast<double>(target);
        if (!progress.at(share)) return runs.size();
        turns[best].taken = true;
        return best;
    };
    const auto take_turn = [&](std::size_t i) {
        const Index to = std::min(target, turns[i].steps + turns[i].stretch);
        const auto began = TurnClock::now();
        const Result<void> advanced = runs[i]->advance(to, progress.stop);
        const auto took = TurnClock::now() - began;
        const std::lock_guard lock(mutex);
        Turn& turn = turns[i];
        if (took < k_turn) turn.stretch = std::min(turn.stretch * 2, k_longest_stretch);
        if (took > 2 * k_turn) turn.stretch = std::max<Index>(turn.stretch / 2, 1);
        turn.taken = false;
        note(i);
        if (advanced || progress.stop.stop_requested()) return;
        turn.done = true;
        failed(i, advanced.error());
    };
    const int threads = static_cast<int>(
        std::min<std::size_t>(runs.size(), static_cast<std::size_t>(processor_threads())));
    parallel_chunks(threads, threads, [&](int, Index, Index) {
        for (std::size_t i; (i = next()) < runs.size();) take_turn(i);
    });
    return progress.at(1);
}

} // namespace normscope
