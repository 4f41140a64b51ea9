#pragma once
#include "core/base/progress.h"
#include "core/train/trainer.h"

#include <optional>
#include <vector>

namespace normscope {

// Measurements of a run after `step` steps.
struct RunRecord {
    Index step = 0;
    double loss = 0, accuracy = 0; // of the next step's batch, in training mode
    double test_accuracy = 0;      // in evaluation mode
    std::vector<LayerState> layers;
};

// A run from its first to its last step.
struct SeedRun {
    std::uint64_t seed = 0;
    std::vector<RunRecord> records;
    std::optional<Index> hit_step; // the first step looked at where the test is good enough
    std::optional<Divergence> diverged;
    Guess guess;      // of the run's data
    Evaluation final; // after the last step
};

// The test accuracy from which a test is a hit: of points 0.95, and at least half of those that a
// guess gets wrong must be right; of sequences 0.99. None for a text, and for points that a guess
// gets all right.
std::optional<double> hit_accuracy(Task task, const Guess& guess = {});

// Whether a run has learned its task at its end: the test is a hit, or, of a text, the loss is
// below that of a guess.
bool has_learned(Task task, const SeedRun& run);

// Runs a trainer that has taken no step to the last one of its config, and looks at it every so
// many steps, at the last and where it diverges. Errors: those of its steps; a stop.
Result<SeedRun> run_to_end(Trainer<float>& trainer, Index every, const Progress& progress = {});

// Bytes that a run takes in float32, about: its values, their gradients, the memory of the
// optimizer and the measures, a pass, the test, and checkpoints.
double run_bytes(const TrainConfig& config, const TrainInput& input,
                 const CheckpointOptions& checkpoints = {0, 1});

// Runs of the config by the seeds config.seed, config.seed + 1, …, several at a time; `first`,
// if not null, becomes the first of the trainers. Errors: those of make() and run_to_end().
Result<std::vector<SeedRun>> run_over_seeds(const TrainConfig& config, const TrainInput& input,
                                            int seeds, Index every, int threads = 1,
                                            std::optional<Trainer<float>>* first = nullptr);

} // namespace normscope
