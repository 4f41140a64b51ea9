#include "core/nn/embedding.h"

#include "core/check/sampled_check.h"
#include "core/nn/loss.h"
#include "tests/core/norm/testing.h"

#include <cmath>

namespace normscope {
namespace {

TEST(Embedding, SinusoidalPositionsAreTheFormulaExactly) {
    for (const Index features : {Index{6}, Index{7}}) {
        const auto table = sinusoidal_positions<double>(5, features);
        for (Index pos = 0; pos < 5; ++pos)
            for (Index i = 0; 2 * i < features; ++i) {
                const double angle =
                    static_cast<double>(pos) /
                    std::pow(10000.0, static_cast<double>(2 * i) / static_cast<double>(features));
                EXPECT_EQ(table(pos, 2 * i), std::sin(angle));
                if (2 * i + 1 < features) {
                    EXPECT_EQ(table(pos, 2 * i + 1), std::cos(angle));
                }
            }
    }
    EXPECT_EQ(sinusoidal_positions<float>(5, 7),
              sinusoidal_positions<double>(5, 7).cast<float>().eval());
}

TEST(Embedding, GivesScaledRowsAndAddsTheirGradients) {
    Random random(41);
    const auto table = random_matrix<double>(5, 3, random);
    const std::vector<Index> ids{4, 0, 4};
    Matrix<double> y = Matrix<double>::Zero(4, 3);
    ASSERT_TRUE(embed<double>(table, ids, 2, y, 1));
    EXPECT_EQ(y.row(0).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(y.row(1), 2 * table.row(4));
    EXPECT_EQ(y.row(2), 2 * table.row(0));
    const auto dy = random_matrix<double>(4, 3, random);
    Matrix<double> dtable = Matrix<double>::Zero(5, 3);
    embed_backward<double>(ids, 2, dy, 1, dtable);
    EXPECT_EQ(dtable.row(4), 2 * dy.row(1) + 2 * dy.row(3));
    EXPECT_EQ(dtable.row(0), 2 * dy.row(2));
    EXPECT_EQ(dtable.middleRows(1, 3).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Embedding, NamesAWordThatTheVocabularyDoesNotHave) {
    Matrix<double> y(2, 3);
    const Matrix<double> table = Matrix<double>::Ones(5, 3);
    const auto out = embed<double>(table, std::vector<Index>{4, 5}, 1, y);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().message, "token 1 is word 5, which the vocabulary of 5 words does not "
                                   "have: its words are 0 to 4");
    EXPECT_FALSE(check_words(std::vector<Index>{-1}, 5));
}

TEST(MeanSquaredError, IsPyTorchs) {
    Matrix<double> y(1, 4), target(1, 4);
    y << 1, 2, 3, 4;
    target << 1, 0, 3, 0;
    const auto loss = mean_squared_error(y, target);
    ASSERT_TRUE(loss);
    EXPECT_DOUBLE_EQ(loss->loss, 5); // torch.nn.MSELoss()(y, target)
    EXPECT_DOUBLE_EQ(loss->dy(0, 3), 2);
}

TEST(MeanSquaredError, GradientAgreesWithDifferences) {
    Random random(1);
    const Matrix<double> y = random_matrix<double>(3, 7, random);
    const Matrix<double> target = random_matrix<double>(3, 7, random);
    const Matrix<double> gradient = mean_squared_error(y, target)->dy;
    Matrix<double> moved = y;
    for (Index i = 0; i < y.size(); ++i) {
        const auto loss_at = [&](double v) {
            moved.data()[i] = v;
            return mean_squared_error(moved, target)->loss;
        };
        EXPECT_NEAR(gradient.data()[i], five_point_difference(loss_at, y.data()[i], 1e-3), 1e-10);
        moved.data()[i] = y.data()[i];
    }
}

TEST(MeanSquaredError, RefusesWhatDoesNotFit) {
    EXPECT_FALSE(mean_squared_error(Matrix<double>::Ones(2, 3), Matrix<double>::Ones(3, 2)));
    EXPECT_FALSE(mean_squared_error(Matrix<double>(), Matrix<double>()));
}

TEST(LabelSmoothing, GradientAgreesWithCentralDifferences) {
    Random random(42);
    const std::vector<Index> targets{0, 8, 3};
    const auto logits = random_matrix<double>(3, 9, random);
    for (const double smoothing : {0.0, 0.1, 1.0}) {
        const auto out = cross_entropy(logits, targets, smoothing);
        ASSERT_TRUE(out);
        const auto numeric = testing::differences(logits, [&](const Matrix<double>& moved) {
            return cross_entropy(moved, targets, smoothing)->loss;
        });
        EXPECT_LE(testing::relative_difference(out->dlogits, numeric), 1e-7);
        EXPECT_LE((out->probabilities.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-15);
    }
    EXPECT_FALSE(cross_entropy(logits, targets, 1.5));
}

} // namespace
} // namespace normscope
