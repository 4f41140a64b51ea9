#pragma once
#include "app/study/train/lane_run.h"
#include "app/study/train/lane_sweep.h"
#include "core/train/run.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace normscope {

inline constexpr int k_sweep_seeds = 5;  // the race's seed and those after it
inline constexpr int k_sweep_trains = 4; // of them must have learned for a rate that trains

// Powers of ten and three times these around the rate that a task is usually trained with.
std::vector<double> sweep_rates(const TrainConfig& config);

// A run of a lane by one rate and seed, to its end.
class SweepRun final : public LabTask {
  public:
    SweepRun(TrainConfig trained, Shared<RaceInput> input);
    ~SweepRun() override;

    const TrainConfig config;
    // Valid once the run is over without an error.
    double loss() const { return run_.final.loss; }
    bool diverged() const { return run_.diverged.has_value(); }
    bool has_learned() const { return normscope::has_learned(config.task, run_); }

  private:
    bool is_done() const override { return done_; }
    Result<void> advance(const Progress& progress) override;

    Shared<RaceInput> input_;
    std::optional<Trainer<float>> trainer_; // until it is over
    SeedRun run_;
    std::atomic<bool> done_ = false;
};

// Runs every lane of a race to its end by every rate and seed, on request. Finished runs stay when
// the sweep is stopped, and it goes on from there.
class RateSweep {
  public:
    // Goes on with the sweep while `wanted`.
    void update(Lab& lab, const RaceSetup& setup, bool wanted);
    const LaneSweeps& lanes() const { return lanes_; }
    std::size_t done() const { return done_; } // runs
    std::size_t all() const { return all_; }
    const std::optional<Error>& error() const { return error_; }

  private:
    const std::shared_ptr<SweepRun>* find(const TrainConfig& config) const;
    std::vector<TrainConfig> report(const RaceSetup& setup);

    std::vector<std::shared_ptr<SweepRun>> known_;
    std::ptrdiff_t over_ = 0; // of them
    LaneSweeps lanes_ = std::make_shared<const std::vector<LaneSweep>>();
    std::vector<TrainConfig> missing_; // runs still to be made, in their order
    std::size_t done_ = 0, all_ = 0;
    std::optional<Error> error_;
    std::optional<RaceSetup> of_; // that the rest is of
};

} // namespace normscope
