#include "app/study/train/mlp_step.h"

#include "app/language/language.h"

namespace normscope {

namespace {

Affine<float> affine_of_layer(const Mlp<float>& mlp, std::size_t l) {
    const Index width = mlp.config.width;
    const auto& layer = mlp.layers[l];
    Affine<float> out;
    out.gamma = Vector<float>::Ones(width);
    out.beta = Vector<float>::Zero(width);
    if (layer.gamma < 0) return out;
    out.gamma = mlp.values.segment(layer.gamma, width);
    out.beta = mlp.values.segment(layer.beta, width);
    return out;
}

} // namespace

Result<std::shared_ptr<const MlpStep>> look_at_step(const Trainer<float>& trainer) {
    const Mlp<float>* const mlp = trainer.mlp();
    const TrainConfig& config = trainer.config();
    const std::shared_ptr<const MlpStep> none;
    if (!mlp || trainer.divergence() ||
        mlp->values.size() + config.layers * config.batch * config.width > k_most_step_values)
        return none;
    auto out = std::make_shared<MlpStep>();
    out->step = trainer.steps_done();
    out->before = *mlp;
    draw_points_of_step(config, trainer.data(), out->step, out->batch);
    Mlp<float> trained = *mlp; // its running statistics move on
    if (auto ok = mlp_forward(trained, out->batch.x, Mode::train, out->pass); !ok)
        return tl::unexpected(ok.error());
    out->loss = class_loss<float>(out->pass.logits, out->batch.classes, out->pass.dlogits).loss;
    if (auto ok = mlp_backward(trained, out->batch.x, out->pass); !ok)
        return tl::unexpected(ok.error());
    Trainer<float> next = trainer;
    if (auto ok = next.step(Watch::loss); !ok) return tl::unexpected(ok.error());
    out->learning_rate = next.last().learning_rate;
    out->after = next.mlp()->values;
    return std::shared_ptr<const MlpStep>(std::move(out));
}

Result<Document> open_layer(const Document& document, const MlpStep& step, std::size_t layer,
                            const std::string& lane) {
    const Mlp<float>& mlp = step.before;
    if (layer >= mlp.layers.size()) return fail(worded("There is no layer {}", layer + 1));
    const auto& own = step.pass.layers[layer];
    AddNormPart part;
    part.title = worded("Train, {}, layer {}, step {}", lane, layer + 1, step.step);
    part.f = mlp.config.place == NormPlace::pre ? own.z : own.a;
    const Matrix<float>& read = layer_input(mlp, step.pass, step.batch.x, layer);
    part.x =
        read.cols() == part.f.cols() ? read : Matrix<float>::Zero(part.f.rows(), part.f.cols());
    part.tokens = numbered_names('p', part.f.rows());
    part.norm = mlp.config.norm;
    part.residual = Residual::no_skip;
    part.affine = affine_of_layer(mlp, layer);
    part.eps = mlp.config.eps;
    return as_document(document, part);
}

} // namespace normscope
