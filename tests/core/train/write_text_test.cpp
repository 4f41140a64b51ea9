#include "core/train/write_text.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

// A decoder whose likeliest next word is always this one.
Transformer<double> always(Index word, double by) {
    TransformerConfig config;
    config.arch = Architecture::decoder;
    config.layers = 1;
    config.width = 4;
    config.heads = 2;
    config.ffn = 4;
    config.vocabulary = 5;
    auto model = make_transformer<double>(config).value();
    model.generator.weight.setZero();
    model.generator.bias.setZero();
    model.generator.bias(word) = by;
    return model;
}

TEST(WriteText, WritesTheLikeliestWhereOneIsMuchLikelier) {
    const auto written = write_text(always(3, 50), {1, 2}, {7, 4, 1, 0});
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(*written, std::vector<Index>(7, 3));
}

// Of p = e^(1/τ)/(e^(1/τ) + 4) of the draws it is the one whose logit is 1.
TEST(WriteText, DrawsByTheTemperature) {
    for (const double temperature : {0.5, 2.0}) {
        constexpr Index k_draws = 2000;
        const auto written = write_text(always(3, 1), {0}, {k_draws, 2, temperature, 7});
        ASSERT_TRUE(written);
        const double e = std::exp(1 / temperature);
        const auto share = static_cast<double>(std::ranges::count(*written, Index{3})) / k_draws;
        EXPECT_NEAR(share, e / (e + 4), 0.05) << temperature;
    }
}

TEST(WriteText, TheSameSeedWritesTheSame) {
    const auto model = always(1, 0.5);
    const auto a = write_text(model, {1}, {30, 8, 1, 3}), b = write_text(model, {1}, {30, 8, 1, 3});
    const auto c = write_text(model, {1}, {30, 8, 1, 4});
    EXPECT_EQ(*a, *b);
    EXPECT_NE(*a, *c);
}

} // namespace
} // namespace normscope
