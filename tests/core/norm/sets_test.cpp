#include "tests/core/norm/testing.h"

// The sets of cells that share μ and σ², and what the table says of each norm.
namespace normscope {
namespace {

using namespace testing;

constexpr StatisticSets k_sets[] = {{Shares::nothing, 3, 7},  {Shares::token, 3, 7},
                                    {Shares::feature, 3, 7},  {Shares::group, 3, 6, 1},
                                    {Shares::group, 3, 6, 2}, {Shares::group, 5, 6, 3},
                                    {Shares::group, 3, 6, 6}};

TEST(Sets, EveryCellIsInOneSetAtOnePlace) {
    for (const StatisticSets& sets : k_sets) {
        EXPECT_EQ(sets.count() * sets.size(), sets.tokens * sets.features) << sets.name();
        Matrix<int> seen = Matrix<int>::Zero(sets.tokens, sets.features);
        for (Index set = 0; set < sets.count(); ++set) {
            const CellBlock block = sets.block(set);
            EXPECT_EQ(block.rows * block.cols, sets.size());
            for (Index place = 0; place < sets.size(); ++place) {
                const Index t = sets.token(set, place), d = sets.feature(set, place);
                ++seen(t, d);
                EXPECT_TRUE(block.contains(t, d)) << sets.name();
                EXPECT_EQ(sets.set_of(t, d), set) << sets.name();
                EXPECT_EQ(sets.place(t, d), place) << sets.name();
            }
        }
        EXPECT_TRUE((seen.array() == 1).all()) << sets.name();
    }
}

TEST(Sets, ValuesOfABlockStandInTheOrderOfPlaces) {
    const auto z = normal_matrix<double>(3, 6, 1);
    for (const StatisticSets& sets : k_sets) {
        if (sets.tokens != z.rows() || sets.features != z.cols()) continue;
        for (Index set = 0; set < sets.count(); ++set) {
            const Vector<double> values = values_of(z, sets.block(set));
            for (Index i = 0; i < sets.size(); ++i)
                EXPECT_EQ(values(i), z(sets.token(set, i), sets.feature(set, i)));
        }
    }
}

// The traits in the table of norms agree with the forward passes.
TEST(Norms, TraitsAreWhatForwardDoes) {
    const auto z = normal_matrix<double>(3, 6, 2);
    for (const NormEntry& norm : k_norms) {
        SCOPED_TRACE(norm.id);
        const auto out = must_normalize(norm.kind, z, with_eps(0));
        const StatisticSets sets = statistic_sets(out.cache);
        EXPECT_EQ(out.cache.rstd.size(), norm.normalizes() ? sets.count() : 0);
        EXPECT_EQ(out.running.has_value(), norm.has_running);
        EXPECT_EQ(norm.short_name.empty(), !norm.normalizes());
        for (Index set = 0; set < sets.count(); ++set) {
            const Vector<double> x = values_of(out.cache.x_hat, sets.block(set));
            EXPECT_EQ(std::abs(x.mean()) < 1e-12, norm.centres);
            EXPECT_EQ(std::abs(norm.spread->statistic(x) - 1) < 1e-12, norm.divides);
        }
        const auto few = normalize<double>(norm.kind, z.topRows(1));
        EXPECT_EQ(few.has_value(), norm.shares != Shares::feature || norm.fewest_values() == 1);
    }
}

} // namespace
} // namespace normscope
