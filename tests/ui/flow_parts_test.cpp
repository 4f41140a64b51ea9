#include "app/workspaces/gradient_flow/expectation.h"
#include "app/workspaces/gradient_flow/path_bins.h"

#include <gtest/gtest.h>
#include <numeric>

namespace normscope {
namespace {

StackConfig ffn_stack(int blocks) {
    StackConfig c;
    c.blocks = blocks;
    c.sublayer = SublayerKind::ffn;
    return c;
}

TEST(PathBins, HoldEveryPathAndAllOfTheEnergy) {
    for (const int blocks : {1, 8, 24, 96}) {
        StackConfig c = ffn_stack(blocks);
        PathLengths lengths;
        lengths.energy_share.assign(static_cast<std::size_t>(blocks) + 1,
                                    1.0 / static_cast<double>(blocks + 1));
        const auto bins = path_bins(c, lengths, 20);
        EXPECT_LE(bins.size(), 20u);
        double paths = 0, energy = 0;
        int next = 0;
        for (const PathBin& bin : bins) {
            EXPECT_EQ(bin.first, next);
            next = bin.last + 1;
            paths += bin.paths;
            energy += bin.energy;
        }
        EXPECT_EQ(next, blocks + 1);
        EXPECT_NEAR(paths, 1, 1e-12);
        EXPECT_NEAR(energy, 1, 1e-12);
    }
}

TEST(PathBins, WithoutASkipThereIsOnePath) {
    StackConfig c = ffn_stack(8);
    c.skip = Residual::no_skip;
    const auto bins = path_bins(c, {}, 20);
    ASSERT_EQ(bins.size(), 9u);
    EXPECT_EQ(bins[8].paths, 1);
    EXPECT_EQ(bins[4].paths, 0);
    EXPECT_EQ(bin_name(bins[4]), "4");
    EXPECT_EQ(bin_name({4, 7, 0, 0}), "4–7");
}

TEST(PathBins, ARouteCrossesAsManySublayersAndIsTheSameEveryTime) {
    const StackConfig c = ffn_stack(12);
    for (int k = 0; k <= 12; ++k) {
        const auto route = typical_route(c, k, 3);
        EXPECT_EQ(std::accumulate(route.begin(), route.end(), 0), k);
        EXPECT_EQ(route, typical_route(c, k, 3));
    }
    EXPECT_NE(typical_route(c, 6, 1), typical_route(c, 6, 2));
    EXPECT_TRUE(typical_route(c, 13, 0).empty());
    StackConfig plain = c;
    plain.skip = Residual::no_skip; // one path, through all
    EXPECT_TRUE(typical_route(plain, 5, 0).empty());
    EXPECT_EQ(typical_route(plain, 12, 0), std::vector<std::uint8_t>(12, 1));
    StackConfig encoder = c;
    encoder.sublayer = SublayerKind::encoder; // two a block
    const auto route = typical_route(encoder, 24, 0);
    EXPECT_EQ(std::accumulate(route.begin(), route.end(), 0), 12);
}

TEST(Expectation, AShapeIsALineThatEndsAtTheTop) {
    FlowView view;
    EXPECT_TRUE(expectation(view, 10, 2, 8).empty());
    view.expected = ExpectedShape::vanishes;
    const auto points = expectation(view, 10, 2, 8);
    ASSERT_EQ(points.size(), 11u);
    EXPECT_DOUBLE_EQ(points.back().y, 2);
    EXPECT_LT(points.front().y, 2e-3);
    view.expected = ExpectedShape::flat;
    EXPECT_DOUBLE_EQ(expectation(view, 10, 2, 8).front().y, 2);
}

TEST(Expectation, WhatWasDrawnReachesBothEnds) {
    FlowView view;
    draw_expectation(view, 10, 4, {3, -2}, {4, -2});
    draw_expectation(view, 10, 4, {6, -1}, {6, -1});
    const auto points = expectation(view, 10, 100, 4);
    ASSERT_EQ(points.size(), 11u);
    const auto decades = [&](std::size_t l) { return std::log10(points[l].y / 100); };
    for (const std::size_t l : {0u, 1u, 3u, 4u}) EXPECT_NEAR(decades(l), -2, 1e-9) << l;
    EXPECT_NEAR(decades(5), -1.5, 1e-9) << "between two strokes";
    EXPECT_NEAR(decades(8), -0.5, 1e-9) << "on its way to the top";
    EXPECT_NEAR(decades(10), 0, 1e-9);
}

TEST(Expectation, AQuickStrokeLeavesNoGaps) {
    FlowView view;
    draw_expectation(view, 10, 12, {8.2, 0}, {2.1, -6});
    EXPECT_EQ(view.drawn.size(), 7u); // 8 down to 2
    EXPECT_NEAR(view.drawn[5], -3, 1e-9);
    draw_expectation(view, 10, 12, {-3, 99}, {0, 99});
    EXPECT_EQ(view.drawn[0], 12);
}

} // namespace
} // namespace normscope
