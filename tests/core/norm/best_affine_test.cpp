#include "core/norm/affine.h"

#include "core/base/random.h"
#include "core/nn/loss.h"
#include "core/norm/normalize.h"
#include "tests/core/norm/testing.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

double loss_of(const Matrix<double>& x_hat, const Affine<double>& affine,
               const Matrix<double>& target) {
    Matrix<double> y;
    EXPECT_TRUE(affine_forward(x_hat, affine, y));
    return mean_squared_error(y, target)->loss;
}

TEST(BestAffine, NothingNearbyIsBetter) {
    Random random(3);
    const Matrix<double> x_hat = random_matrix<double>(5, 3, random);
    const Matrix<double> target = random_matrix<double>(5, 3, random);
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        const auto best = best_affine(x_hat, target, per);
        ASSERT_TRUE(best);
        EXPECT_NEAR(best->loss, loss_of(x_hat, best->affine, target), 1e-14);
        for (Index i = 0; i < best->affine.gamma.size(); ++i)
            for (const double by : {-1e-3, 1e-3}) {
                Affine<double> moved = best->affine;
                moved.gamma(i) += by;
                EXPECT_GT(loss_of(x_hat, moved, target), best->loss);
                moved = best->affine;
                moved.beta(i) += by;
                EXPECT_GT(loss_of(x_hat, moved, target), best->loss);
            }
    }
}

// Z comes back whole where γ, β are tied to what shares the statistics, and only there.
TEST(BestAffine, UndoesTheNormWhereItCan) {
    Random random(4);
    const Matrix<double> z = random_matrix<double>(6, 4, random);
    const auto layer = normalize<double>(NormKind::layer, z);
    EXPECT_NEAR(best_affine(layer->cache.x_hat, z, AffinePer::token)->loss, 0, 1e-20);
    EXPECT_GT(best_affine(layer->cache.x_hat, z, AffinePer::feature)->loss, 1e-3);
    const auto batch = normalize<double>(NormKind::batch, z);
    EXPECT_NEAR(best_affine(batch->cache.x_hat, z, AffinePer::feature)->loss, 0, 1e-20);
}

TEST(BestAffine, OfAConstantIsItsMean) {
    const Matrix<double> x_hat = Matrix<double>::Zero(1, 3);
    Matrix<double> target(1, 3);
    target << 1, 2, 6;
    const auto best = best_affine(x_hat, target, AffinePer::scalar);
    EXPECT_EQ(best->affine.gamma(0), 0);
    EXPECT_EQ(best->affine.beta(0), 3);
    EXPECT_FALSE(best_affine(x_hat, Matrix<double>::Zero(2, 3), AffinePer::scalar));
    EXPECT_FALSE(best_affine(Matrix<double>(), Matrix<double>(), AffinePer::scalar));
}

} // namespace
} // namespace normscope
