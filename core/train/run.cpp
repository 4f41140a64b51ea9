#include "core/train/run.h"

#include "core/base/lists.h"
#include "core/base/parallel.h"
#include "core/transformer/measure.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace normscope {
namespace {

// A run that never goes back keeps the checkpoint of its start alone.
constexpr CheckpointOptions k_start_alone{0, std::numeric_limits<Index>::max()};

// Record of the trainer's present step. Takes the step; after the run's last step only looks.
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

double values_of(const TransformerConfig& c) {
    const int embeddings = has_encoder(c) && has_decoder(c) ? 3 : 2; // with the head
    return encoder_weights(c) + decoder_weights(c) +
           embeddings * static_cast<double>(c.width) * static_cast<double>(c.vocabulary);
}

Index vocabulary_of(const TrainConfig& c, const TrainInput& input) {
    if (c.task != Task::text) return c.symbols + 1;
    const auto text = read_text(input.text, c.length);
    return text ? std::ssize(text->characters) : 0;
}

} // namespace

double run_bytes(const TrainConfig& c, const TrainInput& input,
                 const CheckpointOptions& checkpoints) {
    double values = 0, pass = 0;
    if (is_transformer(c.model)) {
        const TransformerConfig model = transformer_config(c, vocabulary_of(c, input));
        const bool joined = kind_of(c.task) == TaskKind::sequences && !has_encoder(model);
        const Index length = joined ? 2 * c.length : c.length;
        constexpr Index k_of_test = k_test_sentences / 2; // forward alone
        pass = transformer_bytes(model, {static_cast<int>(c.batch + k_of_test), length, length});
        values = values_of(model);
    } else {
        constexpr double k_kept = 8, k_of_test = 5; // batch×width of a layer
        const double width = static_cast<double>(c.width), layers = c.layers;
        const double tested = c.task == Task::own ? static_cast<double>(input.points.x.rows()) / 5
                                                  : 2.0 * static_cast<double>(c.points);
        const double inputs = c.task == Task::own ? static_cast<double>(input.points.x.cols()) : 2;
        values = width * (inputs + layers * width);
        pass = 4 * (2 * values +
                    layers * width * (k_kept * static_cast<double>(c.batch) + k_of_test * tested));
    }
    const int remembered = c.optimizer.kind == Optimizer::sgd        ? 0
                           : c.optimizer.kind == Optimizer::momentum ? 1
                                                                     : 2;
    const double checkpoint = 4 * (1 + remembered) * values;
    const double kept = std::clamp(
        static_cast<double>(c.steps / checkpoints.every + 1) * checkpoint, 2 * checkpoint,
        std::max(2 * checkpoint, static_cast<double>(checkpoints.budget)));
    constexpr int k_copies = 2; // the values before the step, and those shown or tested
    return pass + 4 * (remembered + k_copies) * values + kept;
}

std::optional<double> hit_accuracy(Task task, const Guess& guess) {
    const TaskKind kind = kind_of(task);
    const double guessed = guess.test_accuracy.value_or(0);
    if (kind == TaskKind::text || guessed == 1) return {};
    return kind == TaskKind::points ? std::max(0.95, (1 + guessed) / 2) : 0.99;
}

bool has_learned(Task task, const SeedRun& run) {
    if (run.diverged) return false;
    if (kind_of(task) == TaskKind::text) return run.final.loss < run.guess.loss;
    const auto mark = hit_accuracy(task, run.guess);
    return mark && run.final.test_accuracy >= *mark;
}

Result<SeedRun> run_to_end(Trainer<float>& trainer, Index every, const Progress& progress) {
    const Index steps = trainer.config().steps;
    SeedRun out;
    out.guess = trainer.data().guess;
    const auto mark = hit_accuracy(trainer.config().task, out.guess);
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
    take_turns(threads, seeds,
               [&](Index i) { entry_at(runs, i) = run_seed(static_cast<std::size_t>(i)); });
    std::vector<SeedRun> out;
    for (Result<SeedRun>& run : runs) out.push_back(TRY(std::move(run)));
    return out;
}

} // namespace normscope
