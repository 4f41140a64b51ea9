#include "app/study/gradient_flow/flow_runner.h"

#include "app/language/language.h"
#include "app/study/gradient_flow/drawn_weights.h"
#include "core/base/lists.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace normscope {

namespace {

using Clock = std::chrono::steady_clock;

// About 5 ms and 100 ms of one core.
constexpr double k_work_at_once = 2.5e8;
constexpr double k_work_to_finish = 5e9;
constexpr auto k_long = std::chrono::milliseconds(600); // of which one may grow impatient
constexpr std::size_t k_most_stacks_known = 24;

std::shared_ptr<const StackStudy> as_shared(StackStudy study) {
    return std::make_shared<const StackStudy>(std::move(study));
}

// Operations of all measurements of a stack.
double work_of(const StackConfig& stack, int seeds) {
    return coarse_work(stack, Weights::to_draw) + missing_work(stack, nullptr, seeds).all();
}

} // namespace

struct FlowRunner::SharedWeights {
    std::mutex mutex;
    DrawnWeights weights; // guarded by mutex
};

FlowRunner::FlowRunner() : weights_(std::make_shared<SharedWeights>()) {}

// A stack's measurement, a slice at a time: the coarse pass, then the passes that refine it.
class FlowRunner::Measuring final : public LabTask {
  public:
    enum class Level : std::uint8_t { coarse, refined };

    Measuring(StackConfig of, std::shared_ptr<SharedWeights> shared)
        : LabTask("Measuring the stack", Told::by_its_panel), stack(std::move(of)),
          weights_(std::move(shared)) {}

    const StackConfig stack;

    void aim(int seeds, Level level) {
        const std::lock_guard lock(mutex_);
        seeds_ = seeds;
        level_ = level;
    }
    // The study, as far as it has come; null: there is none yet.
    Study study() const {
        if (const auto failed = error()) return as_shared(failed_study(stack, *failed));
        const std::lock_guard lock(mutex_);
        return made_;
    }
    // Takes a coarse study. No thread may be at this task.
    void take_coarse(StackStudy study) {
        study_ = std::move(study);
        publish();
    }

  private:
    bool is_done() const override {
        const std::lock_guard lock(mutex_);
        if (!made_ || made_->error || level_ == Level::coarse) return made_ != nullptr;
        return made_->refined && made_->seeds_wanted == seeds_;
    }

    Result<void> advance(const Progress& progress) override {
        const std::lock_guard one_at_a_time(weights_->mutex);
        TRY(progress.at(0));
        bool begins = false;
        {
            const std::lock_guard lock(mutex_);
            begins = !made_;
            study_.seeds_wanted = seeds_;
        }
        const double all = work_of(stack, study_.seeds_wanted);
        const double coarse = coarse_work(stack, Weights::to_draw);
        if (begins) {
            take_coarse(TRY(coarse_study(stack, study_.seeds_wanted, weights_->weights,
                                         progress.part(0, coarse / all))));
            return {};
        }
        const MissingWork left = missing_work(stack, &study_, study_.seeds_wanted);
        const double piece = left.seeds > 0 ? coarse : left.gains > 0 ? left.gains : left.paths;
        const double from = 1 - left.all() / all;
        if (TRY(refine(study_, weights_->weights, progress.part(from, from + piece / all))))
            publish();
        return {};
    }

    void publish() {
        const std::lock_guard lock(mutex_);
        made_ = as_shared(study_);
    }

    StackStudy study_;
    std::shared_ptr<SharedWeights> weights_;
    mutable std::mutex mutex_;
    // Guarded by mutex_.
    Study made_;
    int seeds_ = 1;
    Level level_ = Level::coarse;
};

class FlowRunner::Opening final : public LabTask {
  public:
    Opening(Document document, BlockPart part)
        : LabTask("Opening the block", Told::by_its_panel), from(std::move(document)), part_(part) {
    }

    const Document from;
    OpenedPart opened() const {
        return {from, worded("block {}", part_.block), "add-norm",
                error() ? tl::unexpected(*error()) : made_};
    }

  private:
    bool is_done() const override { return done_; }
    Result<void> advance(const Progress& progress) override {
        made_ = normscope::open_block(from, part_, progress);
        TRY(progress.at(1));
        done_ = true;
        return {};
    }

    BlockPart part_;
    Result<Document> made_; // there once it is done
    std::atomic<bool> done_ = false;
};

FlowRunner::Study FlowRunner::find(const StackConfig& stack) const {
    const auto at =
        std::ranges::find(known_, stack, [](const auto& known) { return known->stack; });
    return at == known_.end() ? nullptr : (*at)->study();
}

// The stacks of a setup, in the order in which they are measured.
FlowRunner::Stacks FlowRunner::take(const FlowSetup& setup) {
    std::vector<StackConfig> shown{setup.stack};
    for (const bool in_sight : {true, false})
        for (const PinnedStack& pin : *setup.pinned)
            if (pin.shown == in_sight) shown.push_back(pin.stack);
    Stacks stacks;
    for (const StackConfig& stack : shown) {
        const auto is_it = [&](const auto& known) { return known->stack == stack; };
        if (std::ranges::any_of(stacks, is_it)) continue;
        const auto at = std::ranges::find_if(known_, is_it);
        stacks.push_back(at == known_.end() ? std::make_shared<Measuring>(stack, weights_) : *at);
        if (at != known_.end()) known_.erase(at);
    }
    add_all(known_, stacks);
    keep_last(known_, std::max(k_most_stacks_known, stacks.size()));
    return stacks;
}

void FlowRunner::do_at_once(const Stacks& stacks, int seeds) {
    DrawnWeights none;
    const std::unique_lock lock(weights_->mutex, std::try_to_lock); // a slice may have them
    DrawnWeights& weights = lock ? weights_->weights : none;
    double work = 0;
    for (const auto& one : stacks) {
        if (one->study()) continue;
        work += coarse_work(one->stack, weights.needed(one->stack));
        if (work > k_work_at_once || one == measuring_ || one->is_running()) return;
        if (auto study = coarse_study(one->stack, seeds, weights))
            one->take_coarse(std::move(*study));
    }
}

// A stack that has nothing to show yet goes before the refinement of another.
std::shared_ptr<FlowRunner::Measuring> FlowRunner::next_of(const Stacks& stacks) const {
    // A slider moves faster than a middling stack is measured: the curve follows at its own pace.
    if (measuring_ && !measuring_->study() &&
        coarse_work(measuring_->stack, Weights::to_draw) <= k_work_to_finish)
        return measuring_;
    for (const auto& one : stacks)
        if (!one->study()) return one;
    for (const auto& one : stacks)
        if (!one->is_over()) return one;
    return nullptr;
}

void FlowRunner::report(const FlowSetup& setup, const Stacks& stacks) {
    if (const Study present = find(setup.stack))
        studies_.present = present;
    else if (stopped_)
        studies_.present = nullptr; // there will be none that takes its place
    studies_.pinned.clear();
    for (const PinnedStack& pin : *setup.pinned) studies_.pinned.push_back(find(pin.stack));
    studies_.stopped = stopped_.has_value();
    studies_.computing = measuring_ != nullptr;
    studies_.progress.reset();
    studies_.takes_long = false;
    if (!measuring_) return began_.reset();
    if (!began_) began_ = Clock::now();
    const auto since = Clock::now() - *began_;
    if (since < k_silent) return;
    studies_.takes_long = since >= k_long;
    double all = 0, done = 0; // operations, so that a large stack counts for more than a small one
    for (const auto& one : stacks) {
        const double work = work_of(one->stack, setup.seeds);
        all += work;
        done += work * (one->is_over() ? 1 : one->share());
    }
    studies_.progress = std::clamp(done / all, 0.0, 1.0);
}

const FlowStudies& FlowRunner::update(Lab& lab, const FlowSetup& setup, bool interacting) {
    const Stacks stacks = take(setup);
    for (const auto& one : stacks)
        one->aim(setup.seeds, interacting ? Measuring::Level::coarse : Measuring::Level::refined);
    do_at_once(stacks, setup.seeds);
    if (stopped_ && *stopped_ != setup) stopped_.reset();
    measuring_ = stopped_ ? nullptr : next_of(stacks);
    if (measuring_) lab.want(measuring_);
    if (opening_) lab.want(opening_);
    report(setup, stacks);
    return studies_;
}

void FlowRunner::open_block(Lab& lab, const Document& document, BlockPart part) {
    opening_ = std::make_shared<Opening>(document, part);
    lab.want(opening_);
}

std::optional<OpenedPart> FlowRunner::take_opened(const Lab& lab) {
    if (opening_ && !lab.wants(opening_)) opening_.reset();
    if (!opening_ || !opening_->is_over()) return std::nullopt;
    return std::exchange(opening_, nullptr)->opened();
}

} // namespace normscope
