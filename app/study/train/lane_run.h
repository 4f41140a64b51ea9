#pragma once
#include "app/model/train/race_setup.h"
#include "app/study/train/lane_shot.h"

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace normscope {

// What a layer's step measured.
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

// What is known of a run. Step n is the n-th that was taken, its values stand at n − 1.
struct LaneTrace {
    std::vector<float> loss; // of its batch
    std::size_t layer_count = 0;
    std::vector<LayerTrace> layers; // step after step, its layers from the input up
    std::vector<TestLook> looks;    // every k_look_every steps, in evaluation mode
    std::optional<Index> hit;       // the first of them that reaches the mark
    std::optional<Divergence> diverged;
    double seconds = 0; // that its steps took

    Index steps() const { return static_cast<Index>(loss.size()); }
    const LayerTrace& layer(Index step, std::size_t layer) const {
        return layers[static_cast<std::size_t>(step - 1) * layer_count + layer];
    }
    // The last look at or before the step; null: none.
    const TestLook* look_at(Index step) const;
    // The mean loss of the last steps up to this one; NaN after it diverged; none before the first.
    std::optional<double> loss_at(Index step) const;
    // As it was after so many steps.
    LaneTrace up_to(Index step) const;
    // What `other` knows more of the same run.
    void follow(const LaneTrace& other);
};

inline constexpr Index k_loss_mean = k_look_every; // steps that loss_at() takes the mean of

inline constexpr double k_most_race_bytes = 1e9; // of all runs at once

// Whoever goes back waits for the steps from the checkpoint before on: of a Transformer of two
// layers, 16 wide, three of 1000 steps' on average.
inline constexpr CheckpointOptions k_lane_checkpoints{std::size_t{48} << 20, 5};

// One lane's run, on a worker: it trains, goes back and forward, and leaves what it measures for
// others to read. A step's values do not depend on when it is taken.
class LaneRun {
  public:
    // The same in races that differ in nothing that a run sees: see trained_alike(). `from`: the
    // run of its phases but the last, if there is one: what it has made need not be made again.
    explicit LaneRun(std::vector<RunPhase> phases, Shared<RaceInput> input = {},
                     std::shared_ptr<LaneRun> from = nullptr)
        : phases_(std::move(phases)), input_(std::move(input)), from_(std::move(from)) {}

    const std::vector<RunPhase>& phases() const { return phases_; }
    const Shared<RaceInput>& input() const { return input_; }

    // To be called on one thread at a time; a stop that is asked for is an error.
    // Takes over what the run that it branches from has made, which stands still meanwhile.
    Result<void> begin(const std::stop_token& stop = {});
    // Takes steps up to `target` of them in all, none after it diverged.
    Result<void> advance(Index target, const std::stop_token& stop = {});
    // As it was after so many steps, or when it diverged.
    Result<LaneShot> shot_at(Index step, const std::stop_token& stop = {});
    // As it stands.
    Result<LaneShot> shot();

    // On any thread. Steps known; whether it can take more.
    Index steps() const;
    bool goes_on() const { return !diverged_at(); }
    std::optional<Index> diverged_at() const;
    void tell(LaneTrace& trace) const;                    // as LaneTrace::follow()
    std::shared_ptr<const TrainData<float>> data() const; // null before the first advance()

  private:
    Result<void> go_to(Index step, const std::stop_token& stop);
    Result<void> enter_phase();
    Result<LaneShot> take(bool exact);
    Result<void> step();

    const TrainConfig& config() const { return phases_[entered_].config; }

    std::vector<RunPhase> phases_;
    std::size_t entered_ = 0; // of them
    Shared<RaceInput> input_;
    WrittenText written_; // the last time that it wrote a text
    std::shared_ptr<LaneRun> from_;
    std::optional<Trainer<float>> trainer_;
    mutable std::mutex mutex_;
    LaneTrace trace_;                              // guarded by mutex_
    std::shared_ptr<const TrainData<float>> data_; // guarded by mutex_
};

// A race whatever step of it is looked at, which changes no run.
inline RaceSetup without_step(RaceSetup setup) {
    setup.step = 0;
    return setup;
}

// A run for its key: the number of steps does not matter where no schedule decays over them.
std::vector<RunPhase> trained_alike(std::vector<RunPhase> phases);

} // namespace normscope
