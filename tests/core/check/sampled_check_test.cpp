#include "core/check/sampled_check.h"

#include "core/stats/quantiles.h"

#include <gtest/gtest.h>
#include <limits>
#include <numbers>

namespace normscope {
namespace {

TEST(SampledCheck, FivePointDifferenceIsOfFourthOrder) {
    const auto f = [](double x) { return std::sin(x); };
    EXPECT_NEAR(five_point_difference(f, 0.7, 1e-3), std::cos(0.7), 1e-12);
}

// The steps have no rounding of their own there: a difference of 1e8 ± 1e-3 would have four digits.
TEST(SampledCheck, FivePointDifferenceOfLargeNumbersHasAllItsDigits) {
    for (const double offset : {1e7, 1e8, -1e9, 123456789.0}) {
        const auto f = [&](double x) { return std::sin(x - offset); };
        EXPECT_NEAR(five_point_difference(f, offset + 0.5, 1e-3), std::cos(0.5), 1e-11) << offset;
    }
}

TEST(SampledCheck, FivePointDifferenceWithoutDigitsForItsStepIsNone) {
    const auto f = [](double x) { return x; };
    EXPECT_TRUE(std::isnan(five_point_difference(f, 3.0, 1e-18)));
    EXPECT_TRUE(std::isnan(five_point_difference(f, 1e16, 1e-3)));
    EXPECT_EQ(five_point_difference(f, 0.0, 1e-18), 1);
}

TEST(SampledCheck, SaysWhereTheGradientIsOff) {
    SampledCheck check;
    check.compare(0, 1.0, 1.0 + 1e-9, 1);
    EXPECT_TRUE(check.agrees(1e-6));
    check.compare(7, 2.0, 1.0, 1);
    check.compare(9, 1.0, 1.0, 1);
    EXPECT_FALSE(check.agrees(1e-6));
    EXPECT_EQ(check.worst.entry, 7);
    EXPECT_EQ(check.max_absolute, 1.0);
    EXPECT_EQ(check.max_relative, 0.5);
    EXPECT_EQ(check.checked, 3);
}

TEST(SampledCheck, NamesTheLargestDifferenceThatIsOneAndElseTheFarthest) {
    SampledCheck check;
    check.compare(0, 1e12, 1e12 + 1, 1); // its rounding
    check.compare(1, 0.5, 0.2, 0.5);
    EXPECT_EQ(check.off_most(1e-6).entry, 1) << "the largest is no difference for its size";
    check.compare(2, 100, 80, 1);
    EXPECT_EQ(check.off_most(1e-6).entry, 2);
    EXPECT_EQ(check.worst.entry, 1);
    EXPECT_EQ(check.off_most(1e-6).analytic, 100);
    check.compare(3, std::numeric_limits<double>::quiet_NaN(), 0, 1);
    EXPECT_EQ(check.off_most(1e-6).entry, 3);
}

TEST(SampledCheck, CancelledGradientsAreJudgedByTheirTerms) {
    SampledCheck check;
    check.compare(0, 1e-17, -3e-12, 2.0);
    EXPECT_TRUE(check.agrees(1e-6));
}

TEST(SampledCheck, NaNNeverAgrees) {
    SampledCheck check;
    check.compare(3, 0, std::numeric_limits<double>::quiet_NaN(), 1);
    check.compare(4, 5, 0, 1);
    EXPECT_FALSE(check.agrees(1e9));
    EXPECT_EQ(check.worst.entry, 3);
    EXPECT_TRUE(std::isnan(check.max_absolute));
}

TEST(SampledCheck, DrawsDifferentEntriesInOrder) {
    EXPECT_EQ(entries_to_check(3, 5, 1), (std::vector<Index>{0, 1, 2}));
    EXPECT_TRUE(entries_to_check(0, 5, 1).empty());
    const auto entries = entries_to_check(1000, 40, 1);
    ASSERT_EQ(entries.size(), 40u);
    for (std::size_t i = 1; i < entries.size(); ++i) EXPECT_LT(entries[i - 1], entries[i]);
    EXPECT_LT(entries.back(), 1000);
    EXPECT_EQ(entries, entries_to_check(1000, 40, 1));
    EXPECT_NE(entries, entries_to_check(1000, 40, 2));
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
    for (const double p : {1e-12, 1e-4, 0.02, 0.025, 0.3, 0.5, 0.9, 0.98, 0.9999}) {
        const double x = normal_quantile(p);
        EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2), p, 1e-15 + 1e-13 * p);
    }
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
    EXPECT_TRUE(std::isinf(normal_quantile(0)));
    EXPECT_TRUE(std::isnan(normal_quantile(1.5)));
}

} // namespace
} // namespace normscope
