#pragma once
#include "core/train/checkpoints.h"
#include "core/train/learner.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace normscope {

// How much a step measures beside its loss, accuracy and gradient norm.
enum class Watch : std::uint8_t { loss, everything };

struct LayerState {
    LayerReading reading;     // of the activation function's input
    double gradient_norm = 0; // of all its tensors
    // log₁₀(‖update‖/‖tensors‖), the tensors as before the update; NaN where a norm is 0.
    double update_ratio = 0;
};

// Measurements of the step from `step` to the next.
struct StepMeasure {
    Index step = 0;
    double loss = 0, accuracy = 0; // of its batch, in training mode
    double learning_rate = 0;
    double gradient_norm = 0;       // of all trained tensors, before clipping
    std::vector<LayerState> layers; // the encoder's, then the decoder's
};

// The first value or gradient of a run that is not finite.
struct Divergence {
    Index step = 0;    // the step whose loss or gradient is not finite
    std::string place; // "layers.3.weight", "the values of layers.7", "the gradient of head.bias"
};

// A run: its state follows from config, seed and input, step for step, to the same bits for the
// same number of threads. It is a value: a copy goes on by itself.
template<class S>
class Trainer {
  public:
    // Errors: those of check_config() and make_train_data().
    static Result<Trainer> make(const TrainConfig& config, const TrainInput& input = {},
                                int threads = 1, const CheckpointOptions& checkpoints = {});

    // One step, unless the run has diverged. Errors: those of the model's passes.
    Result<void> step(Watch watch = Watch::everything);
    // Measurements of the next step, without taking it; the update ratios are NaN.
    Result<StepMeasure> look();
    // Goes to the state before step `step`, back by the nearest checkpoint or forward; a run that
    // diverges on the way stays there. Errors: a step below 0; those of step().
    Result<void> go_to(Index step);

    Index steps_done() const { return steps_; }
    const std::optional<Divergence>& divergence() const { return divergence_; }
    const StepMeasure& last() const { return measure_; } // of the last step
    const TrainConfig& config() const { return phases_.back().config; }
    const TrainData<S>& data() const { return *data_; }
    const Checkpoints<S>& checkpoints() const { return checkpoints_; }

    // The trained tensors.
    std::vector<NamedTensor<const S>> tensors() const {
        return std::visit([](const auto& learner) { return learner.tensors(); }, learner_);
    }
    std::vector<std::string> layer_names() const; // of StepMeasure::layers
    const Mlp<S>* mlp() const {                   // null of a Transformer
        const auto* learner = std::get_if<PointLearner<S>>(&learner_);
        return learner ? &learner->model() : nullptr;
    }
    const Transformer<S>* transformer() const { // null of an MLP
        const auto* learner = std::get_if<SequenceLearner<S>>(&learner_);
        return learner ? &learner->model() : nullptr;
    }

    // Results in evaluation mode, at the present step.
    Result<double> test_accuracy() const {
        return std::visit([&](const auto& l) { return l.test_accuracy(config(), *data_); },
                          learner_);
    }
    Result<Evaluation> evaluate() const {
        return std::visit([&](const auto& l) { return l.evaluate(config(), *data_); }, learner_);
    }

    // Goes on by another config with the weights as they are, and with the states of the optimizer
    // and the running statistics where both configs have the same kind. The steps before stay those
    // of their config. Errors: those of check_config(); a config that the run does not go on by
    // (goes_on()).
    Result<void> branch(const TrainConfig& config);

  private:
    Result<void> pass();
    void measure_everything();
    void measure_update();
    template<class Visit>
    void for_state(const Visit& visit);
    Checkpoint<S> checkpoint();
    Result<void> restore(const Checkpoint<S>& checkpoint);

    struct Phase { // of the steps from `first` on
        Index first;
        TrainConfig config;
    };

    const TrainConfig& config_at(Index step) const;
    Result<void> take_config_of(Index step);

    std::vector<Phase> phases_;
    TrainConfig learned_; // of learner_ and optimizer_
    std::shared_ptr<const TrainData<S>> data_;
    std::variant<PointLearner<S>, SequenceLearner<S>> learner_;
    OptimizerState<S> optimizer_;
    Checkpoints<S> checkpoints_;
    Index steps_ = 0;
    std::optional<Divergence> divergence_;
    StepMeasure measure_;
    std::vector<Parameter<S>> parameters_;
    std::vector<RunningStats<S>*> running_;
    Vector<S> before_; // the parameters before an update that is measured
};

} // namespace normscope
