#pragma once
#include "app/study/node.h"
#include "app/study/train/lane_run.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace normscope {

inline constexpr int k_sweep_seeds = 5;  // the race's seed and those after it
inline constexpr int k_sweep_trains = 4; // of them must have learned for a rate that trains

// A rate of a lane, over the seeds that were run.
struct SweepPoint {
    double rate = 0;
    int seeds = 0;    // run so far
    int hits = 0;     // of them that have learned at their end, as has_learned() says
    int diverged = 0; // of them
    double loss = 0;  // mean of those that did not diverge, after the last step, in evaluation
};
struct LaneSweep {
    std::vector<SweepPoint> points; // by sweep_rates(); none of a lane that is off
    // The largest rate that trains; none: no rate that was run does.
    std::optional<double> largest() const;
};

// Powers of ten and three times these around the rate that a task is usually trained with.
std::vector<double> sweep_rates(const TrainConfig& config);

// Runs every lane of a race to its end by every rate and seed, on request; what is known stays when
// it is stopped, and it goes on from there.
class RateSweep final : public KeptUp {
  public:
    explicit RateSweep(const std::function<void()>& wake = [] {}) : job_(wake) {}
    ~RateSweep() override { job_.stop(); }

    using Lanes = std::shared_ptr<const std::vector<LaneSweep>>;

    // Goes on while it is `wanted`.
    void update(const RaceSetup& setup, bool wanted);
    const Lanes& lanes() const { return lanes_; } // by the setup's
    std::size_t done() const { return done_; }    // runs
    std::size_t all() const { return all_; }
    const std::optional<Error>& error() const { return error_; }

    void begin_frame() override { following_ = false; }
    void end_frame() override {
        if (!following_) job_.stop();
    }
    bool computing() const override { return following_ && wanted_ && done_ < all_ && !error_; }

  private:
    struct Run {
        TrainConfig config;
        double loss = 0;
        bool hit = false, diverged = false;
    };
    struct Mailbox {
        std::mutex mutex;
        std::vector<Run> runs; // guarded by mutex
    };

    static Result<int> work(const std::vector<TrainConfig>& configs, const RaceInput& input,
                            Mailbox& mailbox, const Progress& progress);
    const Run* find(const TrainConfig& config) const;
    std::vector<TrainConfig> report(const RaceSetup& setup);

    bool following_ = false, wanted_ = false;
    std::vector<Run> known_;
    Lanes lanes_ = std::make_shared<const std::vector<LaneSweep>>();
    std::vector<TrainConfig> missing_; // runs still to be made, in their order
    std::size_t done_ = 0, all_ = 0;
    std::optional<Error> error_;
    std::optional<RaceSetup> of_; // that the job and the error are of
    std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
    Job<int> job_; // last: joined before what it uses goes
};

} // namespace normscope
