#include "app/study/train/race_runner.h"

#include "core/base/parallel.h"
#include "core/train/run.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

namespace normscope {

namespace {

constexpr std::size_t k_most_known = 18;
constexpr auto k_between_collections = std::chrono::milliseconds(12);
constexpr auto k_between_shots = std::chrono::milliseconds(150); // while the race runs

// The run that one branched from.
std::vector<RunPhase> left_by(const std::vector<RunPhase>& phases) {
    return {phases.begin(), phases.end() - 1};
}

bool is_at(const LaneState& lane, Index step) {
    if (lane.error) return true;
    if (!lane.shot) return false;
    const auto& diverged = lane.trace.diverged;
    if (diverged && step > diverged->step) return !lane.shot->finite;
    return lane.shot->finite && lane.shot->step == step;
}

constexpr auto k_turn = std::chrono::milliseconds(4); // of a run, about
constexpr Index k_longest_stretch = 64;               // steps

struct Turn {
    Index steps = 0;   // that are taken
    Index stretch = 1; // steps of the next turn
    bool taken = false, done = false;
};

// Takes runs to so many steps, several at a time: a thread that is free takes a stretch of the run
// that is furthest behind, so that none waits for another. `failed` is told why a run did not get
// on; the others go on. Error: a stop that is asked for.
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
        const auto began = std::chrono::steady_clock::now();
        const Result<void> advanced = runs[i]->advance(to, progress.stop);
        const auto took = std::chrono::steady_clock::now() - began;
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
    const int threads = std::min(static_cast<int>(runs.size()), processor_threads());
    parallel_chunks(threads, threads, [&](int, Index, Index) {
        for (std::size_t i; (i = next()) < runs.size();) take_turn(i);
    });
    return progress.at(1);
}

} // namespace

Result<int> RaceRunner::work(const Task& task, Mailbox& mailbox, const Progress& progress) {
    const auto leave = [&](const std::shared_ptr<LaneRun>& run, Result<LaneShot> shot) {
        const std::lock_guard lock(mailbox.mutex);
        mailbox.shots.push_back({run, std::move(shot)});
    };
    for (const auto& run : task.runs)
        if (auto ok = run->begin(progress.stop); !ok) {
            if (progress.stop.stop_requested()) return tl::unexpected(ok.error());
            leave(run, tl::unexpected(ok.error()));
            return 0;
        }
    const auto failed = [&](std::size_t i, const Error& error) {
        leave(task.runs[i], tl::unexpected(error));
    };
    TRY(train_side_by_side(task.runs, task.target, progress, failed));
    if (!task.shot) return 0;
    take_turns(processor_threads(), std::ssize(task.runs), [&](Index i) {
        if (!progress.at(1)) return;
        const auto& run = task.runs[static_cast<std::size_t>(i)];
        auto shot = task.as_they_stand ? run->shot() : run->shot_at(*task.shot, progress.stop);
        // What it says after a stop is not the run's.
        if (!progress.stop.stop_requested()) leave(run, std::move(shot));
    });
    return 0;
}

RaceRunner::Kept* RaceRunner::find(const std::vector<RunPhase>& phases,
                                   const Shared<RaceInput>& input) {
    const auto at = std::ranges::find_if(known_, [&](const Kept& one) {
        return one.run->phases() == phases && one.run->input() == input;
    });
    return at == known_.end() ? nullptr : &*at;
}

// Used last from now on. Up to where it branches it is as the run that it left.
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
    for (std::size_t i = 0; i < runs.size(); ++i)
        if ((*setup.lanes)[i].on) need(runs[i]);
    state_.bytes = 0;
    double bytes = 0;
    std::size_t kept = 0;
    for (; kept < std::min(known_.size(), k_most_known); ++kept) {
        bytes += known_[known_.size() - kept - 1].bytes;
        if (kept < needed.size()) state_.bytes = bytes;
        if (kept >= needed.size() && bytes > k_most_race_bytes) break;
    }
    known_.erase(known_.begin(), known_.end() - static_cast<std::ptrdiff_t>(kept));
    of_lane_.clear();
    ghost_of_.clear();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool on = (*setup.lanes)[i].on;
        of_lane_.push_back(on ? find(runs[i], setup.input) : nullptr);
        const bool branched = on && runs[i].size() > 1;
        ghost_of_.push_back(branched ? find(left_by(runs[i]), setup.input) : nullptr);
    }
}

// A lane that has another run than in the last frame was changed.
void RaceRunner::remember_before(const RaceSetup& setup) {
    constexpr Index k_some_way = 10;
    // Of another document, which has nothing to do with the runs of this one: an edit changes the
    // lanes, or what they have in common.
    if (seen_.common != setup.common && *seen_.lanes != *setup.lanes) {
        shown_.clear();
        state_.before.clear();
    }
    seen_ = setup;
    for (std::size_t i = 0; i < of_lane_.size(); ++i) {
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

// What the worker has made since the last time.
void RaceRunner::collect() {
    if (doing_ && job_.take()) doing_.reset();
    const auto now = Clock::now();
    if (doing_ && now - collected_ < k_between_collections) return;
    collected_ = now;
    for (Kept& one : known_) one.run->tell(one.state->trace);
    const std::lock_guard lock(mailbox_->mutex);
    for (Shot& shot : mailbox_->shots) {
        const auto at = std::ranges::find(known_, shot.run, &Kept::run);
        if (at == known_.end()) continue;
        if (shot.shot)
            at->state->shot = std::make_shared<const LaneShot>(std::move(*shot.shot));
        else
            at->state->error = shot.shot.error();
    }
    mailbox_->shots.clear();
}

void RaceRunner::report(const RaceSetup& setup) {
    state_.lanes.clear();
    state_.data = nullptr;
    state_.behind = state_.shots_due = false;
    std::optional<Index> head;
    Index longest = 0;
    for (const Kept* const one : of_lane_) {
        state_.lanes.push_back(one ? one->state : nullptr);
        if (!one) continue;
        const LaneState& lane = *one->state;
        if (!state_.data) state_.data = one->run->data();
        if (!is_at(lane, setup.step)) state_.shots_due = true;
        longest = std::max(longest, lane.trace.steps());
        if (lane.trace.diverged || lane.error) continue;
        head = std::min(head.value_or(lane.trace.steps()), lane.trace.steps());
        if (lane.trace.steps() < setup.step) state_.behind = true;
    }
    if (state_.too_large()) state_.behind = state_.shots_due = false;
    // Where all have diverged the race is over.
    state_.head = std::min(head.value_or(longest > 0 ? setup.common.steps : 0), setup.common.steps);
}

std::optional<RaceRunner::Task> RaceRunner::task_for(const RaceSetup& setup, Index ahead) const {
    if (state_.too_large()) return std::nullopt;
    Task task;
    task.target = std::min(setup.common.steps, setup.step + ahead);
    bool behind = false;
    for (const Kept* const one : of_lane_) {
        if (!one || one->state->error) continue;
        if (std::ranges::find(task.runs, one->run) == task.runs.end())
            task.runs.push_back(one->run);
        behind |= !one->state->trace.diverged && one->state->trace.steps() < task.target;
    }
    const bool rested = Clock::now() - shot_ >= k_between_shots;
    if (state_.shots_due && (ahead == 0 || rested)) task.shot = setup.step;
    // A race that runs is looked at where it is.
    task.as_they_stand = ahead > 0 && behind;
    if (!behind && !task.shot) return ahead == 0 ? ghosts_task() : std::nullopt;
    return task;
}

// The runs that lanes left, as far as the lanes have come.
std::optional<RaceRunner::Task> RaceRunner::ghosts_task() const {
    Task task;
    for (std::size_t i = 0; i < of_lane_.size(); ++i) {
        if (!ghost_of_[i]) continue;
        const Kept& ghost = *ghost_of_[i];
        const Index steps = of_lane_[i]->state->trace.steps();
        const LaneTrace& known = ghost.state->trace;
        if (ghost.state->error || known.diverged || known.steps() >= steps) continue;
        task.target = std::max(task.target, steps);
        if (std::ranges::find(task.runs, ghost.run) == task.runs.end())
            task.runs.push_back(ghost.run);
    }
    if (task.runs.empty()) return std::nullopt;
    return task;
}

const RaceState& RaceRunner::update(const RaceSetup& setup, Index ahead) {
    following_ = true;
    take_lanes(setup);
    remember_before(setup);
    collect();
    report(setup);
    const std::optional<Task> task = task_for(setup, ahead);
    if (doing_) {
        // Of other runs, or to a step that is no longer looked at.
        const bool wanted = task && task->runs == doing_->runs && doing_->target <= task->target &&
                            (ahead > 0 || doing_->shot == task->shot || !doing_->shot);
        if (!wanted) job_.stop();
    } else if (task) {
        doing_ = task;
        if (task->shot) shot_ = Clock::now();
        job_.start("Training", [task = *task, mailbox = mailbox_](const Progress& progress) {
            return work(task, *mailbox, progress);
        });
    }
    return state_;
}

const RaceState& RaceRunner::compute(const RaceSetup& setup) {
    take_lanes(setup);
    report(setup);
    for (int lanes_then_ghosts = 0; lanes_then_ghosts < 2; ++lanes_then_ghosts) {
        if (const auto task = task_for(setup, 0)) (void)work(*task, *mailbox_, {});
        collect();
        report(setup);
    }
    remember_before(setup);
    return state_;
}

void RaceRunner::end_frame() {
    if (following_) return;
    job_.stop();
    collect();
}

} // namespace normscope
