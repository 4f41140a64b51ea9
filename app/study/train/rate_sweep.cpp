#include "app/study/train/rate_sweep.h"

#include "core/base/parallel.h"
#include "core/train/run.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace normscope {

namespace {

constexpr std::array<double, 8> k_times_usual = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
constexpr std::size_t k_most_runs = 600; // that are kept
constexpr Index k_sweep_every = 100;     // steps between two looks at the test

std::vector<TrainConfig> runs_of(const TrainConfig& config, double rate) {
    std::vector<TrainConfig> out;
    for (int seed = 0; seed < k_sweep_seeds; ++seed) {
        out.push_back(config);
        out.back().lr = rate;
        out.back().seed += static_cast<std::uint64_t>(seed);
    }
    return out;
}

} // namespace

std::optional<double> LaneSweep::largest() const {
    std::optional<double> out;
    for (const SweepPoint& point : points)
        if (point.hits >= k_sweep_trains) out = point.rate;
    return out;
}

std::vector<double> sweep_rates(const TrainConfig& config) {
    std::vector<double> out;
    for (const double times : k_times_usual) out.push_back(times * usual_config(config.task).lr);
    return out;
}

Result<int> RateSweep::work(const std::vector<TrainConfig>& configs, const RaceInput& input,
                            Mailbox& mailbox, const Progress& progress) {
    std::atomic<std::size_t> done = 0;
    const auto run_one = [&](const TrainConfig& config) -> Result<void> {
        auto trainer =
            TRY(Trainer<float>::make(config, input.given, 1, {std::size_t{1} << 20, 1000}));
        const Progress stop{progress.stop, {}};
        const auto run = TRY(run_to_end(trainer, k_sweep_every, stop));
        {
            const std::lock_guard lock(mailbox.mutex);
            mailbox.runs.push_back(
                {config, run.final.loss, has_learned(config.task, run), run.diverged.has_value()});
        }
        const double share = static_cast<double>(++done) / static_cast<double>(configs.size());
        return progress.at(share);
    };
    double bytes = 1; // of the largest run
    std::vector<TrainConfig> seen;
    for (TrainConfig config : configs) {
        config.lr = 0;
        config.seed = 0;
        if (std::ranges::find(seen, config) != seen.end()) continue;
        bytes = std::max(bytes, run_bytes(seen.emplace_back(config), input.given));
    }
    const int at_once =
        std::clamp(static_cast<int>(k_most_race_bytes / bytes), 1, processor_threads());
    std::vector<Result<void>> results(configs.size());
    std::atomic<bool> over = false; // stopped, or a run failed: no other begins
    take_turns(at_once, std::ssize(configs), [&](Index i) {
        const auto at = static_cast<std::size_t>(i);
        if (over) return;
        results[at] = run_one(configs[at]);
        if (!results[at]) over = true;
    });
    for (const Result<void>& result : results) TRY(result);
    return 0;
}

const RateSweep::Run* RateSweep::find(const TrainConfig& config) const {
    const auto at = std::ranges::find(known_, config, &Run::config);
    return at == known_.end() ? nullptr : &*at;
}

// What is known of each lane; returns the runs that are missing, one seed after the other.
std::vector<TrainConfig> RateSweep::report(const RaceSetup& setup) {
    std::vector<TrainConfig> missing;
    std::vector<LaneSweep> lanes(setup.lanes->size());
    done_ = all_ = 0;
    const std::vector<double> rates = sweep_rates(setup.common);
    std::vector<std::vector<TrainConfig>> by_seed(k_sweep_seeds);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Lane& lane = (*setup.lanes)[i];
        if (!lane.on) continue;
        for (const double rate : rates) {
            SweepPoint point{rate};
            const auto runs = runs_of(config_of(setup, lane), rate);
            for (std::size_t seed = 0; seed < runs.size(); ++seed) {
                ++all_;
                const Run* const run = find(runs[seed]);
                if (!run) {
                    by_seed[seed].push_back(runs[seed]);
                    continue;
                }
                ++done_;
                ++point.seeds;
                point.hits += run->hit ? 1 : 0;
                point.diverged += run->diverged ? 1 : 0;
                if (!run->diverged) point.loss += run->loss;
            }
            const int finite = point.seeds - point.diverged;
            point.loss = finite > 0 ? point.loss / finite : 0;
            lanes[i].points.push_back(point);
        }
    }
    lanes_ = std::make_shared<const std::vector<LaneSweep>>(std::move(lanes));
    for (const auto& runs : by_seed)
        for (const TrainConfig& run : runs)
            if (std::ranges::find(missing, run) == missing.end()) missing.push_back(run);
    return missing;
}

void RateSweep::update(const RaceSetup& setup, bool wanted) {
    following_ = true;
    wanted_ = wanted;
    const RaceSetup now = without_step(setup);
    if (auto finished = job_.take(); finished && !*finished && !job_.stopped())
        error_ = finished->error();
    bool changed = false;
    if (!of_ || !(*of_ == now)) {
        error_.reset();
        if (of_ && !(of_->input == now.input)) { // what the job still leaves is of the old one
            known_.clear();
            mailbox_ = std::make_shared<Mailbox>();
        }
        if (job_.busy()) job_.stop();
        of_ = now;
        changed = true;
    }
    {
        const std::lock_guard lock(mailbox_->mutex);
        changed |= !mailbox_->runs.empty();
        for (Run& run : mailbox_->runs) known_.push_back(std::move(run));
        mailbox_->runs.clear();
    }
    if (known_.size() > k_most_runs)
        known_.erase(known_.begin(), known_.end() - static_cast<std::ptrdiff_t>(k_most_runs));
    if (changed) missing_ = report(setup);
    if (!wanted && job_.busy()) job_.stop();
    if (!wanted || missing_.empty() || job_.busy() || error_) return;
    job_.start("Training by every rate",
               [missing = missing_, input = now.input, mailbox = mailbox_](
                   const Progress& progress) { return work(missing, *input, *mailbox, progress); });
}

} // namespace normscope
