#include "tests/core/norm/testing.h"

// Group norm beside what it is made of; PyTorch's values are in golden_test.cpp.
namespace normscope {
namespace {

using namespace testing;

constexpr Norm in_groups(Index groups) {
    return {NormKind::group, groups};
}

TEST(GroupNorm, OfOneGroupIsLayerNorm) {
    const auto z = normal_matrix<double>(5, 7, 1, 2, 0.5);
    const auto dy = normal_matrix<double>(5, 7, 2);
    const auto affine = normal_affine<double>(AffinePer::feature, 5, 7, 3);
    const auto group = must_normalize(in_groups(1), z).cache;
    const auto layer = must_normalize(NormKind::layer, z).cache;
    EXPECT_LE(relative_difference(group.x_hat, layer.x_hat), 1e-14);
    EXPECT_LE(relative_difference(group.mean, layer.mean), 1e-14);
    EXPECT_LE(relative_difference(group.rstd, layer.rstd), 1e-14);
    EXPECT_LE(relative_difference(normalize_backward(group, affine, dy)->dz,
                                  normalize_backward(layer, affine, dy)->dz),
              1e-13);
}

TEST(GroupNorm, IsLayerNormOfEachGroup) {
    const auto z = normal_matrix<double>(4, 15, 4, 2, 0.5);
    const auto out = must_normalize(in_groups(3), z).cache;
    ASSERT_EQ(out.mean.size(), 12);
    for (Index g = 0; g < 3; ++g) {
        const Matrix<double> part = z.middleCols(5 * g, 5);
        const auto layer = must_normalize(NormKind::layer, part).cache;
        EXPECT_LE(relative_difference(Matrix<double>(out.x_hat.middleCols(5 * g, 5)), layer.x_hat),
                  1e-14);
        for (Index t = 0; t < 4; ++t) EXPECT_NEAR(out.mean(3 * t + g), layer.mean(t), 1e-14);
    }
}

TEST(GroupNorm, OfOneFeatureAGroupIsZero) {
    const auto out = must_normalize(in_groups(7), normal_matrix<double>(3, 7, 5));
    EXPECT_TRUE(out.cache.x_hat.isZero(0));
}

TEST(GroupNorm, NanStaysInItsGroup) {
    auto z = normal_matrix<float>(3, 6, 6);
    z(1, 4) = std::numeric_limits<float>::quiet_NaN();
    const auto x_hat = must_normalize(in_groups(2), z).cache.x_hat;
    for (Index t = 0; t < 3; ++t)
        for (Index d = 0; d < 6; ++d) EXPECT_EQ(std::isnan(x_hat(t, d)), t == 1 && d >= 3);
}

TEST(GroupNorm, SquaresThatAreTooLargeForANumberLeaveNothing) {
    const Matrix<float> z = normal_matrix<float>(3, 6, 7) * 1e25f;
    const auto out = must_normalize(in_groups(2), z);
    EXPECT_TRUE(out.cache.rstd.isZero(0));
    EXPECT_TRUE(out.cache.x_hat.isZero(0));
}

TEST(GroupNorm, RefusesGroupsThatDoNotDivideTheFeatures) {
    const auto refused = normalize(in_groups(4), normal_matrix<double>(3, 6, 8));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "group norm: 4 groups cannot share 6 features evenly; choose "
              "3 or 6 groups");
    EXPECT_FALSE(check_groups(0, 6));
    EXPECT_FALSE(check_groups(-1, 6));
    EXPECT_NE(check_groups(9, 6).error().message.find("choose 6 groups"), std::string::npos);
    EXPECT_TRUE(check_groups(6, 6));
}

} // namespace
} // namespace normscope
