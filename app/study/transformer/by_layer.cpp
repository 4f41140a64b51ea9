#include "app/study/transformer/by_layer.h"

namespace normscope {

namespace {

std::optional<TransformerMeasure> measured_with(TransformerSetup setup, Placement placement) {
    setup.config.placement = placement;
    if (setup.weights && !fits(setup.config, *setup.weights)) return std::nullopt;
    const auto whole = whole_model(setup);
    if (!whole) return std::nullopt;
    const auto model = without(*whole, *setup.taken_out);
    const auto passed = pass_through(*model, setup, {});
    if (!passed) return std::nullopt;
    const auto backward = transformer_backward(*model, passed->forward);
    if (!backward) return std::nullopt;
    return measure(passed->forward, *backward);
}

} // namespace

std::shared_ptr<const ByLayer> ByLayer::of(const TransformerSetup& setup,
                                           const std::shared_ptr<const ByLayer>& /*before*/) {
    auto out = std::make_shared<ByLayer>();
    out->setup_ = setup;
    const Placement own = setup.config.placement;
    for (const Placement placement : {own, Placement::post, Placement::pre}) {
        if (placement == own && !out->measured_.empty()) continue;
        if (auto measure = measured_with(setup, placement))
            out->measured_.push_back({placement, std::move(*measure)});
    }
    return out;
}

Where ByLayer::where(const TransformerSetup& setup, const ByLayer* /*before*/) {
    return fits_in_a_frame(3 * work_of(setup)) ? Where::here : Where::on_a_worker;
}

} // namespace normscope
