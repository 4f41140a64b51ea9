#include "core/block/add_norm.h"

#include "tests/core/norm/testing.h"

namespace normscope {
namespace {

using namespace testing;
using Md = Matrix<double>;

struct AddNorm : ::testing::Test {
    Md x = normal_matrix<double>(5, 8, 1);
    Md f = normal_matrix<double>(5, 8, 2);
    Affine<double> affine = normal_affine<double>(AffinePer::feature, 5, 8, 3);
};

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

TEST(ResidualAdd, ScalesTheTrunkAndTheBranch) {
    const Add add{Residual::add, 3, 0.5};
    Md z;
    ASSERT_TRUE(residual_add(matrix<double>({{5}}), matrix<double>({{2}}), add, z));
    EXPECT_EQ(z(0, 0), 16);
    Md dx, df;
    residual_add_backward(add, matrix<double>({{4}}), dx, df);
    EXPECT_EQ(dx(0, 0), 12);
    EXPECT_EQ(df(0, 0), 2);
}

TEST(ResidualAdd, WithoutTheSkipXGetsNoGradient) {
    Md dx, df;
    residual_add_backward(Add{Residual::no_skip}, matrix<double>({{4, 5}}), dx, df);
    EXPECT_EQ(dx, Md(Md::Zero(1, 2)));
    EXPECT_EQ(df, matrix<double>({{4, 5}}));
}

TEST_F(AddNorm, IsTheNormOfTheSumForEveryNorm) {
    for (const NormEntry& entry : k_norms)
        for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar})
            for (const Add& add : {Add{}, Add{Residual::no_skip}, Add{Residual::add, 2, 0.5}}) {
                const auto own = normal_affine<double>(per, 5, 8, 3);
                const Norm norm{entry.kind, groups_of(8)};
                const auto forward = add_norm_forward(x, f, add, norm, own);
                ASSERT_TRUE(forward);
                Md z;
                ASSERT_TRUE(residual_add(x, f, add, z));
                EXPECT_EQ(forward->z, z);
                const auto normalized = must_normalize(norm, z);
                EXPECT_LE(relative_difference(forward->cache.x_hat, normalized.cache.x_hat), 1e-14);
                const Md y = affine_by_definition(normalized.cache.x_hat, own);
                EXPECT_LE(relative_difference(forward->y, y), 1e-14);
                const auto of_z = norm_forward(norm, z, own);
                ASSERT_TRUE(of_z);
                EXPECT_LE(relative_difference(of_z->y, y), 1e-14);
            }
}

TEST_F(AddNorm, HandsOnTheRunningStatistics) {
    const auto once = add_norm_forward(x, f, Add{}, NormKind::batch, affine);
    ASSERT_TRUE(once && once->running);
    const auto twice = add_norm_forward(x, f, Add{}, NormKind::batch, affine, {}, &*once->running);
    ASSERT_TRUE(twice && twice->running);
    EXPECT_EQ(twice->running->updates, 2);
    const auto evaluated = add_norm_forward(x, f, Add{}, NormKind::batch, affine,
                                            {.mode = Mode::eval}, &*twice->running);
    ASSERT_TRUE(evaluated);
    EXPECT_FALSE(evaluated->running && evaluated->running->updates != 2);
}

TEST_F(AddNorm, RefusesWhatDoesNotFit) {
    EXPECT_FALSE(add_norm_forward(x, Md(Md::Zero(8, 5)), Add{}, NormKind::layer, affine));
    EXPECT_FALSE(add_norm_forward(x, f, Add{}, NormKind::layer,
                                  identity_affine<double>(AffinePer::feature, 5, 7)));
    EXPECT_FALSE(add_norm_forward(Md(), Md(), Add{}, NormKind::layer, affine));
    EXPECT_FALSE(add_norm_forward(x, f, Add{}, NormKind::layer, affine, with_eps(-1)));
}

} // namespace
} // namespace normscope
