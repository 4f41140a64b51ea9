#include "core/norm/jacobian.h"
#include "core/norm/small_batches.h"
#include "tests/core/norm/norm_kinds.h"
#include "tests/core/norm/testing.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr std::array<Index, 7> k_sizes{2, 4, 8, 16, 32, 64, 128};

// Printed beside the experiment's description: 4096 features of N(0, 1).
struct Expected {
    Index batch;
    double mean_spread, variance, train_eval, gradient_energy;
};
constexpr std::array<Expected, 3> k_expected = {
    {{2, 0.70, 0.51, 0.92, 0.00}, {4, 0.50, 0.75, 0.63, 0.51}, {64, 0.124, 0.981, 0.152, 0.968}}};

TEST(SmallBatches, AreWhatWasExpectedWithinSamplingError) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const auto measured = small_batches(seed, 4096, k_sizes);
        for (const Expected& e : k_expected)
            for (const SmallBatch& m : measured) {
                if (m.batch != static_cast<double>(e.batch)) continue;
                // 4 standard errors of 4096 features, of both samples: the printed one and this.
                const double b = m.batch;
                EXPECT_NEAR(m.mean_spread, e.mean_spread, 0.09 / std::sqrt(b)) << b;
                EXPECT_NEAR(m.variance, e.variance, 0.13 / std::sqrt(b)) << b;
                EXPECT_NEAR(m.train_eval, e.train_eval, 0.05 / std::sqrt(b)) << b;
                EXPECT_NEAR(m.gradient_energy, e.gradient_energy, b > 2 ? 0.2 / b : 1e-12) << b;
            }
    }
}

TEST(SmallBatches, AreWhatTheorySaysForEverySize) {
    const auto measured = small_batches(7, 4096, k_sizes);
    ASSERT_EQ(measured.size(), k_sizes.size());
    for (const SmallBatch& m : measured) {
        const SmallBatch t = small_batch_theory(m.batch);
        EXPECT_NEAR(m.mean_spread, t.mean_spread, 0.06 * t.mean_spread) << m.batch;
        EXPECT_NEAR(m.variance, t.variance, 0.09 / std::sqrt(m.batch)) << m.batch;
        EXPECT_NEAR(m.train_eval, t.train_eval, 0.06 * t.train_eval) << m.batch;
        EXPECT_NEAR(m.gradient_energy, t.gradient_energy, 0.1 / m.batch) << m.batch;
    }
}

TEST(SmallBatches, TheoryHasItsKnownValues) {
    const SmallBatch two = small_batch_theory(2);
    EXPECT_NEAR(two.train_eval, std::sqrt(2 - 2 / std::sqrt(std::acos(-1.0))), 1e-12);
    EXPECT_EQ(two.gradient_energy, 0);
    EXPECT_EQ(two.variance, 0.5);
    // For large B, E s → 1 − 3/(4B), so the difference falls as √(3/(2B)).
    EXPECT_NEAR(small_batch_theory(1e4).train_eval, std::sqrt(1.5e-4), 1e-6);
}

TEST(SmallBatches, FollowFromTheSeed) {
    const auto a = small_batches(5, 257, k_sizes);
    const auto b = small_batches(5, 257, k_sizes);
    const auto c = small_batches(6, 257, k_sizes);
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].train_eval, b[i].train_eval);
        EXPECT_NE(a[i].train_eval, c[i].train_eval);
    }
}

TEST(SmallBatches, ABatchOfTwoIsPlusMinusOneAndHasNoGradient) {
    const auto z = testing::normal_matrix<double>(2, 11, 3);
    const auto dy = testing::normal_matrix<double>(2, 11, 4);
    for (const double eps : {0.0, 1e-9}) {
        const auto forward = normalize<double>(NormKind::batch, z, {.eps = eps});
        ASSERT_TRUE(forward);
        const auto& cache = forward->cache;
        for (Index i = 0; i < cache.x_hat.size(); ++i)
            EXPECT_NEAR(std::abs(cache.x_hat.data()[i]), 1, eps == 0 ? 1e-14 : 1e-5);
        const auto back = normalize_backward<double>(
            cache, identity_affine<double>(AffinePer::feature, 2, 11), dy);
        ASSERT_TRUE(back);
        // The gradient that is left is dy's share ε/s², divided by s.
        for (Index t = 0; t < 2; ++t)
            for (Index d = 0; d < 11; ++d) {
                const double rstd = cache.rstd(d);
                const double most = std::abs(dy(0, d) - dy(1, d)) * eps * rstd * rstd * rstd;
                EXPECT_LE(std::abs(back->dz(t, d)), most + 1e-13 * rstd);
            }
    }
}

TEST(UpdateRunning, FortyFourUpdatesOfATenthReachNinetyNinePercent) {
    const Vector<double> mean = Vector<double>::Constant(3, 1);
    const Vector<double> var = Vector<double>::Constant(3, 2);
    std::optional<RunningStats<double>> running;
    for (int i = 1; i <= 44; ++i) {
        running = update_running(running ? &*running : nullptr, mean, var, 0.1);
        EXPECT_NEAR(running->mean(1), 1 - std::pow(0.9, i), 1e-12);
        EXPECT_NEAR(running->var(2), 2 - std::pow(0.9, i), 1e-12);
        EXPECT_EQ(running->mean(0) >= 0.99, i == 44) << i;
    }
    EXPECT_EQ(running->updates, 44);
}

TEST(UpdateRunning, NanStaysForGood) {
    const Vector<double> one = Vector<double>::Ones(2);
    const Vector<double> nan = Vector<double>::Constant(2, std::nan(""));
    RunningStats<double> running = update_running(nullptr, nan, nan, 0.1);
    for (int i = 0; i < 1000; ++i) running = update_running(&running, one, one, 0.1);
    EXPECT_TRUE(std::isnan(running.mean(0)));
    EXPECT_TRUE(std::isnan(running.var(1)));
}

TEST(Influence, OfTheFirstTokensIsTheCornerOfTheWhole) {
    const auto z = testing::normal_matrix<double>(7, 5, 9);
    const auto affine = testing::normal_affine<double>(AffinePer::feature, 7, 5, 10);
    for (const NormKind kind : k_norm_kinds) {
        const auto normalized = normalize<double>({kind, testing::groups_of(5)}, z);
        ASSERT_TRUE(normalized);
        const auto whole = influence_matrix(normalized->cache, affine);
        const auto part = influence_matrix(normalized->cache, affine, 3);
        ASSERT_TRUE(whole && part);
        EXPECT_EQ(*part, whole->topLeftCorner(3, 3));
    }
}

} // namespace
} // namespace normscope
