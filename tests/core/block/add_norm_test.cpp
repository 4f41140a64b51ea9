#include "core/block/add_norm.h"

#include "tests/core/norm/testing.h"

namespace normscope {
namespace {

using namespace testing;
using Md = Matrix<double>;
using Vd = Vector<double>;

AddNorm<double> make(AffinePer per, Index tokens, Index features, NormKind kind = NormKind::layer,
                     Residual residual = Residual::add) {
    AddNormOptions options;
    options.norm = kind;
    options.residual = residual;
    return {normal_affine<double>(per, tokens, features, 3), options};
}

TEST(ResidualAdd, AddsOrPassesTheSublayerOn) {
    Md z;
    ASSERT_TRUE(residual_add(matrix<double>({{5}}), matrix<double>({{2}}), Residual::add, z));
    EXPECT_EQ(z(0, 0), 7);
    ASSERT_TRUE(residual_add(matrix<double>({{5}}), matrix<double>({{2}}), Residual::no_skip, z));
    EXPECT_EQ(z(0, 0), 2);
    const auto wrong = residual_add(Md(3, 7), Md(7, 3), Residual::no_skip, z);
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("3×7"), std::string::npos);
    EXPECT_NE(wrong.error().message.find("7×3"), std::string::npos);
}

TEST(AddNorm, IsNormalizeOfTheSumForEveryNorm) {
    const Md x = normal_matrix<double>(5, 8, 1);
    const Md f = normal_matrix<double>(5, 8, 2);
    for (const NormEntry& entry : norm_table())
        for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
            auto layer = make(per, 5, 8, entry.kind);
            const auto y = layer.forward(x, f);
            ASSERT_TRUE(y);
            Md expected;
            const auto normalized = must_normalize<double>(entry.kind, x + f);
            ASSERT_TRUE(affine_forward(normalized.cache.x_hat, layer.affine(), expected));
            EXPECT_LE(relative_difference(**y, expected), 1e-14);
            EXPECT_EQ(layer.z(), Md(x + f));
            const Md dy = normal_matrix<double>(5, 8, 8);
            Md dx, df;
            ASSERT_TRUE(layer.backward(dy, dx, df));
            const auto grads = normalize_backward(normalized.cache, layer.affine(), dy);
            ASSERT_TRUE(grads);
            EXPECT_LE(relative_difference(dx, grads->dz), 1e-12);
            EXPECT_LE(relative_difference(layer.dgamma(), grads->dgamma), 1e-12);
            EXPECT_LE(relative_difference(layer.dbeta(), grads->dbeta), 1e-12);
            EXPECT_EQ(dx, df);
        }
}

TEST(AddNorm, AccumulatesIntoTheCallersGradients) {
    const Md x = normal_matrix<double>(3, 7, 1);
    const Md f = normal_matrix<double>(3, 7, 2);
    const Md dy = normal_matrix<double>(3, 7, 4);
    auto layer = make(AffinePer::feature, 3, 7);
    ASSERT_TRUE(layer.forward(x, f));
    Md dx, df;
    ASSERT_TRUE(layer.backward(dy, dx, df));
    const Md dz = dx;
    Md held = Md::Ones(3, 7);
    ASSERT_TRUE(layer.backward(dy, held, df));
    EXPECT_LE(relative_difference(held, Md(dz.array() + 1)), 1e-15);
    EXPECT_LE(relative_difference(df, Md(2 * dz)), 1e-15);
    Md both;
    ASSERT_TRUE(layer.backward(dy, both, both)); // F(X) = X
    EXPECT_LE(relative_difference(both, Md(2 * dz)), 1e-15);
}

TEST(AddNorm, WithoutTheSkipXGetsNothing) {
    auto layer = make(AffinePer::feature, 3, 7, NormKind::layer, Residual::no_skip);
    ASSERT_TRUE(layer.forward(normal_matrix<double>(3, 7, 1), normal_matrix<double>(3, 7, 2)));
    Md dx, df;
    ASSERT_TRUE(layer.backward(normal_matrix<double>(3, 7, 4), dx, df));
    EXPECT_EQ(dx, Md(Md::Zero(3, 7)));
    EXPECT_GT(df.norm(), 0.1);
}

TEST(AddNorm, BackwardUsesTheGammaOfItsForward) {
    const Md x = normal_matrix<double>(3, 7, 1);
    const Md f = normal_matrix<double>(3, 7, 2);
    const Md dy = normal_matrix<double>(3, 7, 4);
    auto layer = make(AffinePer::feature, 3, 7);
    ASSERT_TRUE(layer.forward(x, f));
    Md before, after, df;
    ASSERT_TRUE(layer.backward(dy, before, df));
    layer.step(0.5);
    ASSERT_TRUE(layer.backward(dy, after, df));
    EXPECT_EQ(before, after);
}

TEST(AddNorm, StepFollowsTheGradient) {
    auto layer = make(AffinePer::token, 3, 7);
    ASSERT_TRUE(layer.forward(normal_matrix<double>(3, 7, 1), normal_matrix<double>(3, 7, 2)));
    Md dx, df;
    ASSERT_TRUE(layer.backward(normal_matrix<double>(3, 7, 4), dx, df));
    const Affine<double> held = layer.affine();
    const Vd dgamma = layer.dgamma();
    const Vd dbeta = layer.dbeta();
    layer.step(0.1);
    EXPECT_EQ(layer.affine().gamma, Vd(held.gamma - 0.1 * dgamma));
    EXPECT_EQ(layer.affine().beta, Vd(held.beta - 0.1 * dbeta));
    EXPECT_EQ(layer.dgamma(), Vd(Vd::Zero(3)));
}

TEST(AddNorm, BatchNormKeepsItsRunningStatistics) {
    auto layer = make(AffinePer::feature, 3, 7, NormKind::batch);
    const Md x = normal_matrix<double>(3, 7, 1);
    const Md f = normal_matrix<double>(3, 7, 2);
    ASSERT_TRUE(layer.forward(x, f));
    ASSERT_TRUE(layer.forward(x, f));
    ASSERT_TRUE(layer.running());
    EXPECT_EQ(layer.running()->updates, 2);
    layer.set_mode(Mode::eval);
    ASSERT_TRUE(layer.forward(x, f));
    EXPECT_EQ(layer.running()->updates, 2);
}

TEST(AddNorm, RefusesWhatDoesNotFitAndStaysAsItWas) {
    auto layer = make(AffinePer::feature, 3, 7);
    Md dx, df;
    EXPECT_FALSE(layer.backward(Md::Zero(3, 7), dx, df));
    ASSERT_TRUE(layer.forward(normal_matrix<double>(3, 7, 1), normal_matrix<double>(3, 7, 2)));
    const Md z = layer.z();
    EXPECT_FALSE(layer.forward(Md::Zero(3, 7), Md::Zero(7, 3)));
    EXPECT_FALSE(layer.forward(Md::Zero(3, 5), Md::Zero(3, 5)));
    EXPECT_EQ(layer.z(), z);
    EXPECT_FALSE(layer.backward(Md::Zero(7, 3), dx, df));
    dx.setZero(2, 2);
    EXPECT_FALSE(layer.backward(Md::Zero(3, 7), dx, df));
}

} // namespace
} // namespace normscope
