#include "app/study/train/lane_run.h"

#include "core/train/run.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace normscope {

namespace {

template<class T>
void append_from(std::vector<T>& mine, const std::vector<T>& longer) {
    if (mine.size() < longer.size())
        mine.insert(mine.end(), longer.begin() + static_cast<std::ptrdiff_t>(mine.size()),
                    longer.end());
}

} // namespace

const TestLook* LaneTrace::look_at(Index step) const {
    const auto after = std::ranges::upper_bound(looks, step, {}, &TestLook::step);
    return after == looks.begin() ? nullptr : &*(after - 1);
}

std::optional<double> LaneTrace::loss_at(Index step) const {
    if (diverged && step > diverged->step) return std::numeric_limits<double>::quiet_NaN();
    const Index last = std::min(step, steps());
    if (last == 0) return std::nullopt;
    const Index first = std::max<Index>(0, last - k_loss_mean);
    double sum = 0;
    for (Index i = first; i < last; ++i)
        sum += static_cast<double>(loss[static_cast<std::size_t>(i)]);
    return sum / static_cast<double>(last - first);
}

LaneTrace LaneTrace::up_to(Index step) const {
    LaneTrace out = *this;
    if (step < steps()) {
        const auto n = static_cast<std::size_t>(step);
        out.loss.resize(n);
        out.layers.resize(n * layer_count);
        out.seconds *= static_cast<double>(step) / static_cast<double>(steps());
    }
    std::erase_if(out.looks, [&](const TestLook& look) { return look.step > step; });
    if (hit && *hit > step) out.hit.reset();
    if (diverged && diverged->step >= step) out.diverged.reset();
    return out;
}

void LaneTrace::follow(const LaneTrace& other) {
    append_from(loss, other.loss);
    append_from(layers, other.layers);
    append_from(looks, other.looks);
    layer_count = other.layer_count;
    hit = other.hit;
    diverged = other.diverged;
    seconds = other.seconds;
}

Result<void> LaneRun::begin(const std::stop_token& stop) {
    if (trainer_) return {};
    const Index first = phases_.back().first;
    std::shared_ptr<LaneRun> from = std::exchange(from_, nullptr);
    entered_ = 0;
    if (from && from->trainer_) {
        trainer_ = from->trainer_;
        entered_ = from->entered_;
        const std::scoped_lock lock(mutex_, from->mutex_);
        trace_ = from->trace_.up_to(first);
        data_ = from->data_;
    } else {
        trainer_ = TRY(Trainer<float>::make(config(), input_->given, 1, k_lane_checkpoints));
        const std::lock_guard lock(mutex_);
        data_ = std::make_shared<const TrainData<float>>(trainer_->data());
    }
    // Beyond the branch its trainer knows steps of the other run: it forgets them there.
    if (steps() != first) return {};
    auto there = go_to(first, stop);
    if (!there) {
        trainer_.reset();
        from_ = std::move(from);
    }
    return there;
}

// Where the next phase begins it goes on by its config.
Result<void> LaneRun::enter_phase() {
    while (entered_ + 1 < phases_.size() && !trainer_->divergence() &&
           phases_[entered_ + 1].first == trainer_->steps_done())
        TRY(trainer_->branch(phases_[++entered_].config));
    return {};
}

// To the nearest checkpoint at once, and from there a few steps at a time.
Result<void> LaneRun::go_to(Index step, const std::stop_token& stop) {
    constexpr Index k_few = 16;
    const auto* const nearest = trainer_->checkpoints().before(step);
    const Index done = trainer_->steps_done();
    if (nearest && (done > step || nearest->step > done || trainer_->divergence()))
        TRY(trainer_->go_to(nearest->step));
    while (trainer_->steps_done() < step && !trainer_->divergence()) {
        if (stop.stop_requested()) return fail("stopped before the step was reached");
        TRY(trainer_->go_to(std::min(step, trainer_->steps_done() + k_few)));
    }
    return enter_phase();
}

Result<void> LaneRun::step() {
    const auto began = std::chrono::steady_clock::now();
    TRY(trainer_->step(Watch::everything));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const Index done = trainer_->steps_done();
    std::optional<double> looked;
    if (!trainer_->divergence() && done % k_look_every == 0)
        looked = TRY(trainer_->test_accuracy());
    const StepMeasure last = trainer_->last();
    TRY(enter_phase());
    const std::lock_guard lock(mutex_);
    trace_.diverged = trainer_->divergence();
    if (trace_.diverged) return {};
    trace_.seconds += took.count();
    trace_.loss.push_back(static_cast<float>(last.loss));
    trace_.layer_count = last.layers.size();
    for (const LayerState& layer : last.layers)
        trace_.layers.push_back(
            {static_cast<float>(layer.reading.mean), static_cast<float>(layer.reading.std),
             static_cast<float>(layer.gradient_norm), static_cast<float>(layer.update_ratio)});
    if (!looked) return {};
    trace_.looks.push_back({done, *looked});
    const auto mark = hit_accuracy(config().task, data_->guess);
    if (!trace_.hit && mark && *looked >= *mark) trace_.hit = done;
    return {};
}

Result<void> LaneRun::advance(Index target, const std::stop_token& stop) {
    TRY(begin(stop));
    const Index known = steps();
    if (!goes_on() || known >= target) return {};
    if (trainer_->steps_done() != known) TRY(go_to(known, stop));
    while (trainer_->steps_done() < target && goes_on()) TRY(step());
    return {};
}

Result<LaneShot> LaneRun::shot_at(Index step, const std::stop_token& stop) {
    TRY(begin(stop));
    const auto diverged = diverged_at();
    if (diverged && step > *diverged) return LaneShot{step, false, 0, {}};
    if (trainer_->steps_done() != step || trainer_->divergence()) TRY(go_to(step, stop));
    return take(true);
}

Result<LaneShot> LaneRun::shot() {
    TRY(begin());
    return take(false);
}

// A race that runs does not wait for a text at every look.
Result<LaneShot> LaneRun::take(bool exact) {
    const Index apart = std::abs(trainer_->steps_done() - written_.step);
    const bool old = written_.text.empty() || apart >= (exact ? 1 : k_write_every);
    auto shot = TRY(shoot(*trainer_, old ? nullptr : &written_));
    if (const auto* text = std::get_if<WrittenText>(&shot.shown)) written_ = *text;
    if (!exact) return shot;
    shot.next = TRY(look_at_step(*trainer_));
    return shot;
}

Index LaneRun::steps() const {
    const std::lock_guard lock(mutex_);
    return trace_.steps();
}

std::optional<Index> LaneRun::diverged_at() const {
    const std::lock_guard lock(mutex_);
    return trace_.diverged ? std::optional(trace_.diverged->step) : std::nullopt;
}

void LaneRun::tell(LaneTrace& trace) const {
    const std::lock_guard lock(mutex_);
    trace.follow(trace_);
}

std::shared_ptr<const TrainData<float>> LaneRun::data() const {
    const std::lock_guard lock(mutex_);
    return data_;
}

std::vector<RunPhase> trained_alike(std::vector<RunPhase> phases) {
    for (RunPhase& phase : phases)
        if (phase.config.schedule != Schedule::linear) phase.config.steps = k_most_race_steps;
    return phases;
}

} // namespace normscope
