#include "core/stats/quantiles.h"

#include "core/base/random.h"
#include "tests/core/stats/testing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

TEST(Quantiles, MatchNumpy) {
    const std::vector<double> x{2.5, -1.25, 0.5, 7.75, -3.0, 0.125, 4.5};
    const std::array<double, 6> p{0, 0.1, 0.25, 0.5, 0.77, 1};
    const std::array<double, 6> expected{-3.0, -1.95, -0.5625, 0.5, 3.74, 7.75};
    const auto q = quantiles(sample_of(x), p);
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(q[i], expected[i], 1e-14);
}

TEST(Quantiles, LeaveNaNOutAndReachInfinity) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<double, 3> p{0, 0.5, 1};
    const auto q = quantiles(sample_of<float>({nan, 1, 2, inf, nan}), p);
    EXPECT_EQ(q[0], 1.0);
    EXPECT_EQ(q[1], 2.0);
    EXPECT_EQ(q[2], std::numeric_limits<double>::infinity());
    for (const double v : quantiles(sample_of<float>({nan, nan}), p)) EXPECT_TRUE(std::isnan(v));
    for (const double v : quantiles(Sample<float>{}, p)) EXPECT_TRUE(std::isnan(v));
}

TEST(Quantiles, OfOneValueAreThatValue) {
    const std::array<double, 2> p{0.1, 0.9};
    for (const double v : quantiles(sample_of<double>({4.25}), p)) EXPECT_EQ(v, 4.25);
}

// The way for many values selects instead of sorting: it must agree with sorting.
template<class S>
void agrees_with_sorting(const std::vector<S>& x) {
    std::vector<S> sorted;
    std::copy_if(x.begin(), x.end(), std::back_inserter(sorted),
                 [](S v) { return !std::isnan(v); });
    std::sort(sorted.begin(), sorted.end());
    const std::array<double, 7> p{0, 0.003, 0.25, 0.5, 0.75, 0.9999, 1};
    const auto q = quantiles(sample_of(x), p);
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double at = p[i] * static_cast<double>(sorted.size() - 1);
        const auto lower = static_cast<std::size_t>(at);
        const auto upper = std::min(lower + 1, sorted.size() - 1);
        const double fraction = at - static_cast<double>(lower);
        const double a = static_cast<double>(sorted[lower]), b = static_cast<double>(sorted[upper]);
        EXPECT_DOUBLE_EQ(q[i], fraction == 0 ? a : a + fraction * (b - a)) << p[i];
    }
}

TEST(Quantiles, OfManyValuesAgreeWithSorting) {
    Random random(5);
    std::vector<float> x(30001);
    std::vector<double> heavy(20000);
    for (float& v : x) v = static_cast<float>(random.normal());
    for (double& v : heavy) v = random.student_t(1.2) * 1e3;
    x[77] = std::numeric_limits<float>::quiet_NaN();
    x[78] = -std::numeric_limits<float>::quiet_NaN();
    agrees_with_sorting(x);
    agrees_with_sorting(heavy);
    for (float& v : x) v = v > 0 ? v : 0; // half of it one value
    agrees_with_sorting(x);
    agrees_with_sorting(std::vector<float>(20000, -2.5f));
}

} // namespace
} // namespace normscope
