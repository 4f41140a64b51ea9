#include "core/transformer/measure_over_seeds.h"

#include <utility>

namespace normscope {
namespace {

template<class S>
Result<SeedMeasure> measure_seed(const TransformerConfig& config, const BatchShape& batch,
                                 int threads) {
    auto model = make_transformer<S>(config, threads);
    if (!model) return tl::unexpected(model.error());
    auto pass = batch_pass(*model, draw_batch(config, batch.sentences, batch.source_tokens,
                                              batch.target_tokens, config.seed));
    if (!pass) return tl::unexpected(pass.error());
    return SeedMeasure{config.seed, measure(*pass)};
}

} // namespace

template<class S>
Result<std::vector<SeedMeasure>> measure_over_seeds(const TransformerConfig& config,
                                                    const BatchShape& batch, int seeds,
                                                    int threads) {
    std::vector<SeedMeasure> out;
    for (int i = 0; i < seeds; ++i) {
        TransformerConfig own = config;
        own.seed += static_cast<std::uint64_t>(i);
        auto one = measure_seed<S>(own, batch, threads);
        if (!one) return tl::unexpected(one.error());
        out.push_back(std::move(*one));
    }
    return out;
}

template decltype(measure_over_seeds<float>) measure_over_seeds<float>;
template decltype(measure_over_seeds<double>) measure_over_seeds<double>;

double transformer_bytes(const TransformerConfig& c, const BatchShape& batch) {
    constexpr double k_blocks_kept = 24; // T×D of a layer's two blocks, forward and backward
    const auto d = static_cast<double>(c.width);
    const auto ffn = static_cast<double>(c.ffn);
    const auto source = static_cast<double>(batch.source_tokens);
    const auto target = static_cast<double>(batch.target_tokens);
    // Of a layer, for a sentence: the blocks, the hidden features, heads × tokens × memory.
    const auto layer = [&](double tokens, double memory) {
        return batch.sentences * tokens * (k_blocks_kept * d + 3 * ffn + 2 * c.heads * memory) +
               2 * (4 * d * d + 2 * d * ffn);
    };
    double values = encoder_layers(c) * layer(source, source);
    const double of_decoder =
        layer(target, target) + (has_cross_attention(c) ? layer(target, source) : 0);
    values += decoder_layers(c) * of_decoder;
    const double words = 3 * batch.sentences * (has_decoder(c) ? target : source) + 6 * d;
    return 4 * (values + words * static_cast<double>(c.vocabulary));
}

} // namespace normscope
