#include "tests/core/norm/testing.h"

// The promises of Spread's rows, for the spread of every norm.
namespace normscope {
namespace {

using namespace testing;
using Vd = Vector<double>;

constexpr double k_eps = 0.3; // so large that it counts

double divisor_of(const Spread& spread, Vd values) {
    if (spread.centres) values.array() -= values.mean();
    return spread.divisor(spread.statistic(values), k_eps);
}

TEST(Spread, TheStatisticGrowsAsPowerSaysAndIsFoundBackFromTheDivisor) {
    Vd values = normal_matrix<double>(7, 1, 5);
    values.array() -= values.mean();
    for (const NormEntry& norm : k_norms) {
        const Spread& spread = *norm.spread;
        const double q = spread.statistic(values);
        EXPECT_NEAR(spread.statistic(-3 * values), spread.power(3) * q, 1e-13) << norm.id;
        EXPECT_NEAR(spread.power(spread.root(q)), q, 1e-15) << norm.id;
        EXPECT_NEAR(spread.statistic_of(1 / spread.divisor(q, k_eps), k_eps), q, 1e-14) << norm.id;
    }
}

TEST(Spread, PullIsHowEachValueMovesTheDivisor) {
    const Vd z = normal_matrix<double>(7, 1, 6, 2, 0.5);
    for (const NormEntry& norm : k_norms) {
        const Spread& spread = *norm.spread;
        Vd x_hat = z;
        if (spread.centres) x_hat.array() -= z.mean();
        x_hat /= divisor_of(spread, z);
        const Vd moved = differences(z, [&](const Vd& at) { return divisor_of(spread, at); });
        EXPECT_LE((spread.pull(x_hat) - 7 * moved).cwiseAbs().maxCoeff(), 1e-8) << norm.id;
    }
}

TEST(Spread, IsWhatTheNormDividesBy) {
    const Matrix<double> z = normal_matrix<double>(5, 6, 8, 2, 0.5);
    for (const NormEntry& norm : k_norms) {
        if (!norm.divides) continue;
        const NormCache<double> cache = must_normalize(norm.kind, z, with_eps(k_eps)).cache;
        const StatisticSets sets = statistic_sets(cache);
        for (Index set = 0; set < sets.count(); ++set)
            EXPECT_NEAR(divisor_of(*norm.spread, values_of(z, sets.block(set))),
                        1 / cache.rstd(set), 1e-12)
                << norm.id;
    }
}

} // namespace
} // namespace normscope
