#include "app/study/train/race_runner.h"

#include "core/base/lists.h"
#include "core/train/run.h"

#include <algorithm>
#include <set>
#include <utility>

namespace normscope {

namespace {

constexpr std::size_t k_most_known = 18;

// The phases of the run that a run branched from.
std::vector<RunPhase> left_by(const std::vector<RunPhase>& phases) {
    return {phases.begin(), phases.end() - 1};
}

} // namespace

RaceRunner::Kept* RaceRunner::find(const std::vector<RunPhase>& phases,
                                   const Shared<RaceInput>& input) {
    const auto at = std::ranges::find_if(known_, [&](const Kept& one) {
        return one.run->phases() == phases && one.run->input() == input;
    });
    return at == known_.end() ? nullptr : &*at;
}

// Keeps the run of `phases` as the one used last. Up to its branch it equals the run that it left.
void RaceRunner::keep(const std::vector<RunPhase>& phases, const Shared<RaceInput>& input) {
    if (const Kept* const at = find(phases, input)) {
        const auto place = known_.begin() + (at - known_.data());
        std::rotate(place, place + 1, known_.end());
        return;
    }
    const Kept* const left = phases.size() > 1 ? find(left_by(phases), input) : nullptr;
    Kept made{std::make_shared<LaneRun>(phases, input, left ? left->run : nullptr),
              std::make_shared<LaneState>(),
              run_bytes(phases.back().config, input->given, k_lane_checkpoints)};
    if (left) made.state->trace = left->state->trace.up_to(phases.back().first);
    known_.push_back(std::move(made));
}

void RaceRunner::take_lanes(const RaceSetup& setup) {
    std::vector<std::vector<RunPhase>> runs;
    std::set<const LaneRun*> needed; // the last ones that are known
    const auto need = [&](const std::vector<RunPhase>& phases) {
        keep(phases, setup.input);
        needed.insert(known_.back().run.get());
    };
    for (const Lane& lane : *setup.lanes) {
        runs.push_back(trained_alike(run_of(setup, lane)));
        if (lane.on && runs.back().size() > 1) need(left_by(runs.back()));
    }
    for (const auto i : indices(runs))
        if ((*setup.lanes)[i].on) need(runs[i]);
    state_.bytes = 0;
    double bytes = 0;
    std::size_t kept = 0;
    for (; kept < std::min(known_.size(), k_most_known); ++kept) {
        bytes += known_[known_.size() - kept - 1].bytes;
        if (kept < needed.size()) state_.bytes = bytes;
        if (kept >= needed.size() && bytes > k_most_race_bytes) break;
    }
    keep_last(known_, kept);
    of_lane_.clear();
    ghost_of_.clear();
    for (const auto i : indices(runs)) {
        const bool on = (*setup.lanes)[i].on;
        of_lane_.push_back(on ? find(runs[i], setup.input) : nullptr);
        const bool branched = on && runs[i].size() > 1;
        ghost_of_.push_back(branched ? find(left_by(runs[i]), setup.input) : nullptr);
    }
}

// A lane that has another run than in the last frame was changed.
void RaceRunner::remember_before(const RaceSetup& setup) {
    constexpr Index k_some_way = 10;
    // Common settings and lanes both differ in another document, whose runs have nothing to do with
    // these, and after an edit of the common settings that branches lanes or changes the kind of
    // task.
    if (seen_.common != setup.common && *seen_.lanes != *setup.lanes) {
        shown_.clear();
        state_.before.clear();
    }
    seen_ = setup;
    for (const auto i : indices(of_lane_)) {
        if (!of_lane_[i]) continue;
        const std::size_t look = (*setup.lanes)[i].look;
        const Kept& now = *of_lane_[i];
        Kept& last = shown_[look];
        const bool same_task = last.run && last.run->phases().front().config.task ==
                                               now.run->phases().front().config.task;
        if (ghost_of_[i])
            state_.before[look] = ghost_of_[i]->state;
        else if (!same_task)
            state_.before.erase(look);
        else if (last.run != now.run && last.state->trace.steps() >= k_some_way)
            state_.before[look] = last.state;
        last = now;
    }
}

// Collects the state of every run from the lab's threads.
void RaceRunner::collect() {
    for (const Kept& one : known_) {
        one.run->tell(one.state->trace);
        one.state->shot = one.run->last_shot();
        one.state->error = one.run->error();
    }
}

void RaceRunner::report(const RaceSetup& setup) {
    state_.lanes.clear();
    state_.data = nullptr;
    state_.behind = false;
    std::optional<Index> head;
    Index longest = 0;
    for (const Kept* const one : of_lane_) {
        state_.lanes.push_back(one ? one->state : nullptr);
        if (!one) continue;
        const LaneState& lane = *one->state;
        if (!state_.data) state_.data = one->run->data();
        longest = std::max(longest, lane.trace.steps());
        if (lane.trace.diverged || lane.error) continue;
        head = std::min(head.value_or(lane.trace.steps()), lane.trace.steps());
        if (lane.trace.steps() < setup.step) state_.behind = true;
    }
    if (state_.too_large()) state_.behind = false;
    // The race is over where all lanes have diverged.
    state_.head = std::min(head.value_or(longest > 0 ? setup.common.steps : 0), setup.common.steps);
}

// The lanes' runs that are not where they are looked at, or may go on; who is behind comes first.
std::vector<std::shared_ptr<LaneRun>> RaceRunner::due(const RaceSetup& setup, Index ahead) const {
    std::vector<std::shared_ptr<LaneRun>> runs;
    if (state_.too_large()) return runs;
    const LaneAim aim{std::min(setup.common.steps, setup.step + ahead),
                      ahead > 0 ? std::nullopt : std::optional(setup.step)};
    for (const Kept* const one : of_lane_) {
        if (!one) continue;
        one->run->aim(aim);
        if (!one->run->is_over()) runs.push_back(one->run);
    }
    std::ranges::stable_sort(runs, {}, &LaneRun::steps);
    return runs;
}

// The runs that lanes left, as far as the lanes have come.
std::vector<std::shared_ptr<LaneRun>> RaceRunner::due_ghosts() const {
    std::map<std::shared_ptr<LaneRun>, Index> steps;
    for (const auto i : indices(of_lane_))
        if (ghost_of_[i]) {
            Index& most = steps[ghost_of_[i]->run];
            most = std::max(most, of_lane_[i]->state->trace.steps());
        }
    std::vector<std::shared_ptr<LaneRun>> runs;
    for (const auto& [run, most] : steps) {
        run->aim({most, {}});
        if (!run->is_over()) runs.push_back(run);
    }
    return runs;
}

const RaceState& RaceRunner::update(Lab& lab, const RaceSetup& setup, Index ahead) {
    take_lanes(setup);
    remember_before(setup);
    collect();
    report(setup);
    auto runs = due(setup, ahead);
    if (runs.empty() && ahead == 0 && !state_.too_large()) runs = due_ghosts();
    for (auto& run : runs) lab.want(std::move(run));
    return state_;
}

const RaceState& RaceRunner::compute(Lab& lab, const RaceSetup& setup) {
    take_lanes(setup);
    const auto make = [&](const std::vector<std::shared_ptr<LaneRun>>& runs) {
        for (const auto& run : runs) lab.want(run);
        lab.end_frame();
        for (const auto& run : runs) lab.finish(run);
        collect();
        report(setup);
    };
    report(setup);
    make(due(setup, 0));
    if (!state_.too_large()) make(due_ghosts());
    remember_before(setup);
    return state_;
}

} // namespace normscope
