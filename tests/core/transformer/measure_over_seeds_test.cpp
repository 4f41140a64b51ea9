#include "core/transformer/measure.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

TEST(MeasureOverSeeds, DrawsWeightsAndSentencesFromEachSeed) {
    TransformerConfig config;
    config.layers = 2;
    config.width = 6;
    config.heads = 2;
    config.ffn = 5;
    config.vocabulary = 7;
    config.seed = 4;
    const auto all = measure_over_seeds<double>(config, {3, 4, 5}, 2);
    ASSERT_TRUE(all.has_value()) << all.error().message;
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(all->front().seed, 4u);
    config.seed = 5;
    const auto model = make_transformer<double>(config);
    ASSERT_TRUE(model.has_value());
    const auto forward = transformer_forward(*model, draw_batch(config, 3, 4, 5, 5));
    ASSERT_TRUE(forward.has_value());
    const auto backward = transformer_backward(*model, *forward);
    ASSERT_TRUE(backward.has_value());
    const TransformerMeasure& second = all->back().measure;
    EXPECT_EQ(all->back().seed, 5u);
    EXPECT_EQ(second.loss, *forward->loss);
    EXPECT_NE(second.loss, all->front().measure.loss);
    const auto& ffn =
        std::get<FeedForwardGradients<double>>(backward->decoder.layers[1][2].sublayer);
    EXPECT_NEAR(second.decoder[1].w2_grad_norm, ffn.second.dweight.norm(), 1e-14);
    config.heads = 4;
    EXPECT_FALSE(measure_over_seeds<double>(config, {3, 4, 5}, 2).has_value());
}

} // namespace
} // namespace normscope
