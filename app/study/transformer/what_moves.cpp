#include "app/study/transformer/what_moves.h"

#include "app/model/transformer/file_weights.h"
#include "core/base/lists.h"

namespace normscope {

namespace {

// The model of a setup, and what has gone through it.
struct PassedModel {
    SharedTransformer model;
    Passed passed;
};
std::optional<PassedModel> pass_of(const TransformerSetup& setup) {
    const auto whole = whole_model(setup);
    if (!whole) return std::nullopt;
    const auto model = without(*whole, *setup.taken_out);
    auto passed = pass_through(*model, setup);
    if (!passed) return std::nullopt;
    return PassedModel{model, std::move(*passed)};
}

std::optional<TransformerMeasure> measured_with(TransformerSetup setup, Placement placement) {
    setup.config.placement = placement;
    if (setup.weights && !fits(setup.config, *setup.weights)) return std::nullopt;
    const auto pass = pass_of(setup);
    if (!pass) return std::nullopt;
    const auto backward = transformer_backward(*pass->model, pass->passed.forward);
    if (!backward) return std::nullopt;
    return measure(pass->passed.forward, *backward);
}

} // namespace

std::shared_ptr<const ByLayer> ByLayer::of(const TransformerSetup& setup,
                                           const std::shared_ptr<const ByLayer>& /*before*/,
                                           const Progress& progress) {
    auto out = std::make_shared<ByLayer>();
    out->setup = setup;
    const Placement own = setup.config.placement;
    for (const Placement placement : {own, Placement::post, Placement::pre}) {
        if (placement == own && !out->measured.empty()) continue;
        if (!progress.at(0)) return nullptr;
        if (auto measure = measured_with(setup, placement))
            out->measured.push_back({placement, std::move(*measure)});
    }
    return out;
}

bool ByLayer::fits_in_a_frame(const TransformerSetup& setup) {
    return normscope::fits_in_a_frame(3 * work_of(setup));
}

std::shared_ptr<const Peek> Peek::of(const Input& input,
                                     const std::shared_ptr<const Peek>& /*before*/,
                                     const Progress& progress) {
    auto out = std::make_shared<Peek>();
    out->input = input;
    if (!has_decoder(input.setup.config)) return out;
    const auto pass = pass_of(input.setup);
    if (!pass) return out;
    Sentence other = pass->passed.sentence;
    const Words vocabulary = vocabulary_of(input.setup);
    const auto at = static_cast<std::size_t>(input.token);
    if (at >= other.target.size() || vocabulary.size() < 2) return out;
    other.target[at] = (other.target[at] + 1) % std::ssize(vocabulary);
    if (!progress.at(0.5)) return nullptr;
    const auto moved = transformer_forward(*pass->model, {other});
    if (!moved) return out;
    out->word = entry_at(vocabulary, other.target[at]);
    const Matrix<float>&y = pass->passed.forward.decoder.y, &y_other = moved->decoder.y;
    for (Index t = 0; t < y.rows(); ++t)
        out->moved.push_back((y_other.row(t) - y.row(t)).cast<double>().norm() /
                             y.row(t).cast<double>().norm());
    return out;
}

bool Peek::fits_in_a_frame(const Input& input) {
    return normscope::fits_in_a_frame(work_of(input.setup));
}

} // namespace normscope
