// Can γ and β learn to undo the norm? Their target is Z itself.
#include "core/base/random.h"
#include "core/nn/loss.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"
#include "core/train/optimizer.h"
#include "tests/core/norm/testing.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

// γ and β from 1 and 0 after gradient descent on the mean squared error to Z.
Affine<double> learned(const Matrix<double>& z, NormKind norm, AffinePer per) {
    const auto cache = normalize(norm, z).value().cache;
    Affine<double> affine = identity_affine<double>(per, z.rows(), z.cols());
    OptimizerState<double> state;
    const double rate =
        0.2 * static_cast<double>(z.size()) / static_cast<double>(z.size() / affine.gamma.size());
    for (int step = 0; step < 4000; ++step) {
        Matrix<double> y;
        EXPECT_TRUE(affine_forward(cache.x_hat, affine, y));
        const auto loss = mean_squared_error(y, z).value();
        const auto gradients = affine_backward(cache.x_hat, affine, loss.dy).value();
        const std::vector<Parameter<double>> parameters{
            {affine.gamma.data(), gradients.dgamma.data(), affine.gamma.size()},
            {affine.beta.data(), gradients.dbeta.data(), affine.beta.size()}};
        optimize<double>({}, rate, parameters, state);
    }
    return affine;
}

Matrix<double> some_tokens(Index tokens, Index features) {
    Random random(7);
    return (random_matrix<double>(tokens, features, random).array() * 1.7 + 2.5).matrix();
}

TEST(UndoTheNorm, OneTokenWithOneGammaAndBetaLearnsSigmaAndMu) {
    const Matrix<double> z = some_tokens(1, 7);
    const auto cache = normalize(NormKind::layer, z).value().cache;
    const Affine<double> affine = learned(z, NormKind::layer, AffinePer::scalar);
    EXPECT_NEAR(affine.gamma(0), 1 / cache.rstd(0), 1e-6);
    EXPECT_NEAR(affine.beta(0), cache.mean(0), 1e-6);
}

// Each feature has two unknowns and one equation: descent stops at the nearest solution.
TEST(UndoTheNorm, OneTokenWithAGammaAndBetaAFeatureLearnsTheNearestSolution) {
    const Matrix<double> z = some_tokens(1, 7);
    const auto cache = normalize(NormKind::layer, z).value().cache;
    const Affine<double> affine = learned(z, NormKind::layer, AffinePer::feature);
    for (Index d = 0; d < 7; ++d) {
        const double x = cache.x_hat(0, d), off = (z(0, d) - x) / (x * x + 1);
        EXPECT_NEAR(affine.gamma(d), 1 + off * x, 1e-6) << d;
        EXPECT_NEAR(affine.beta(d), off, 1e-6) << d;
    }
    EXPECT_GT(std::abs(affine.gamma(0) - 1 / cache.rstd(0)), 0.01);
}

TEST(UndoTheNorm, BatchNormLearnsSigmaAndMuOfEachFeature) {
    const Matrix<double> z = some_tokens(5, 3);
    const auto cache = normalize(NormKind::batch, z).value().cache;
    const Affine<double> affine = learned(z, NormKind::batch, AffinePer::feature);
    for (Index d = 0; d < 3; ++d) {
        EXPECT_NEAR(affine.gamma(d), 1 / cache.rstd(d), 1e-6) << d;
        EXPECT_NEAR(affine.beta(d), cache.mean(d), 1e-6) << d;
    }
}

} // namespace
} // namespace normscope
