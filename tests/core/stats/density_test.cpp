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

double integral(const Density& d) {
    const double step = (d.hi - d.lo) / static_cast<double>(d.y.size() - 1);
    return std::accumulate(d.y.begin(), d.y.end(), 0.0) * step;
}

TEST(Density, MatchesTheKernelSumOfNumpy) {
    const std::vector<double> x{-1, 0, 0.25, 2};
    const std::array<double, 11> expected{
        0.010956150590881113, 0.11439344694101163, 0.2621830243315271,  0.271302779949211,
        0.4653956476030569,   0.31969702831508245, 0.06490272720833982, 0.11626496276286871,
        0.24935725072213755,  0.1141557127720939,  0.01095518782222156};
    const Density d = density(sample_of(x), -2, 3, 501, 0.4);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(d.y[i * 50], expected[i], 4e-5);
    }
    // Coarse for its kernel: refined within to a quarter of it, which is good to 0.5 % of the peak.
    const Density coarse = density(sample_of(x), -2, 3, 11, 0.4);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(coarse.y[i], expected[i], 0.005 * 0.465);
}

TEST(Density, OfManyValuesMatchesTheKernelSum) {
    Random random(4);
    std::vector<double> x(20000);
    for (double& v : x) v = random.normal() * 2 + 1;
    const Density d = density(sample_of(x), -8, 10, 257, 0.1);
    for (std::size_t i = 0; i < d.y.size(); i += 16) {
        const double at = -8 + 18.0 * static_cast<double>(i) / 256;
        EXPECT_NEAR(d.y[i], directly(x, 0.1, at), 2e-4) << at;
    }
    EXPECT_NEAR(integral(d), 1.0, 1e-3);
}

TEST(Density, ValuesBeyondTheGridCountWhereTheirKernelReaches) {
    const std::vector<double> x{-0.1, 5.0};
    const Density d = density(sample_of(x), 0, 1, 101, 0.2);
    for (std::size_t i = 0; i < d.y.size(); i += 10) {
        EXPECT_NEAR(d.y[i], directly(x, 0.2, static_cast<double>(i) / 100), 3e-4);
    }
    std::vector<double> many;
    for (int i = 0; i < 10000; ++i) many.push_back(i % 2 == 0 ? 0.5 : 50.0);
    EXPECT_NEAR(integral(density(sample_of(many), 0, 1, 501, 0.02)), 0.5, 1e-3);
}

TEST(Density, AKernelMuchWiderThanTheGrid) {
    const std::vector<double> x{0.1, 0.9};
    const Density d = density(sample_of(x), 0, 1, 201, 50.0);
    EXPECT_NEAR(d.y[100], directly(x, 50.0, 0.5), 1e-7);
}

TEST(Density, ANarrowKernelStillHasItsPeak) {
    const std::vector<double> x(9000, 0.5);
    const Density d = density(sample_of(x), 0, 1, 101, 0.01);
    EXPECT_NEAR(d.y[50], directly(x, 0.01, 0.5), 0.02 * d.y[50]);
}

TEST(Density, LeavesOutWhatIsNotFinite) {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Density d = density(sample_of<double>({nan, 0.5, inf, -inf}), 0, 1, 101, 0.1);
    EXPECT_NEAR(d.y[50], directly({0.5}, 0.1, 0.5), 0.005 * d.y[50]);
    std::vector<double> many(9000, 0.5);
    for (std::size_t i = 0; i < many.size(); i += 2) many[i] = i % 4 == 0 ? inf : nan;
    EXPECT_NEAR(integral(density(sample_of(many), 0, 1, 201, 0.05)), 1.0, 1e-3);
    for (const double y : density(sample_of<double>({nan}), 0, 1, 11, 0.1).y) EXPECT_EQ(y, 0.0);
    for (const double y : density(Sample<float>{}, 0, 1, 11, 0.1).y) EXPECT_EQ(y, 0.0);
}

TEST(Density, ExtremeFloatsDoNotCrash) {
    const std::vector<float> x(9000, 1e20f);
    EXPECT_EQ(density(sample_of(x), -1, 1, 64, 0.1).y[10], 0.0);
    const Density wide = density(sample_of(x), -2e20, 2e20, 64, 1e19);
    EXPECT_GT(wide.y[47], 0.0);
}

TEST(SilvermanBandwidth, FollowsEquation331) {
    EXPECT_NEAR(silverman_bandwidth(2.0, 1.34, 100), 0.9 * std::pow(100.0, -0.2), 1e-14);
    EXPECT_NEAR(silverman_bandwidth(2.0, 0.0, 100), 1.8 * std::pow(100.0, -0.2), 1e-14);
    EXPECT_GT(silverman_bandwidth(0.0, 0.0, 100), 0.0);
}

} // namespace
} // namespace normscope
