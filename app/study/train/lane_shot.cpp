#include "app/study/train/lane_shot.h"

#include "app/language/language.h"
#include "app/model/transformer/file_weights.h"
#include "core/base/lists.h"
#include "core/nn/loss.h"
#include "core/train/learner.h"
#include "core/train/tasks.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// The map is computed a few rows at a time, which stay in the cache.
Result<PointMap> map_of(const Mlp<float>& trained, const PointFrame& frame) {
    constexpr int n = PointMap::k_rows, columns = PointMap::k_columns, k_few = 4;
    static_assert(n % k_few == 0);
    constexpr double k_beside = (columns - n) / 2.0;
    Matrix<float> x(k_few * columns, 2);
    for (int i = 0; i < x.rows(); ++i)
        x(i, 0) = static_cast<float>(frame.left + frame.side * (i % columns + 0.5 - k_beside) / n);
    Mlp<float> mlp = trained;
    MlpPass<float> pass;
    PointMap out;
    out.probability.reserve(static_cast<std::size_t>(n * columns));
    for (int row = 0; row < n; row += k_few) {
        for (int i = 0; i < x.rows(); ++i)
            x(i, 1) =
                static_cast<float>(frame.bottom + frame.side * (n - row - i / columns - 0.5) / n);
        TRY(mlp_forward(mlp, x, Mode::eval, pass));
        for (Index i = 0; i < x.rows(); ++i)
            out.probability.push_back(1 / (1 + std::exp(-pass.logits(i, 0))));
    }
    return out;
}

// The weights of the head, of all layers, that has the largest weights on the whole.
Matrix<float> surest_attention(const Transformer<float>& model,
                               const TransformerForward<float>& forward) {
    Matrix<float> best;
    float surest = -1;
    const Index heads = model.config.heads;
    for (const auto& layer : forward.decoder.layers) {
        const auto& attention = std::get<AttentionCache<float>>(layer[1].sublayer);
        const Matrix<float>& weights = attention.probabilities.front();
        const Index words = weights.rows() / heads;
        for (Index head = 0; head < heads; ++head) {
            const Matrix<float> one = weights.middleRows(head * words, words);
            const float sure = one.rowwise().maxCoeff().mean();
            if (sure <= surest) continue;
            surest = sure;
            best = one;
        }
    }
    return best;
}

Result<WrittenSentences> written_by(const Transformer<float>& trained, const Batch& held_out) {
    const Batch batch(held_out.begin(),
                      held_out.begin() + static_cast<std::ptrdiff_t>(
                                             std::min(held_out.size(), k_shown_sentences)));
    const Transformer<float> model = in_evaluation(trained);
    const auto forward = TRY(transformer_forward(model, batch));
    WrittenSentences out;
    Index row = 0;
    for (const Sentence& sentence : batch) {
        WrittenSentence& one = out.sentences.emplace_back();
        one.source = sentence.source.empty() ? sentence.target : sentence.source;
        for (const Index label : sentence.labels) {
            Index likeliest = 0;
            forward.logits.row(row++).maxCoeff(&likeliest);
            if (label == k_no_label) continue;
            one.wanted.push_back(label);
            one.written.push_back(likeliest);
        }
    }
    out.model = std::make_shared<const Transformer<float>>(trained);
    if (has_cross_attention(model.config)) out.attention = surest_attention(model, forward);
    return out;
}

std::string characters_of(const TextData& text, const std::vector<Index>& ids) {
    std::string out;
    for (const Index id : ids) {
        const std::string& character = entry_at(text.characters, id);
        out += character == "\n" ? " / " : character;
    }
    return out;
}

// The text that a run writes after the beginning of the test text, which no step reads.
Result<WrittenText> text_by(const Trainer<float>& trainer) {
    const TrainConfig& config = trainer.config();
    const TextData& text = trainer.data().text;
    const std::vector<Index> start(
        text.test.begin(),
        text.test.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                text.test.size(), static_cast<std::size_t>(config.length))));
    const auto written =
        TRY(write_text(in_evaluation(*trainer.transformer()), start,
                       {k_written_characters, config.length, k_write_temperature, config.seed}));
    return WrittenText{trainer.steps_done(), characters_of(text, start),
                       characters_of(text, written)};
}

// γ and β by layer, of norms whose tensors are named "…norm….weight" and "…norm….bias".
std::vector<LayerAffine> affine_of(const Trainer<float>& trainer) {
    std::vector<LayerAffine> out;
    for (const std::string& layer : trainer.layer_names()) {
        LayerAffine& one = out.emplace_back();
        for (const auto& tensor : trainer.tensors()) {
            if (!tensor.name.starts_with(layer + ".")) continue;
            if (tensor.name.find("norm", layer.size()) == std::string::npos) continue;
            auto& to = tensor.name.ends_with(".weight") ? one.gamma : one.beta;
            to.insert(to.end(), tensor.data, tensor.data + tensor.size());
        }
    }
    return out;
}

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

std::string symbol_word(Index symbol, Index symbols) {
    if (symbol <= 0) return std::string(k_start_word);
    if (symbols <= 26) return std::string(1, static_cast<char>('a' + symbol - 1));
    return std::to_string(symbol);
}

Words symbol_words(Index symbols) {
    Words out;
    for (Index symbol = 0; symbol <= symbols; ++symbol) out.push_back(symbol_word(symbol, symbols));
    return out;
}

FileWeights weights_of(const WrittenSentences& written, Index symbols, std::string name) {
    return {std::move(name), symbol_words(symbols), *written.model};
}

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
    TRY(mlp_forward(trained, out->batch.x, Mode::train, out->pass));
    out->loss = class_loss<float>(out->pass.logits, out->batch.classes, out->pass.dlogits).loss;
    TRY(mlp_backward(trained, out->batch.x, out->pass));
    Trainer<float> next = trainer;
    TRY(next.step(Watch::loss));
    out->learning_rate = next.last().learning_rate;
    out->after = next.mlp()->values;
    return std::shared_ptr<const MlpStep>(std::move(out));
}

Result<Document> open_layer(const Document& document, const MlpStep& step, std::size_t layer,
                            const std::string& lane) {
    const Mlp<float>& mlp = step.before;
    if (layer >= mlp.layers.size()) return fail(worded("There is no layer {}", layer + 1));
    const auto& own = step.pass.layers[layer];
    const Matrix<float>& f = mlp.config.place == NormPlace::pre ? own.z : own.a;
    const Matrix<float>& read = layer_input(mlp, step.pass, step.batch.x, layer);
    const Matrix<float> x =
        read.cols() == f.cols() ? read : Matrix<float>::Zero(f.rows(), f.cols());
    return as_document(document,
                       {worded("Train, {}, layer {}, step {}", lane, layer + 1, step.step),
                        numbered_names('p', f.rows()),
                        x,
                        f,
                        mlp.config.norm,
                        Residual::no_skip,
                        affine_of_layer(mlp, layer),
                        mlp.config.eps,
                        {}});
}

PointFrame frame_of(const TrainData<float>& data) {
    if (data.train.x.cols() != 2 || data.train.x.rows() == 0) return {};
    const auto lo = data.train.x.colwise().minCoeff().cwiseMin(data.test.x.colwise().minCoeff());
    const auto hi = data.train.x.colwise().maxCoeff().cwiseMax(data.test.x.colwise().maxCoeff());
    const Vector<double> low = lo.transpose().cast<double>(), high = hi.transpose().cast<double>();
    const double side = 1.12 * std::max(high(0) - low(0), high(1) - low(1));
    return {(low(0) + high(0) - side) / 2, (low(1) + high(1) - side) / 2, side};
}

Result<LaneShot> shoot(const Trainer<float>& trainer, const WrittenText* written) {
    LaneShot out;
    out.step = trainer.steps_done();
    out.finite = !trainer.divergence();
    if (!out.finite) return out;
    out.test_accuracy = TRY(trainer.test_accuracy());
    out.affine = affine_of(trainer);
    if (const Mlp<float>* mlp = trainer.mlp()) {
        if (mlp->config.inputs != 2 || mlp->config.outputs != 1) {
            out.shown = std::monostate();
            return out;
        }
        out.shown = TRY(map_of(*mlp, frame_of(trainer.data())));
    } else if (written) {
        out.shown = *written;
    } else if (trainer.config().task == Task::text) {
        out.shown = TRY(text_by(trainer));
    } else {
        out.shown = TRY(written_by(*trainer.transformer(), trainer.data().test_sentences));
    }
    return out;
}

} // namespace normscope
