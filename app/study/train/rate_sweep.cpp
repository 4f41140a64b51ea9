#include "app/study/train/rate_sweep.h"

#include "core/base/lists.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace normscope {

namespace {

constexpr double k_times_usual[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
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

SweepRun::SweepRun(TrainConfig trained, Shared<RaceInput> input)
    : LabTask("Training by every rate", Told::by_its_panel), config(std::move(trained)),
      input_(std::move(input)) {}

SweepRun::~SweepRun() = default;

Result<void> SweepRun::advance(const Progress& progress) {
    if (!trainer_)
        trainer_ =
            TRY(Trainer<float>::make(config, input_->given, 1, {std::size_t{1} << 20, 1000}));
    const auto until = std::chrono::steady_clock::now() + k_slice;
    while (!trainer_->divergence() && trainer_->steps_done() < config.steps) {
        if (progress.stop.stop_requested() || std::chrono::steady_clock::now() > until) return {};
        TRY(trainer_->step(Watch::loss));
    }
    run_.guess = trainer_->data().guess;
    run_.diverged = trainer_->divergence();
    run_.final = TRY(trainer_->evaluate());
    trainer_.reset();
    done_ = true;
    return {};
}

const std::shared_ptr<SweepRun>* RateSweep::find(const TrainConfig& config) const {
    return find_in(known_, config, [](const auto& run) { return run->config; });
}

// Puts together the sweep of each lane, as far as it is known. Returns the runs that are missing,
// one seed after the other.
std::vector<TrainConfig> RateSweep::report(const RaceSetup& setup) {
    std::vector<TrainConfig> missing;
    std::vector<LaneSweep> lanes(setup.lanes->size());
    done_ = all_ = 0;
    const std::vector<double> rates = sweep_rates(setup.common);
    std::vector<std::vector<TrainConfig>> by_seed(k_sweep_seeds);
    for (const auto i : indices(lanes)) {
        const Lane& lane = (*setup.lanes)[i];
        if (!lane.on) continue;
        for (const double rate : rates) {
            SweepPoint point{rate};
            const auto runs = runs_of(config_of(setup, lane), rate);
            for (const auto seed : indices(runs)) {
                ++all_;
                const auto* const known = find(runs[seed]);
                if (!known || !(*known)->is_over() || (*known)->error()) {
                    by_seed[seed].push_back(runs[seed]);
                    continue;
                }
                ++done_;
                ++point.seeds;
                const SweepRun& run = **known;
                point.hits += run.has_learned() ? 1 : 0;
                point.diverged += run.diverged() ? 1 : 0;
                if (!run.diverged()) point.loss += run.loss();
            }
            const int finite = point.seeds - point.diverged;
            point.loss = finite > 0 ? point.loss / finite : 0;
            lanes[i].points.push_back(point);
        }
    }
    lanes_ = std::make_shared<const std::vector<LaneSweep>>(std::move(lanes));
    for (const auto& runs : by_seed)
        for (const TrainConfig& run : runs)
            if (!find_in(missing, run)) missing.push_back(run);
    return missing;
}

void RateSweep::update(Lab& lab, const RaceSetup& setup, bool wanted) {
    const bool changed = !of_ || !(*of_ == setup);
    if (changed) {
        error_.reset();
        if (of_ && !(of_->input == setup.input)) known_.clear();
        of_ = setup;
    }
    const auto over = std::ranges::count_if(known_, &SweepRun::is_over,
                                            [](const auto& run) -> SweepRun& { return *run; });
    if (changed || over != std::exchange(over_, over)) missing_ = report(setup);
    if (!wanted || error_) return;
    double bytes = 0;
    const std::size_t most = 2 * static_cast<std::size_t>(processor_threads());
    for (std::size_t i = 0; i < std::min(most, missing_.size()); ++i) {
        bytes += run_bytes(missing_[i], setup.input->given);
        if (i > 0 && bytes > k_most_race_bytes) break;
        const auto* const known = find(missing_[i]);
        auto run = known ? *known : std::make_shared<SweepRun>(missing_[i], setup.input);
        if (!known) known_.push_back(run);
        if (run->error()) error_ = run->error();
        lab.want(std::move(run));
    }
    keep_last(known_, k_most_runs);
}

} // namespace normscope
