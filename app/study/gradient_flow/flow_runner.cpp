#include "app/study/gradient_flow/flow_runner.h"

#include "app/language/language.h"

#include <algorithm>
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

bool is_finished(const std::shared_ptr<const StackStudy>& study, int seeds) {
    return study && (study->error || (study->refined && study->seeds_wanted == seeds));
}

} // namespace

FlowRunner::~FlowRunner() {
    job_.stop();
    opener_.stop();
}

FlowRunner::Study FlowRunner::find(const StackConfig& stack) const {
    const auto at =
        std::ranges::find_if(known_, [&](const Study& study) { return study->stack == stack; });
    return at == known_.end() ? nullptr : *at;
}

void FlowRunner::keep(Study study) {
    std::erase_if(known_, [&](const Study& old) { return old->stack == study->stack; });
    known_.push_back(std::move(study));
    if (known_.size() <= k_most_stacks_known) return;
    // Not what is on the screen, however long ago it was measured.
    const auto stale = std::ranges::find_if(known_, [&](const Study& old) {
        return std::ranges::find(shown_, old->stack) == shown_.end();
    });
    if (stale != known_.end()) known_.erase(stale);
}

// What the worker has made since the last time.
void FlowRunner::collect() {
    if (!job_.busy()) return;
    {
        const std::lock_guard lock(mailbox_->mutex);
        if (mailbox_->study) keep(std::exchange(mailbox_->study, nullptr));
    }
    if (auto result = job_.take()) {
        if (*result) {
            keep(std::move(**result));
            done_work_ += running_work_;
        } else if (!job_.stopped()) {
            keep(as_shared(failed_study(running_->stack, result->error())));
        }
        running_.reset();
    }
}

// In the order in which they are to be made.
std::vector<FlowRunner::Need> FlowRunner::needs_of(const FlowSetup& setup, bool interacting) const {
    std::vector<StackConfig> stacks{setup.stack};
    for (const bool shown : {true, false})
        for (const PinnedStack& pin : *setup.pinned)
            if (pin.shown == shown) stacks.push_back(pin.stack);
    std::vector<Need> needs;
    const auto add = [&](Need need) {
        if (std::ranges::find(needs, need) == needs.end()) needs.push_back(std::move(need));
    };
    for (const StackConfig& stack : stacks)
        if (!find(stack)) add({stack, Level::coarse});
    if (interacting) return needs;
    for (const StackConfig& stack : stacks)
        if (!is_finished(find(stack), setup.seeds)) add({stack, Level::refined});
    return needs;
}

bool FlowRunner::worth_finishing(const std::vector<Need>& needs) const {
    if (needs.empty()) return false;
    // A stack that has nothing to show yet goes before the refinement of another.
    if (running_->level == Level::refined && needs.front().level == Level::coarse) return false;
    if (std::ranges::find(needs, *running_) != needs.end()) return true;
    // A slider moves faster than a middling stack is measured: the curve follows at its own pace.
    return running_->level == Level::coarse &&
           coarse_work(running_->stack, Weights::to_draw) <= k_work_to_finish;
}

void FlowRunner::do_at_once(const FlowSetup& setup, bool interacting) {
    DrawnWeights& weights = running_ ? here_ : there_;
    double work = 0;
    for (const Need& need : needs_of(setup, interacting)) {
        if (need.level != Level::coarse) return;
        work += coarse_work(need.stack, weights.needed(need.stack));
        if (work > k_work_at_once) return;
        if (running_ && *running_ == need) return; // the worker is at it
        if (auto study = coarse_study(need.stack, setup.seeds, weights))
            keep(as_shared(std::move(*study)));
    }
}

void FlowRunner::start(const Need& need, int seeds) {
    StackStudy from;
    if (const Study known = find(need.stack)) from = *known;
    from.seeds_wanted = seeds;
    running_ = need;
    running_work_ = work_of(need, seeds);
    mailbox_ = std::make_shared<Mailbox>();
    auto work = [need, seeds, from = std::move(from), mailbox = mailbox_,
                 &weights = there_](const Progress& progress) -> Result<Study> {
        const auto publish = [&](const StackStudy& study) { // seen at the next wake
            const std::lock_guard lock(mailbox->mutex);
            mailbox->study = as_shared(study);
        };
        auto study = TRY(need.level == Level::coarse || from.seeds.empty()
                             ? coarse_study(need.stack, seeds, weights, progress)
                             : refined_study(from, weights, progress, publish));
        return as_shared(std::move(study));
    };
    job_.start("Measuring the stack", std::move(work));
}

// In operations, so that a large stack counts for more than a small one.
double FlowRunner::work_of(const Need& need, int seeds) const {
    return need.level == Level::coarse ? coarse_work(need.stack, Weights::to_draw)
                                       : refined_work(need.stack, find(need.stack).get(), seeds);
}

void FlowRunner::report(const FlowSetup& setup, const std::vector<Need>& needs) {
    if (const Study present = find(setup.stack))
        studies_.present = present;
    else if (stopped_)
        studies_.present = nullptr; // there will be none that takes its place
    studies_.pinned.clear();
    for (const PinnedStack& pin : *setup.pinned) studies_.pinned.push_back(find(pin.stack));
    studies_.stopped = stopped_.has_value();
    studies_.computing = running_.has_value();
    studies_.progress.reset();
    studies_.takes_long = false;
    if (!running_ || stopped_) {
        began_.reset();
        done_work_ = 0;
        return;
    }
    if (!began_) began_ = Clock::now();
    const auto since = Clock::now() - *began_;
    if (since < k_silent) return;
    studies_.takes_long = since >= k_long;
    double all = done_work_ + running_work_;
    for (const Need& need : needs)
        if (need != *running_) all += work_of(need, setup.seeds);
    const double done = done_work_ + job_.share() * running_work_;
    studies_.progress = all > 0 ? std::min(1.0, done / all) : 1.0;
}

bool FlowRunner::computing() const {
    const bool opening = opener_.busy() && !opener_.stopped();
    return studies_.computing || opening || wanted_block_;
}

const FlowStudies& FlowRunner::update(const FlowSetup& setup, bool interacting) {
    following_ = true;
    shown_ = {setup.stack};
    for (const PinnedStack& pin : *setup.pinned) shown_.push_back(pin.stack);
    collect();
    do_at_once(setup, interacting);
    if (stopped_ && *stopped_ != setup) stopped_.reset();
    const std::vector<Need> needs = stopped_ ? std::vector<Need>{} : needs_of(setup, interacting);
    if (running_ && !worth_finishing(needs)) job_.stop();
    if (!running_ && !needs.empty()) start(needs.front(), setup.seeds);
    report(setup, needs);
    return studies_;
}

void FlowRunner::stop(const FlowSetup& setup) {
    stopped_ = setup;
    if (running_) job_.stop();
}

void FlowRunner::rest() {
    collect();
    if (running_) job_.stop();
    studies_.computing = false;
    studies_.progress.reset();
    wanted_block_.reset();
    opener_.stop();
}

void FlowRunner::open_block(const Document& document, BlockPart part) {
    wanted_block_ = WantedBlock{document, part};
    opener_.stop();
    start_opening();
}

void FlowRunner::start_opening() {
    if (!wanted_block_ || opener_.busy()) return;
    opening_block_ = std::exchange(wanted_block_, std::nullopt);
    opener_.start("Opening the block", [wanted = *opening_block_](const Progress& progress) {
        return normscope::open_block(wanted.document, wanted.part, progress);
    });
}

std::optional<OpenedPart> FlowRunner::take_opened() {
    auto document = opener_.take();
    std::optional<OpenedPart> opened;
    if (document && !opener_.stopped())
        opened =
            OpenedPart{opening_block_->document, worded("block {}", opening_block_->part.block),
                       "add-norm", std::move(*document)};
    start_opening();
    return opened;
}

} // namespace normscope
