#include "app/study/add_norm/geometry.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

Document three_features(NormKind norm, double eps, Index groups = 1) {
    Document d = blank_document(4, 3);
    Matrix<double> x(4, 3);
    x << 0.5, 0.9, 0.3, -1.5, 1.4, -0.8, 2.4, -0.6, 1.8, 1.5, 1.8, 2.7;
    d.x = x;
    d.norm = Norm(norm, groups);
    d.eps = eps;
    d.gamma = std::vector<double>{1, 1.5, -0.6};
    d.beta = std::vector<double>{0.2, 0.6, 0.4};
    d.precision = Precision::float64;
    return d;
}

Geometry geometry(const Document& d) {
    return geometry_of(*Derived::of(d), 100);
}

TEST(Geometry, LayerNormBringsTokensToThePlaneOfMeanZeroAndOntoTheCircle) {
    const double eps = 0.3;
    const Geometry g = geometry(three_features(NormKind::layer, eps));
    EXPECT_EQ(g.lies, Lies::on_circle);
    ASSERT_EQ(g.tokens.size(), 4u);
    for (const TokenWay& w : g.tokens) {
        const double v = (w.z.array() - w.z.mean()).square().mean();
        const double length = std::sqrt(3 * v / (v + eps));
        EXPECT_NEAR(w.centred.sum(), 0, 1e-12);
        EXPECT_NEAR(w.x_hat.sum(), 0, 1e-12);
        EXPECT_NEAR(w.x_hat.norm(), length, 1e-12);
        EXPECT_NEAR(x_hat_length(w.centred, k_variance, eps), length, 1e-12);
        const Eigen::Vector3d back = (w.y - w.beta).cwiseQuotient(w.gamma);
        EXPECT_NEAR(back.sum(), 0, 1e-12);
        EXPECT_NEAR(back.squaredNorm(), 3 * v / (v + eps), 1e-12);
        EXPECT_NEAR((w.scaled + w.beta - w.y).norm(), 0, 1e-12);
    }
}

TEST(Geometry, RmsNormBringsTokensStraightToTheSphere) {
    const Geometry g = geometry(three_features(NormKind::rms, 0));
    EXPECT_EQ(g.lies, Lies::on_sphere);
    for (const TokenWay& w : g.tokens) {
        EXPECT_EQ(w.centred, w.z);
        EXPECT_NEAR(w.x_hat.norm(), std::sqrt(3.0), 1e-12);
        EXPECT_NEAR((w.x_hat.normalized() - w.z.normalized()).norm(), 0, 1e-12);
    }
}

TEST(Geometry, BatchNormShiftsAndStretchesEachAxisByItsOwn) {
    const Geometry g = geometry(three_features(NormKind::batch, 0.1));
    EXPECT_EQ(g.lies, Lies::shifted);
    for (const TokenWay& w : g.tokens) {
        EXPECT_NEAR((w.centred - (w.z - g.mean)).norm(), 0, 1e-12);
        EXPECT_NEAR((w.x_hat - w.centred.cwiseQuotient(g.spread)).norm(), 0, 1e-12);
    }
    EXPECT_NEAR(g.mean(0), (0.5 - 1.5 + 2.4 + 1.5) / 4, 1e-12);
}

TEST(Geometry, AGroupOfOneFeatureIsZeroAndNoNormMovesNothing) {
    for (const TokenWay& w : geometry(three_features(NormKind::group, 0.1, 3)).tokens)
        EXPECT_EQ(w.x_hat, Eigen::Vector3d::Zero());
    const Geometry one = geometry(three_features(NormKind::group, 0.1, 1));
    EXPECT_EQ(one.lies, Lies::on_circle) << "one group is the whole token";
    const Geometry none = geometry(three_features(NormKind::none, 0.1));
    EXPECT_EQ(none.lies, Lies::unmoved);
    for (const TokenWay& w : none.tokens) {
        EXPECT_EQ(w.centred, w.z);
        EXPECT_EQ(w.x_hat, w.z);
    }
}

TEST(Geometry, OnlySoManyTokensAreTaken) {
    EXPECT_EQ(geometry_of(*Derived::of(three_features(NormKind::layer, 0)), 2).tokens.size(), 2u);
}

} // namespace
} // namespace normscope
