#include "core/nn/loss.h"

#include "core/check/sampled_check.h"
#include "tests/core/nn/random_matrix.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

template<class F>
void expect_gradient(const Matrix<double>& at, const Matrix<double>& gradient, F&& loss) {
    Matrix<double> m = at;
    for (Index i = 0; i < m.size(); ++i) {
        const double before = m.data()[i];
        const double numeric = five_point_difference(
            [&](double v) {
                m.data()[i] = v;
                return loss(m);
            },
            before, 1e-3);
        m.data()[i] = before;
        EXPECT_NEAR(gradient.data()[i], numeric, 1e-10);
    }
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
    expect_gradient(y, mean_squared_error(y, target)->dy,
                    [&](const auto& m) { return mean_squared_error(m, target)->loss; });
}

TEST(MeanSquaredError, RefusesWhatDoesNotFit) {
    EXPECT_FALSE(mean_squared_error(Matrix<double>::Ones(2, 3), Matrix<double>::Ones(3, 2)));
    EXPECT_FALSE(mean_squared_error(Matrix<double>(), Matrix<double>()));
}

} // namespace
} // namespace normscope
