#include "core/train/train_config.h"

#include "core/base/in_range.h"

#include <cmath>
#include <string>

namespace normscope {
namespace {

constexpr double k_most_batch = 4096;
constexpr double k_most_steps = 1e7;

Architecture architecture_of(TrainModel model) {
    if (model == TrainModel::encoder) return Architecture::encoder;
    if (model == TrainModel::decoder) return Architecture::decoder;
    return Architecture::encoder_decoder;
}

Result<void> check_model_fits(const TrainConfig& c) {
    const std::string task(id_of(c.task));
    const TaskKind kind = kind_of(c.task);
    if (kind == TaskKind::points && is_transformer(c.model))
        return fail(
            "the task {} is of points, which a Transformer does not read: take the model mlp",
            task);
    if (kind == TaskKind::sequences && c.model == TrainModel::mlp)
        return fail("the task {} is of sequences, which an MLP does not read: take the model "
                    "encoder-decoder, encoder or decoder",
                    task);
    if (kind == TaskKind::text && c.model != TrainModel::decoder)
        return fail("a text is learned character after character: take the model decoder");
    return {};
}

Result<void> check_task(const TrainConfig& c) {
    TRY(in_range("the turns of the spirals", c.turns, 0, 100));
    TRY(in_range("the noise", c.noise, 0, 100));
    TRY(in_range("the points of a class", c.points, 5, 1e5));
    TRY(in_range("the length", c.length, 1, 1024));
    TRY(in_range("the number of symbols", c.symbols, 2, 1e4));
    return in_range("the shortest length", c.shortest, 0, c.length);
}

// The config with one fixed value for each setting that a run may change on the way (goes_on()):
// neither the data nor the shapes of the trained tensors follow from it.
TrainConfig shapes_of(TrainConfig c) {
    const TrainConfig usual;
    const bool normalizes = norm_entry(c.norm).normalizes();
    const bool in_order = is_transformer(c.model) && normalizes; // norms stand by the placement
    const bool at_the_end = c.placement == Placement::pre;       // final norms
    if (!in_order || c.placement != Placement::peri)
        c.placement = in_order && at_the_end ? Placement::pre : Placement::post;
    c.norm = normalizes ? k_usual_norm : k_without_norm;
    if (c.skip != Skip::rezero) c.skip = Skip::add;
    if (c.positions != Positions::learned) c.positions = Positions::none;
    c.activation = usual.activation;
    c.norm_place = usual.norm_place;
    c.masked = usual.masked;
    c.eps = usual.eps;
    c.optimizer = usual.optimizer;
    c.lr = usual.lr;
    c.schedule = usual.schedule;
    c.warmup = usual.warmup;
    c.clip = usual.clip;
    c.batch = usual.batch;
    c.steps = usual.steps;
    return c;
}

Result<void> check_training(const TrainConfig& c) {
    if (!(c.lr >= 0) || !std::isfinite(c.lr))
        return fail("the learning rate must be a finite number of 0 or more; it is {}", c.lr);
    if (c.clip && !(*c.clip > 0)) return fail("the clip must be above 0; it is {}", *c.clip);
    TRY(in_range("the warm-up", c.warmup, 0, k_most_steps));
    TRY(in_range("the batch", c.batch, 1, k_most_batch));
    TRY(in_range("the number of steps", c.steps, 1, k_most_steps));
    TRY(check_optimizer(c.optimizer));
    const NormEntry& norm = norm_entry(c.norm);
    if (norm.shares == Shares::feature && kind_of(c.task) == TaskKind::points &&
        c.batch < norm.fewest_values())
        return fail("{} norm takes its statistics over the batch: it needs {} points or more; the "
                    "batch has {}",
                    norm.id, norm.fewest_values(), c.batch);
    return {};
}

} // namespace

bool goes_on(const TrainConfig& from, const TrainConfig& to) {
    return shapes_of(from) == shapes_of(to);
}

OptimizerConfig usual_optimizer(Optimizer kind, TrainModel model) {
    OptimizerConfig out;
    out.kind = kind;
    if (kind == Optimizer::adamw) out.weight_decay = 0.01;
    if (is_transformer(model)) {
        out.beta2 = 0.98;
        out.eps = 1e-9;
    }
    return out;
}

TrainConfig usual_config(Task task) {
    TrainConfig out;
    out.task = task;
    const TaskKind kind = kind_of(task);
    if (kind == TaskKind::points) return out;
    out.model = kind == TaskKind::text ? TrainModel::decoder : TrainModel::encoder_decoder;
    out.layers = 2;
    if (kind == TaskKind::text) out.length = 32;
    out.optimizer = usual_optimizer(Optimizer::adam, out.model);
    out.lr = 0.003;
    return out;
}

Result<void> check_config(const TrainConfig& c) {
    TRY(check_model_fits(c));
    TRY(check_task(c));
    TRY(check_training(c));
    if (!is_transformer(c.model)) return check_mlp(mlp_config(c, 2, 2));
    return check_config(transformer_config(c, c.symbols + 1));
}

MlpConfig mlp_config(const TrainConfig& c, Index inputs, Index classes) {
    MlpConfig out;
    out.inputs = inputs;
    out.layers = c.layers;
    out.width = c.width;
    out.outputs = classes == 2 ? 1 : classes;
    out.activation = c.activation;
    out.norm = c.norm;
    out.place = c.norm_place;
    out.skip = c.skip;
    out.eps = c.eps;
    out.seed = c.seed;
    return out;
}

TransformerConfig transformer_config(const TrainConfig& c, Index vocabulary) {
    TransformerConfig out;
    out.arch = architecture_of(c.model);
    out.layers = c.layers;
    out.width = c.width;
    out.heads = c.heads;
    out.ffn = c.ffn;
    out.activation = c.activation;
    out.norm = c.norm;
    out.placement = c.placement;
    out.skip = c.skip == Skip::none ? Residual::no_skip : Residual::add;
    out.rezero = c.skip == Skip::rezero;
    out.positions = c.positions;
    out.longest = 2 * c.length; // a decoder alone reads the symbols and what they become
    out.masked = c.masked;
    out.vocabulary = vocabulary;
    out.label_smoothing = 0;
    out.eps = c.eps;
    out.seed = c.seed;
    return out;
}

} // namespace normscope
