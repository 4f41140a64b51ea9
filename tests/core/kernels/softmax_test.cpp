#include "core/kernels/softmax.h"

#include "core/base/random.h"
#include "tests/core/stats/testing.h"

#include <cmath>
#include <limits>
#include <vector>

namespace normscope {
namespace {

template<class S>
void matches_the_definition(double tolerance) {
    Random random(31);
    for (const Index size : {1, 3, 8, 17, 40}) {
        for (const Index visible : {Index{1}, (size + 1) / 2, size}) {
            std::vector<S> row(static_cast<std::size_t>(size));
            for (S& v : row) v = static_cast<S>(random.normal() * 5);
            row[0] = S(0);
            const std::vector<S> scores = row;
            double sum = 0;
            for (Index j = 0; j < visible; ++j) sum += std::exp(double(scores[std::size_t(j)]));
            softmax_row(row.data(), visible, size);
            for (Index j = 0; j < size; ++j) {
                const auto k = static_cast<std::size_t>(j);
                const double expected = j < visible ? std::exp(double(scores[k])) / sum : 0;
                EXPECT_NEAR(double(row[k]), expected, tolerance);
            }
        }
    }
}

TEST(Softmax, MatchesItsDefinitionOnEveryTarget) {
    on_every_target([] {
        matches_the_definition<float>(1e-6);
        matches_the_definition<double>(1e-14);
    });
}

TEST(Softmax, OfLargeScoresDoesNotOverflow) {
    std::vector<float> row{1e30f, -1e30f, 1e30f};
    softmax_row(row.data(), 3, 3);
    EXPECT_EQ(row, (std::vector<float>{0.5f, 0.0f, 0.5f}));
}

TEST(Softmax, NaNAndInfinityFollowIeee) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), inf}) {
        for (const std::size_t at : {std::size_t{0}, std::size_t{18}}) {
            std::vector<float> row(20, 1.0f);
            row[at] = bad;
            softmax_row(row.data(), 19, 20);
            for (std::size_t j = 0; j < 19; ++j) EXPECT_TRUE(std::isnan(row[j]));
            EXPECT_EQ(row[19], 0.0f);
        }
    }
    std::vector<float> masked{-inf, 2.0f, -inf};
    softmax_row(masked.data(), 3, 3);
    EXPECT_EQ(masked, (std::vector<float>{0.0f, 1.0f, 0.0f}));
}

} // namespace
} // namespace normscope
