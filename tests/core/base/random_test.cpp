#include "core/base/random.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

// First outputs of xoshiro256++ seeded by SplitMix64, as the reference code gives them (the first
// of seed 0 also stands in the documentation of other implementations).
TEST(Random, MatchesTheReferenceSequence) {
    Random zero(0);
    EXPECT_EQ(zero.next_u64(), 0x53175d61490b23dfu);
    EXPECT_EQ(zero.next_u64(), 0x61da6f3dc380d507u);
    EXPECT_EQ(zero.next_u64(), 0x5c0fdf91ec9a7bfcu);
    Random r(42);
    EXPECT_EQ(r.next_u64(), 0xd0764d4f4476689fu);
    EXPECT_EQ(r.next_u64(), 0x519e4174576f3791u);
    EXPECT_EQ(r.next_u64(), 0xfbe07cfb0c24ed8cu);
}

TEST(Random, UniformAndNormalMatchNumpyOnTheSameBits) {
    Random uniform(42);
    EXPECT_EQ(uniform.uniform(), 0.8143051451229099);
    Random normal(42);
    EXPECT_NEAR(normal.normal(), -0.7689930538210061, 1e-15);
    EXPECT_NEAR(normal.normal(), 1.6661184587141997, 1e-15);
}

TEST(Random, NormalHasTheMomentsOfTheNormalDistribution) {
    Random random(1);
    constexpr int n = 200000;
    std::array<double, 5> power{};
    for (int i = 0; i < n; ++i) {
        const double x = random.normal();
        for (std::size_t k = 1; k <= 4; ++k) power[k] += std::pow(x, static_cast<double>(k)) / n;
    }
    EXPECT_NEAR(power[1], 0.0, 0.01);
    EXPECT_NEAR(power[2], 1.0, 0.02);
    EXPECT_NEAR(power[3], 0.0, 0.04);
    EXPECT_NEAR(power[4], 3.0, 0.12);
}

TEST(Random, StudentTHasHeavyTails) {
    Random random(2);
    constexpr int n = 200000;
    double square = 0;
    int beyond = 0;
    for (int i = 0; i < n; ++i) {
        const double x = random.student_t(5);
        square += x * x / n;
        beyond += std::abs(x) > 4.032 ? 1 : 0; // two-sided 1 % point of t with 5 degrees
    }
    EXPECT_NEAR(square, 5.0 / 3.0, 0.06);
    EXPECT_NEAR(beyond, 0.01 * n, 150);
}

TEST(Random, BelowIsUniformAndInRange) {
    Random random(3);
    std::array<int, 7> counts{};
    for (int i = 0; i < 70000; ++i) ++counts.at(random.below(7));
    for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
    EXPECT_EQ(random.below(1), 0u);
}

} // namespace
} // namespace normscope
