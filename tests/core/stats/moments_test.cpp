#include "core/stats/moments.h"
#include "tests/core/stats/testing.h"

#include <cmath>
#include <limits>
#include <vector>

namespace normscope {
namespace {

constexpr double k_infinite = std::numeric_limits<double>::infinity();
constexpr float k_nan32 = std::numeric_limits<float>::quiet_NaN();

// Many values of a skewed distribution: ((7919·i mod 10007)/1000)²/10.
template<class S>
std::vector<S> skewed(std::size_t n) {
    std::vector<S> out;
    for (std::size_t i = 0; i < n; ++i) {
        const double v = static_cast<double>((i * 7919) % 10007) / 1000.0;
        out.push_back(static_cast<S>(v * v * 0.1));
    }
    return out;
}

TEST(Moments, MatchNumpyOnFewValues) {
    const std::vector<double> x{2.5, -1.25, 0.5, 7.75, -3.0, 0.125, 4.5};
    const Moments m = moments(sample_of(x));
    EXPECT_EQ(m.count, 7);
    EXPECT_NEAR(m.mean, 1.5892857142857142, 1e-15);
    EXPECT_NEAR(m.variance, 11.387117346938775, 1e-13);
    EXPECT_NEAR(m.std, std::sqrt(11.387117346938775), 1e-14);
    EXPECT_NEAR(m.skewness, 0.5028764369235018, 1e-13);
    EXPECT_NEAR(m.excess_kurtosis, -0.7661519924535996, 1e-13);
    EXPECT_EQ(m.min, -3.0);
    EXPECT_EQ(m.max, 7.75);
}

TEST(Moments, MatchNumpyOnManyValues) {
    const auto x = skewed<double>(5000);
    const auto x32 = skewed<float>(5000);
    const Moments m = moments(sample_of(x));
    EXPECT_NEAR(m.mean, 3.3410628964400004, 1e-13);
    EXPECT_NEAR(m.variance, 8.926008130622641, 1e-12);
    EXPECT_NEAR(m.skewness, 0.638419856174221, 1e-12);
    EXPECT_NEAR(m.excess_kurtosis, -0.8580672868940371, 1e-12);
    const Moments m32 = moments(sample_of(x32));
    EXPECT_NEAR(m32.mean, m.mean, 1e-8);
    EXPECT_NEAR(m32.variance, m.variance, 1e-7);
    EXPECT_NEAR(m32.excess_kurtosis, m.excess_kurtosis, 1e-7);
}

TEST(Moments, OfAStridedSampleAreThoseOfItsValues) {
    Matrix<float> m(2500, 3);
    const auto x = skewed<float>(7500);
    std::copy(x.begin(), x.end(), m.data());
    const Vector<float> column = m.col(1);
    const Moments strided = moments(Sample{m.data() + 1, m.rows(), m.cols()});
    const Moments packed = moments(Sample<float>{column.data(), column.size(), 1});
    EXPECT_EQ(strided.count, 2500);
    EXPECT_EQ(strided.mean, packed.mean);
    EXPECT_EQ(strided.variance, packed.variance);
    EXPECT_EQ(strided.skewness, packed.skewness);
    EXPECT_EQ(strided.max, packed.max);
    const Moments token = moments(token_of(m, 7));
    EXPECT_EQ(token.count, 3);
    EXPECT_NEAR(token.mean, m.row(7).cast<double>().mean(), 1e-12);
}

TEST(Moments, ANaNMakesThemNaNButNotMinAndMax) {
    std::vector<float> x = skewed<float>(3000);
    x[2500] = k_nan32;
    x[1] = -4.0f;
    const Moments m = moments(sample_of(x));
    EXPECT_EQ(m.nans, 1);
    EXPECT_TRUE(std::isnan(m.mean));
    EXPECT_TRUE(std::isnan(m.variance));
    EXPECT_TRUE(std::isnan(m.excess_kurtosis));
    EXPECT_EQ(m.min, -4.0);
    EXPECT_GT(m.max, 9.0);
    const std::vector<float> only{k_nan32, k_nan32};
    EXPECT_TRUE(std::isnan(moments(sample_of(only)).min));
}

TEST(Moments, InfinitiesAreCountedAndFollowIeee) {
    std::vector<double> x = skewed<double>(6000);
    x[17] = k_infinite;
    Moments m = moments(sample_of(x));
    EXPECT_EQ(m.infinities, 1);
    EXPECT_EQ(m.mean, k_infinite);
    EXPECT_TRUE(std::isnan(m.variance));
    EXPECT_EQ(m.max, k_infinite);
    EXPECT_EQ(m.min, 0.0);
    x[5000] = -k_infinite;
    m = moments(sample_of(x));
    EXPECT_TRUE(std::isnan(m.mean));
    EXPECT_EQ(m.min, -k_infinite);
}

TEST(Moments, OfAConstantOfOneAndOfNone) {
    const std::vector<float> constant(5000, 0.1f);
    const Moments c = moments(sample_of(constant));
    EXPECT_EQ(c.mean, static_cast<double>(0.1f));
    EXPECT_EQ(c.variance, 0.0);
    EXPECT_TRUE(std::isnan(c.skewness));
    const std::vector<float> one{3.5f};
    const Moments m = moments(sample_of(one));
    EXPECT_EQ(m.mean, 3.5);
    EXPECT_EQ(m.variance, 0.0);
    const Moments none = moments(Sample<float>{});
    EXPECT_EQ(none.count, 0);
    EXPECT_TRUE(std::isnan(none.mean));
    EXPECT_TRUE(std::isnan(none.min));
}

// The trap of E[x²] − μ²: 10⁴ ∓ 10⁻² stored as float.
TEST(Moments, SurviveAHugeOffset) {
    for (const std::size_t n : {4u, 64u, 512u, 5000u}) {
        std::vector<float> x;
        for (std::size_t i = 0; i < n; ++i) x.push_back(i % 2 == 0 ? 10000.01f : 9999.99f);
        EXPECT_NEAR(moments(sample_of(x)).variance, 9.53674e-05, 1e-9) << n;
    }
}

TEST(Moments, SquaresThatAreTooLargeForANumberAreInfinite) {
    const std::vector<double> values = {1e300, 2e300, 3e300, 4e300, 1, 2, 3, 4};
    const Moments m = moments(sample_of(values));
    EXPECT_NEAR(m.mean, 1.25e300, 1e285);
    EXPECT_TRUE(std::isinf(m.variance) && m.variance > 0);
    EXPECT_TRUE(std::isinf(m.std));
}

TEST(Moments, OfVeryLargeFloatsAreFinite) {
    const std::vector<float> x{1e20f, -1e20f, 1e20f, -1e20f};
    const Moments m = moments(sample_of(x));
    EXPECT_NEAR(m.mean, 0.0, 1e5);
    EXPECT_NEAR(m.std / 1e20, 1.0, 1e-6);
    EXPECT_NEAR(m.excess_kurtosis, -2.0, 1e-9);
}

} // namespace
} // namespace normscope
