#include "core/stats/histogram.h"

#include "core/base/random.h"
#include "tests/core/stats/testing.h"

#include <cmath>
#include <limits>

namespace normscope {
namespace {

constexpr double k_inf = std::numeric_limits<double>::infinity();

// A histogram by the definition, value by value.
template<class S>
Histogram by_definition(const std::vector<S>& x, const std::vector<double>& edges) {
    Histogram out{edges, std::vector<std::int64_t>(edges.size() - 1, 0), 0, 0};
    for (const S value : x) {
        const double v = static_cast<double>(value);
        if (std::isnan(v)) {
            ++out.nans;
        } else if (v < edges.front() || v > edges.back()) {
            ++out.outside;
        } else {
            std::size_t i = 0;
            while (i + 2 < edges.size() && v >= edges[i + 1]) ++i;
            ++out.counts[i];
        }
    }
    return out;
}

template<class S>
void agrees_with_definition(const std::vector<S>& x, double lo, double hi, int bins) {
    const Histogram actual = histogram(sample_of(x), lo, hi, bins);
    const Histogram expected = by_definition(x, actual.edges);
    EXPECT_EQ(actual.edges.front(), lo);
    EXPECT_EQ(actual.edges.back(), hi);
    EXPECT_EQ(actual.counts, expected.counts);
    EXPECT_EQ(actual.outside, expected.outside);
    EXPECT_EQ(actual.nans, expected.nans);
}

template<class S>
std::vector<S> mixed_values() {
    Random random(11);
    std::vector<S> x;
    for (int i = 0; i < 3001; ++i) x.push_back(static_cast<S>(random.normal()));
    for (int i = -30; i <= 30; ++i) x.push_back(static_cast<S>(i * 0.1));
    const S nan = std::numeric_limits<S>::quiet_NaN();
    const S inf = std::numeric_limits<S>::infinity();
    for (const S v : {nan, inf, -inf, S(0), S(-0.0), S(3), S(-3), S(1e30), S(-1e30)}) {
        x.push_back(v);
    }
    return x;
}

TEST(Histogram, EveryValueIsWhereItsEdgesSay) {
    for (const int bins : {1, 2, 7, 60, 200}) {
        agrees_with_definition(mixed_values<float>(), -3, 3, bins);
        agrees_with_definition(mixed_values<double>(), -3, 3, bins);
    }
}

TEST(Histogram, AValueNextToAnEdgeAmongOthersIsOnItsSideOfIt) {
    constexpr int bins = 60;
    for (const double lo : {-3.0, -0.7, 1e6}) {
        const double hi = lo + 1.9;
        const auto at = [&](double bin) { return lo + (hi - lo) * bin / bins; };
        std::vector<double> x;
        for (int i = 0; i < 40000; ++i) x.push_back(at(i % bins + 0.5));
        for (std::size_t i = 0; i < x.size(); i += 100)
            x[i] = std::nextafter(at(1 + static_cast<double>(i / 100 % (bins - 1))),
                                  i % 700 < 300 ? lo : hi);
        agrees_with_definition(x, lo, hi, bins);
    }
}

TEST(Histogram, ANarrowRangeFarFromZeroIsExact) {
    std::vector<float> x;
    for (int i = 0; i < 500; ++i)
        x.push_back(10000.0f + static_cast<float>(i % 37 - 18) * 0.0009765625f);
    agrees_with_definition(x, 9999.98, 10000.02, 25);
    agrees_with_definition(x, 9999.9921875, 10000.0078125, 16);
    const std::vector<double> same(100, 1e16);
    agrees_with_definition(same, 1e16 - 8, 1e16 + 8, 10);
}

TEST(Histogram, ExtremeRangesDoNotOverflow) {
    const std::vector<float> x{1e20f, -1e20f, 3e38f, 1e-45f, 0.0f};
    agrees_with_definition(x, -1e38, 1e38, 9);
    agrees_with_definition(x, -1e-40, 1e-40, 4);
    const std::vector<double> y{1e308, -1e308, 0.0};
    agrees_with_definition(y, -1e300, 1e300, 5);
}

TEST(Histogram, AStridedColumnIsCounted) {
    Matrix<float> m(3, 2);
    m << 0.5f, 10, 1.5f, 11, 2.5f, 12;
    const Histogram h = histogram(Sample{m.data(), m.rows(), m.cols()}, 0, 3, 3);
    EXPECT_EQ(h.counts, (std::vector<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(h.outside, 0);
}

TEST(Histogram, DensityHasAreaOne) {
    const Histogram h = histogram(sample_of(mixed_values<float>()), -3, 2.5, 7);
    double area = 0;
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
        area += h.density(i) * (h.edges[i + 1] - h.edges[i]);
    }
    EXPECT_NEAR(area, 1.0, 1e-12);
    EXPECT_EQ(histogram(Sample<float>{}, 0, 1, 3).density(1), 0.0);
}

TEST(Histogram, PartsTogetherAreTheBins) {
    const std::vector<float> x = mixed_values<float>();
    const Histogram bins = histogram(sample_of(x), -3, 3, 6);
    const Histogram together = coarser(histogram(sample_of(x), -3, 3, 30), 5);
    EXPECT_EQ(together.edges, bins.edges);
    EXPECT_EQ(together.counts, bins.counts);
    EXPECT_EQ(together.outside, bins.outside);
    EXPECT_EQ(together.nans, bins.nans);
}

} // namespace
} // namespace normscope
