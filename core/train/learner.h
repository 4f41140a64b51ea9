#pragma once
#include "core/nn/loss.h"
#include "core/train/mlp.h"
#include "core/train/optimizer.h"
#include "core/train/train_data.h"
#include "core/transformer/transformer.h"

#include <optional>
#include <string>
#include <vector>

// A model in training, as the trainer sees it: the same functions for an MLP and a Transformer.
namespace normscope {

// Pre-activations of a layer over a batch: √(mean over units of (the unit's mean)²) and √(mean over
// units of the unit's variance).
struct LayerReading {
    double mean = 0;
    double std = 0;
};
template<class S>
LayerReading reading_of(const Matrix<S>& pre_activation);

// Loss and accuracies in evaluation mode. Those that do not apply to a task are empty.
struct Evaluation {
    double loss = 0;                       // over the examples of train_accuracy, else of the test
    std::optional<double> train_accuracy;  // points and texts
    double test_accuracy = 0;              // points, characters, or whole sequences that are right
    std::optional<double> greedy_accuracy; // sequences that an encoder–decoder writes by itself
    // Cross-attention's mean weight of word t on word n − 1 − t of n, in the head and layer where
    // this mean is highest.
    std::optional<double> antidiagonal_best;
};

template<class S>
class PointLearner {
  public:
    static Result<PointLearner> make(const TrainConfig& config, const TrainData<S>& data);

    // Forward and backward of the batch of a step, in training mode.
    Result<BatchLoss> pass(const TrainConfig& config, const TrainData<S>& data, Index step);

    // The trained values, with the gradients of the last pass.
    void parameters(std::vector<Parameter<S>>& out);
    std::vector<NamedTensor<const S>> tensors() const { return mlp_tensors(mlp_, mlp_.values); }
    std::vector<NamedTensor<const S>> gradients() const {
        return mlp_tensors(mlp_, pass_.gradients);
    }
    void running(std::vector<RunningStats<S>*>& out);
    void readings(std::vector<LayerReading>& out) const; // of the last pass, a layer each
    std::string first_not_finite() const;                // the place, of the last pass

    Result<double> test_accuracy(const TrainConfig& config, const TrainData<S>& data) const;
    Result<Evaluation> evaluate(const TrainConfig& config, const TrainData<S>& data) const;

    const Mlp<S>& model() const { return mlp_; }

  private:
    Mlp<S> mlp_;
    PointSet<S> batch_;
    MlpPass<S> pass_;
};

// The Transformer in evaluation mode: its norms use the running statistics, if they have any.
template<class S>
Transformer<S> in_evaluation(Transformer<S> transformer) {
    for (TransformerStack<S>* stack : {&transformer.encoder, &transformer.decoder})
        for_norms(*stack, [](Mode& mode, const auto& /*running*/) { mode = Mode::eval; });
    return transformer;
}

template<class S>
class SequenceLearner {
  public:
    static Result<SequenceLearner> make(const TrainConfig& config, const TrainData<S>& data,
                                        int threads);

    Result<BatchLoss> pass(const TrainConfig& config, const TrainData<S>& data, Index step);
    // Forward and backward of the given batch, in training mode.
    Result<BatchLoss> pass(Task task, const Batch& batch);

    void parameters(std::vector<Parameter<S>>& out);
    std::vector<NamedTensor<const S>> tensors() const;
    std::vector<NamedTensor<const S>> gradients() const;
    void running(std::vector<RunningStats<S>*>& out);
    void readings(std::vector<LayerReading>& out) const;
    std::string first_not_finite() const;

    Result<double> test_accuracy(const TrainConfig& config, const TrainData<S>& data) const;
    Result<Evaluation> evaluate(const TrainConfig& config, const TrainData<S>& data) const;

    const Transformer<S>& model() const { return transformer_; }
    Transformer<S>& model() { return transformer_; }

  private:
    // Places of the parameters and gradients, once there are some: collecting them takes memory. A
    // copy of the learner has its tensors elsewhere, so that its list of places starts empty.
    struct Places {
        Places() = default;
        Places(const Places& /*other*/) {}
        Places(Places&&) noexcept = default;
        Places& operator=(const Places& /*other*/) {
            all.clear();
            return *this;
        }
        Places& operator=(Places&&) noexcept = default;

        std::vector<Parameter<S>> all;
    };

    Transformer<S> transformer_; // in training mode
    Batch batch_;
    TransformerForward<S> forward_;
    TransformerBackward<S> backward_;
    Places places_;
};

} // namespace normscope
