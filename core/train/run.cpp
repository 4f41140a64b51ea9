#include "core/train/run.h"

#include "core/base/parallel.h"

#include <limits>
#include <utility>

namespace normscope {
namespace {

// Who does not go back keeps its start alone.
constexpr CheckpointOptions k_start_alone{0, std::numeric_limits<Index>::max()};

// What the trainer sees at its present step; the step is taken where there is one.
Result<RunRecord> record_of(Trainer<float>& trainer) {
    RunRecord out;
    out.step = trainer.steps_done();
    out.test_accuracy = TRY(trainer.test_accuracy());
    StepMeasure seen;
    if (out.step < trainer.config().steps) {
        TRY(trainer.step());
        seen = trainer.last();
    } else {
        seen = TRY(trainer.look());
    }
    out.loss = seen.loss;
    out.accuracy = seen.accuracy;
    out.layers = std::move(seen.layers);
    return out;
}

} // namespace

std::optional<double> hit_accuracy(Task task) {
    const TaskKind kind = kind_of(task);
    if (kind == TaskKind::text) return {};
    return kind == TaskKind::points ? 0.95 : 0.99;
}

Result<SeedRun> run_to_end(Trainer<float>& trainer, Index every, const Progress& progress) {
    const Index steps = trainer.config().steps;
    const auto mark = hit_accuracy(trainer.config().task);
    SeedRun out;
    out.seed = trainer.config().seed;
    for (bool ended = false; !ended;) {
        const Index step = trainer.steps_done();
        ended = step == steps;
        if (step % every == 0 || ended) {
            TRY(progress.at(static_cast<double>(step) / static_cast<double>(steps)));
            auto record = TRY(record_of(trainer));
            if (mark && !out.hit_step && record.test_accuracy >= *mark) out.hit_step = step;
            out.records.push_back(std::move(record));
        } else {
            TRY(trainer.step(Watch::loss));
        }
        ended = ended || trainer.divergence().has_value();
    }
    out.diverged = trainer.divergence();
    out.final = TRY(trainer.evaluate());
    return out;
}

Result<std::vector<SeedRun>> run_over_seeds(const TrainConfig& config, const TrainInput& input,
                                            int seeds, Index every, int threads,
                                            std::optional<Trainer<float>>* first) {
    std::vector<Result<SeedRun>> runs(static_cast<std::size_t>(seeds));
    const auto run_seed = [&](std::size_t i) -> Result<SeedRun> {
        TrainConfig own = config;
        own.seed += i;
        auto trainer = TRY(Trainer<float>::make(own, input, 1, k_start_alone));
        auto run = run_to_end(trainer, every);
        if (first && i == 0) *first = std::move(trainer);
        return run;
    };
    take_turns(threads, seeds, [&](Index i) {
        runs[static_cast<std::size_t>(i)] = run_seed(static_cast<std::size_t>(i));
    });
    std::vector<SeedRun> out;
    for (Result<SeedRun>& run : runs) out.push_back(TRY(std::move(run)));
    return out;
}

} // namespace normscope
