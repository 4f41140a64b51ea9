#include "core/base/random.h"
#include "core/stats/magnitude.h"
#include "tests/core/stats/testing.h"

#include <cmath>
#include <limits>

namespace normscope {
namespace {

template<class S>
constexpr S k_infinity = std::numeric_limits<S>::infinity();
template<class S>
constexpr S k_nan = std::numeric_limits<S>::quiet_NaN();

template<class S>
std::vector<S> some(Index n, std::uint64_t seed) {
    Random random(seed);
    std::vector<S> values;
    for (Index i = 0; i < n; ++i) values.push_back(static_cast<S>(random.normal()));
    return values;
}

template<class S>
void check_largest() {
    EXPECT_EQ(largest_magnitude(static_cast<const S*>(nullptr), 0), 0);
    for (const Index n : {1, 3, 7, 16, 37})
        for (Index at = 0; at < n; ++at) {
            auto values = some<S>(n, 3);
            values[static_cast<std::size_t>(at)] = -9;
            values[static_cast<std::size_t>((at + 1) % n)] = n > 1 ? k_infinity<S> : S(-9);
            values[static_cast<std::size_t>((at + 2) % n)] = n > 2 ? k_nan<S> : S(-9);
            EXPECT_EQ(largest_magnitude(values.data(), n), 9) << n << ' ' << at;
        }
    const std::vector<S> none(5, k_nan<S>);
    EXPECT_EQ(largest_magnitude(none.data(), 5), 0);
}

TEST(Magnitude, TheLargestIsOfWhatIsFinite) {
    check_largest<float>();
    check_largest<double>();
}

template<class S>
void check_keep() {
    constexpr Index n = 37;
    auto best = some<S>(n, 4);
    auto values = some<S>(n, 5);
    best[2] = values[9] = best[33] = k_nan<S>;
    values[2] = best[9] = values[33] = k_infinity<S>;
    best[5] = values[35] = 2;
    values[5] = best[35] = -2;
    const auto before = best;
    keep_larger(best.data(), values.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
        const S a = before[i], b = values[i];
        if (std::isnan(a) || std::isnan(b))
            EXPECT_TRUE(std::isnan(best[i])) << i;
        else
            EXPECT_EQ(best[i], std::abs(b) > std::abs(a) ? b : a) << i;
    }
}

TEST(Magnitude, TheValueFurtherFromZeroIsKept) {
    check_keep<float>();
    check_keep<double>();
}

} // namespace
} // namespace normscope
