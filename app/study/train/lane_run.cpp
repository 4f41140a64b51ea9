#include "app/study/train/lane_run.h"

#include "core/base/lists.h"
#include "core/base/parallel.h"
#include "core/train/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace normscope {

namespace {

// Between two shots of a race that runs. Without threads a shot takes milliseconds from a frame, so
// that there are fewer.
const auto k_between_shots = std::chrono::milliseconds(has_threads() ? 150 : 300);

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
    if (diverged && step > diverged->step) return std::nan("");
    const Index last = std::min(step, steps());
    if (last == 0) return std::nullopt;
    const Index first = std::max<Index>(0, last - k_loss_mean);
    double sum = 0;
    for (Index i = first; i < last; ++i) sum += static_cast<double>(entry_at(loss, i));
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

LaneRun::LaneRun(std::vector<RunPhase> phases, Shared<RaceInput> input,
                 std::shared_ptr<LaneRun> from)
    : LabTask("Training", Told::by_its_panel), phases_(std::move(phases)), input_(std::move(input)),
      from_(std::move(from)) {}

LaneRun::~LaneRun() = default;

void LaneRun::aim(LaneAim aim) {
    const std::lock_guard lock(mutex_);
    aim_ = aim;
}

bool LaneRun::is_behind() const {
    return !trace_.diverged && trace_.steps() < aim_.steps;
}

bool LaneRun::shows(Index step) const {
    if (!shot_) return false;
    if (trace_.diverged && step > trace_.diverged->step) return !shot_->finite;
    return shot_->finite && shot_->step == step;
}

bool LaneRun::is_done() const {
    const std::lock_guard lock(mutex_);
    return !is_behind() && (!aim_.shot || shows(*aim_.shot));
}

Result<void> LaneRun::advance(const Progress& progress) {
    const std::lock_guard one_at_a_time(at_work_);
    stop_ = progress.stop;
    until_ = Clock::now() + k_slice;
    auto done = go_on();
    return done || slice_is_over() ? Result<void>() : done;
}

// Takes over the steps of the run that it branches from, which stands still meanwhile.
Result<void> LaneRun::begin() {
    const Index first = phases_.back().first;
    if (!trainer_) {
        const std::shared_ptr<LaneRun> from = std::exchange(from_, nullptr);
        std::unique_lock<std::mutex> at_rest;
        if (from) at_rest = std::unique_lock(from->at_work_);
        if (from && from->trainer_) {
            entered_ = from->entered_;
            const std::scoped_lock lock(mutex_, from->mutex_);
            trace_ = from->trace_.up_to(first);
            data_ = from->data_;
            trainer_ = from->trainer_;
        } else {
            trainer_ = TRY(Trainer<float>::make(config(), input_->given, 1, k_lane_checkpoints));
            const std::lock_guard lock(mutex_);
            data_ = std::make_shared<const TrainData<float>>(trainer_->data());
        }
        // Beyond the branch its trainer knows steps of the other run: it forgets them there.
        arrived_ = steps() != first;
    }
    if (!arrived_) TRY(go_to(first));
    arrived_ = true;
    return {};
}

// Takes the steps up to the aim first, then the shot there.
Result<void> LaneRun::go_on() {
    TRY(begin());
    LaneAim aim;
    std::optional<Divergence> diverged;
    bool behind = false, shown = false;
    {
        const std::lock_guard lock(mutex_);
        aim = aim_;
        behind = is_behind();
        shown = !aim.shot || shows(*aim.shot);
        diverged = trace_.diverged;
    }
    if (behind) {
        if (trainer_->steps_done() != steps()) TRY(go_to(steps()));
        do TRY(step());
        while (!slice_is_over() && !trainer_->divergence() && trainer_->steps_done() < aim.steps);
        if (aim.shot || Clock::now() - shot_at_ < k_between_shots) return {};
    } else if (shown) {
        return {};
    }
    LaneShot shot;
    if (aim.shot && diverged && *aim.shot > diverged->step) {
        shot = {*aim.shot, false, 0, {}};
    } else {
        if (aim.shot && (trainer_->steps_done() != *aim.shot || trainer_->divergence()))
            TRY(go_to(*aim.shot));
        shot = TRY(take(aim.shot.has_value()));
    }
    shot_at_ = Clock::now();
    const std::lock_guard lock(mutex_);
    shot_ = std::make_shared<const LaneShot>(std::move(shot));
    return {};
}

// Goes on by the config of the next phase where that phase begins.
Result<void> LaneRun::enter_phase() {
    while (entered_ + 1 < phases_.size() && !trainer_->divergence() &&
           phases_[entered_ + 1].first == trainer_->steps_done())
        TRY(trainer_->branch(phases_[++entered_].config));
    return {};
}

// Goes to the nearest checkpoint at once, then step by step. Error also: the slice is over.
Result<void> LaneRun::go_to(Index step) {
    const auto* const nearest = trainer_->checkpoints().before(step);
    const Index done = trainer_->steps_done();
    if (nearest && (done > step || nearest->step > done || trainer_->divergence()))
        TRY(trainer_->go_to(nearest->step));
    while (trainer_->steps_done() < step && !trainer_->divergence()) {
        TRY(trainer_->go_to(trainer_->steps_done() + 1));
        if (slice_is_over() && trainer_->steps_done() < step)
            return fail("stopped before the step was reached");
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

void LaneRun::tell(LaneTrace& trace) const {
    const std::lock_guard lock(mutex_);
    trace.follow(trace_);
}

std::shared_ptr<const LaneShot> LaneRun::last_shot() const {
    const std::lock_guard lock(mutex_);
    return shot_;
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
