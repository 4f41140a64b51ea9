#pragma once
#include "core/train/mlp.h"
#include "core/train/optimizer.h"
#include "core/train/tasks.h"
#include "core/transformer/transformer_config.h"

#include <optional>

namespace normscope {

enum class TrainModel : std::uint8_t { mlp, encoder_decoder, encoder, decoder };
template<>
inline constexpr std::array<Choice<TrainModel>, 4> k_choices<TrainModel>{{
    {TrainModel::mlp, "mlp", "MLP"},
    {TrainModel::encoder_decoder, "encoder-decoder", "Encoder and decoder"},
    {TrainModel::encoder, "encoder", "Encoder"},
    {TrainModel::decoder, "decoder", "Decoder"},
}};

// A training run: with the seed, all settings that the run follows from.
struct TrainConfig {
    Task task = Task::spirals;
    double turns = 1;   // of spirals
    double noise = 0.1; // of points
    Index points = 200; // of a class, to train, and as many to test
    Index length = 8;   // of a sequence; characters of a text that are read at once
    Index shortest = 0; // sequences have from here to `length` symbols; 0: all have `length`
    Index symbols = 10;

    TrainModel model = TrainModel::mlp;
    int layers = 12; // of each stack
    Index width = 16;
    int heads = 4;
    Index ffn = 128;
    Activation activation = Activation::relu;
    Norm norm;
    NormPlace norm_place = NormPlace::pre; // of the MLP's norms
    Placement placement = Placement::post; // of a Transformer's norms
    Skip skip = Skip::add;
    Positions positions = Positions::sinusoidal;
    bool masked = true;
    double eps = 1e-5;

    OptimizerConfig optimizer;
    double lr = 0.1;
    Schedule schedule = Schedule::constant;
    Index warmup = 0;           // steps
    std::optional<double> clip; // the most that the gradient's norm may be
    Index batch = 32;
    Index steps = 1000; // a schedule decays over them
    std::uint64_t seed = 0;

    bool operator==(const TrainConfig&) const = default;
};

// The usual config of a task: for points an MLP by SGD, else a Transformer of the kind that fits by
// Adam with β₂ = 0.98, ε = 1e-9 (Vaswani et al. 2017, section 5.3) at 0.003.
TrainConfig usual_config(Task task);

// The usual betas, ε and weight decay: PyTorch's, for a Transformer those of usual_config().
OptimizerConfig usual_optimizer(Optimizer kind, TrainModel model);

// Errors: the first setting that nothing can be trained with, and what it may be; a model that does
// not fit the task, with one that does.
Result<void> check_config(const TrainConfig& config);

constexpr bool is_transformer(TrainModel model) {
    return model != TrainModel::mlp;
}

// Whether a run by `from` can go on by `to` with its weights: the data are the same, and so are the
// shapes of the trained tensors.
bool goes_on(const TrainConfig& from, const TrainConfig& to);

// The models of a config, for points of so many inputs and classes, or a vocabulary.
MlpConfig mlp_config(const TrainConfig& config, Index inputs, Index classes);
TransformerConfig transformer_config(const TrainConfig& config, Index vocabulary);

} // namespace normscope
