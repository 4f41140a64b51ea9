#pragma once
#include "app/model/train/race_setup.h"
#include "app/study/lab/lab.h"
#include "app/study/train/lane_shot.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace normscope {

// A layer's measurements at one step.
struct LayerTrace {
    float mean = 0, std = 0; // of what its activation function read
    float gradient_norm = 0;
    float update_ratio = 0; // log₁₀(‖update‖/‖data‖); NaN where one of them is 0
    bool operator==(const LayerTrace&) const = default;
};

struct TestLook {
    Index step = 0; // after so many steps
    double accuracy = 0;
};

inline constexpr Index k_look_every = 25; // steps

// The trace of a run, as far as it is known. Step n is the n-th that was taken; its values stand at
// index n − 1.
struct LaneTrace {
    std::vector<float> loss; // of its batch
    std::size_t layer_count = 0;
    std::vector<LayerTrace> layers; // step after step, its layers from the input up
    std::vector<TestLook> looks;    // every k_look_every steps, in evaluation mode
    std::optional<Index> hit;       // the step of the first look that reaches the mark
    std::optional<Divergence> diverged;
    double seconds = 0; // that its steps took

    Index steps() const { return std::ssize(loss); }
    const LayerTrace& layer(Index step, std::size_t layer) const {
        return layers[static_cast<std::size_t>(step - 1) * layer_count + layer];
    }
    // The last look at or before the step; null: none.
    const TestLook* look_at(Index step) const;
    // The mean loss of the last steps up to this one; NaN after a divergence; none before step 1.
    std::optional<double> loss_at(Index step) const;
    // The trace as it was after so many steps.
    LaneTrace up_to(Index step) const;
    // Adds the steps and looks that `other`, a trace of the same run, has beyond these.
    void follow(const LaneTrace& other);
};

inline constexpr Index k_loss_mean = k_look_every; // steps that loss_at() takes the mean of

inline constexpr double k_most_race_bytes = 1e9; // of all runs at once

// Going back waits for the steps from the checkpoint before on: in a Transformer of two layers, 16
// wide, for three of 1000 steps on average.
inline constexpr CheckpointOptions k_lane_checkpoints{std::size_t{48} << 20, 5};

// How far a run is to go, and at which step it is to be looked at; none: the look follows the run
// while it goes on.
struct LaneAim {
    Index steps = 0;
    std::optional<Index> shot;
};

// One lane's run: it trains, goes back and forward, and leaves its measurements for others to read.
// A step's values do not depend on when it is taken.
class LaneRun final : public LabTask {
  public:
    // A run is the same in all races that differ in nothing that it sees: see trained_alike().
    // `from`: the run of its phases but the last, if there is one; its steps are not made again.
    explicit LaneRun(std::vector<RunPhase> phases, Shared<RaceInput> input = {},
                     std::shared_ptr<LaneRun> from = nullptr);
    ~LaneRun() override;

    const std::vector<RunPhase>& phases() const { return phases_; }
    const Shared<RaceInput>& input() const { return input_; }

    // May be called on any thread.
    void aim(LaneAim aim);
    Index steps() const;                                  // that are known
    void tell(LaneTrace& trace) const;                    // as LaneTrace::follow()
    std::shared_ptr<const LaneShot> last_shot() const;    // null: none yet
    std::shared_ptr<const TrainData<float>> data() const; // null before its first slice

  private:
    using Clock = std::chrono::steady_clock;

    bool is_done() const override;
    Result<void> advance(const Progress& progress) override;
    Result<void> begin();
    Result<void> go_on();
    Result<void> go_to(Index step);
    Result<void> enter_phase();
    Result<LaneShot> take(bool exact);
    Result<void> step();
    bool slice_is_over() const { return stop_.stop_requested() || Clock::now() >= until_; }
    bool is_behind() const;       // it can take steps towards its aim; mutex_ is locked
    bool shows(Index step) const; // its last shot shows the step; mutex_ is locked

    const TrainConfig& config() const { return phases_[entered_].config; }

    std::vector<RunPhase> phases_;
    Shared<RaceInput> input_;

    std::mutex at_work_; // held while a thread advances the run or a branch takes over its steps
    std::stop_token stop_;
    Clock::time_point until_, shot_at_;
    std::size_t entered_ = 0; // phases
    WrittenText written_;     // the last time that it wrote a text
    std::shared_ptr<LaneRun> from_;
    std::optional<Trainer<float>> trainer_;
    bool arrived_ = false; // where its last phase begins

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    LaneAim aim_;
    LaneTrace trace_;
    std::shared_ptr<const LaneShot> shot_;
    std::shared_ptr<const TrainData<float>> data_;
};

// The phases as a run's key: the number of steps counts only where a schedule decays over them.
std::vector<RunPhase> trained_alike(std::vector<RunPhase> phases);

} // namespace normscope
