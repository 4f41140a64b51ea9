#include "core/stats/density.h"

#include "core/base/random.h"
#include "tests/core/stats/testing.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <numeric>

namespace normscope {
namespace {

// (1/n) Σ N(x − xᵢ; h²), term by term.
double directly(const std::vector<double>& x, double h, double at) {
    double sum = 0;
    for (const double v : x) sum += std::exp(-0.5 * (at - v) * (at - v) / (h * h));
    return sum / (static_cast<double>(x.size()) * h * std::sqrt(2 * std::numbers::pi));
}

double step_of(const Density& d) {
    return (d.hi - d.lo) / static_cast<double>(d.y.size() - 1);
}

double integral(const Density& d) {
    return std::accumulate(d.y.begin(), d.y.end(), 0.0) * step_of(d);
}

// The values lie at middles of bins, as do the eleven points.
TEST(Density, MatchesTheKernelSumOfNumpy) {
    const std::vector<double> x{-1, 0, 0.25, 2};
    const std::array<double, 11> expected{
        0.010956150590881113, 0.11439344694101163, 0.2621830243315271,  0.271302779949211,
        0.4653956476030569,   0.31969702831508245, 0.06490272720833982, 0.11626496276286871,
        0.24935725072213755,  0.1141557127720939,  0.01095518782222156};
    const Density d = density(histogram(sample_of(x), -2.00125, 3.00125, 2001), 0.4, 0, 2001);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(d.y[i * 200], expected[i], 1e-7);
}

TEST(Density, OfManyValuesMatchesTheKernelSum) {
    Random random(4);
    std::vector<double> x(20000);
    for (double& v : x) v = random.normal() * 2 + 1;
    const Density d = density(histogram(sample_of(x), -8, 10, 1440), 0.1, 0, 256);
    ASSERT_LE(d.y.size(), 256u);
    ASSERT_GT(d.y.size(), 200u);
    for (std::size_t i = 0; i < d.y.size(); i += 16) {
        const double at = d.lo + step_of(d) * static_cast<double>(i);
        EXPECT_NEAR(d.y[i], directly(x, 0.1, at), 3e-4) << at;
    }
    EXPECT_NEAR(integral(d), 1.0, 1e-3);
}

TEST(Density, TheTailGoesOnBeyondTheBins) {
    const std::vector<double> x{0.005, 0.995};
    const Histogram bins = histogram(sample_of(x), 0, 1, 100);
    const Density d = density(bins, 0.2, 3, 1000);
    EXPECT_NEAR(d.lo, 0.005 - 0.6, 0.0101); // a bin is 0.01
    EXPECT_NEAR(d.hi, 0.995 + 0.6, 0.0101);
    for (const std::size_t i : {std::size_t{0}, std::size_t{60}, d.y.size() - 1})
        EXPECT_NEAR(d.y[i], directly(x, 0.2, d.lo + step_of(d) * static_cast<double>(i)), 1e-6);
    EXPECT_NEAR(integral(d), 1, 0.003);
}

TEST(Density, CountsOnlyTheValuesInTheBins) {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> x{nan, 0.5, inf, -inf, 7};
    const Density d = density(histogram(sample_of(x), 0, 1, 101), 0.1, 0, 101);
    EXPECT_NEAR(d.y[50], directly({0.5}, 0.1, 0.5), 1e-6);
}

TEST(Density, OfNothingIsEmpty) {
    EXPECT_TRUE(density(histogram(Sample<float>{}, 0, 1, 11), 0.1, 0, 11).y.empty());
    const std::vector<double> same(5, 2.0);
    EXPECT_TRUE(density(histogram(sample_of(same), 2, 2, 4), 0.1, 0, 11).y.empty());
}

TEST(Density, ExtremeFloatsDoNotCrash) {
    const std::vector<float> x(9000, 1e20f);
    const Density wide = density(histogram(sample_of(x), -2e20, 2e20, 64), 1e19, 0, 64);
    EXPECT_GT(wide.y[47], 0.0);
}

TEST(SilvermanBandwidth, FollowsEquation331) {
    EXPECT_NEAR(silverman_bandwidth(2.0, 1.34, 100), 0.9 * std::pow(100.0, -0.2), 1e-14);
    EXPECT_NEAR(silverman_bandwidth(2.0, 0.0, 100), 1.8 * std::pow(100.0, -0.2), 1e-14);
    EXPECT_GT(silverman_bandwidth(0.0, 0.0, 100), 0.0);
}

} // namespace
} // namespace normscope
