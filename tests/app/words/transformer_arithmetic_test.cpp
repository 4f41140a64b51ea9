#include "app/words/transformer_arithmetic.h"

#include "tests/app/words/written_numbers.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace normscope::testing {
namespace {

AddNormCell random_cell(std::mt19937& random) {
    std::uniform_real_distribution<double> value(-3, 3), spread(0.3, 4);
    AddNormCell c;
    c.x = value(random);
    c.f = value(random);
    c.z = c.x + c.f;
    c.mean = value(random);
    c.root = spread(random);
    c.x_hat = (c.z - c.mean) / c.root;
    c.gamma = value(random);
    c.beta = value(random);
    c.y = c.gamma * c.x_hat + c.beta;
    return c;
}

TEST(LensWords, EveryResultOfAnAddNormFollowsFromWhatIsWrittenBefore) {
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const AddNormCell c = random_cell(random);
        const auto lines = add_norm_words(c);
        ASSERT_EQ(lines.size(), 3u);
        const auto z = written_numbers(lines[0]), x_hat = written_numbers(lines[1]),
                   y = written_numbers(lines[2]);
        ASSERT_EQ(z.size(), 3u) << lines[0];
        ASSERT_EQ(x_hat.size(), 4u) << lines[1];
        ASSERT_EQ(y.size(), 4u) << lines[2];
        EXPECT_TRUE(z[0].is(c.x) && z[1].is(c.f) && z[2].is(c.z)) << lines[0];
        EXPECT_TRUE(z[2].is(z[0].value + z[1].value)) << lines[0];
        EXPECT_EQ(x_hat[0].value, z[2].value) << lines[1];
        EXPECT_TRUE(x_hat[1].is(c.mean) && x_hat[2].is(c.root) && x_hat[3].is(c.x_hat));
        EXPECT_TRUE(x_hat[3].is((x_hat[0].value - x_hat[1].value) / x_hat[2].value)) << lines[1];
        EXPECT_EQ(y[1].value, x_hat[3].value) << lines[2];
        EXPECT_TRUE(y[0].is(c.gamma) && y[2].is(c.beta) && y[3].is(c.y)) << lines[2];
        EXPECT_TRUE(y[3].is(y[0].value * y[1].value + y[2].value)) << lines[2];
    }
}

TEST(LensWords, ANormThatTakesNoMeanOffSubtractsNothing) {
    AddNormCell c;
    c.x = 0.5, c.f = 1.5, c.z = 2;
    c.root = 4, c.x_hat = 0.5, c.y = 0.5;
    c.spread = &k_mean_square;
    EXPECT_EQ(add_norm_words(c),
              (std::vector<std::string>{"z = 0.50 + 1.50 = 2.00", "x\u0302 = 2.00/4.00 = 0.50",
                                        "y = 1.00·0.50 + 0.00 = 0.50"}));
    c.spread = &k_no_spread;
    c.x_hat = c.y = 2;
    EXPECT_EQ(add_norm_words(c),
              (std::vector<std::string>{"z = 0.50 + 1.50 = 2.00", "y = 1.00·2.00 + 0.00 = 2.00"}));
    c.adds = false;
    c.z = 1.5;
    c.y = 1.5;
    EXPECT_EQ(add_norm_words(c).front(), "z = F(X) = 1.50");
}

TEST(LensWords, WhereTheNormComesFirstTheSumComesLast) {
    AddNormCell c;
    c.norm_first = true;
    c.x = 2, c.f = 1, c.z = 3;
    c.mean = 1, c.root = 2, c.x_hat = 0.5, c.y = 0.5;
    EXPECT_EQ(add_norm_words(c), (std::vector<std::string>{"x\u0302 = (2.00 − 1.00)/2.00 = 0.50",
                                                           "γ·x\u0302+β = 1.00·0.50 + 0.00 = 0.50",
                                                           "y = 2.00 + 1.00 = 3.00"}));
}

TEST(LensWords, EveryResultOfAWeightFollowsFromWhatIsWrittenBefore) {
    std::mt19937 random(2);
    for (const double scale : {0.3, 3.0, 12.0, 400.0})
        for (int i = 0; i < 500; ++i) {
            std::uniform_real_distribution<double> value(-scale, scale);
            std::vector<double> scores(5);
            for (double& s : scores) s = value(random);
            const double root = std::sqrt(8.0);
            AttentionWeight w{scores[2] * root, root, scores, 2, 0};
            double sum = 0;
            for (const double s : scores) sum += std::exp(s - scores[2]);
            w.weight = 1 / sum;
            const auto lines = weight_words(w);
            ASSERT_EQ(lines.size(), 2u);
            const auto score = written_numbers(lines[0]), softmax = written_numbers(lines[1]);
            ASSERT_EQ(score.size(), 3u) << lines[0];
            EXPECT_TRUE(score[2].is(scores[2])) << lines[0];
            EXPECT_TRUE(score[2].is(score[0].value / score[1].value)) << lines[0];
            ASSERT_GE(softmax.size(), 4u) << lines[1];
            EXPECT_EQ(softmax[0].value, score[2].value) << lines[1];
            const WrittenNumber& shown = softmax.back();
            const double e = softmax[softmax.size() - 3].value;
            EXPECT_TRUE(shown.is(e / softmax[softmax.size() - 2].value)) << lines[1];
            EXPECT_TRUE(shown.is(w.weight)) << lines[1];
            const double shift = softmax.size() == 5 ? softmax[1].value : 0;
            EXPECT_TRUE(softmax[softmax.size() - 3].is(std::exp(softmax[0].value - shift)))
                << lines[1];
        }
}

TEST(LensWords, AMeanOfHeadsIsTheirSumByTheirNumber) {
    EXPECT_EQ(mean_words(std::vector{0.7, 0.12}), "mean = (0.70 + 0.12)/2 = 0.41");
    EXPECT_EQ(mean_words(std::vector<double>(8, 0.25)), "mean = Σ/8 = 2.00/8 = 0.25");
}

TEST(LensWords, ASurpriseIsThatOfThePrintedProbability) {
    EXPECT_EQ(surprise_words(0.713), "−log 0.713 = 0.34");
    const auto rare = written_numbers(surprise_words(1.2e-5));
    EXPECT_TRUE(rare[1].is(-std::log(rare[0].value)));
    EXPECT_TRUE(rare[1].is(-std::log(1.2e-5)));
}

} // namespace
} // namespace normscope::testing
