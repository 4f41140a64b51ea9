#include "app/model/flow/flow_stories.h"
#include "app/workspaces/gradient_flow/panels.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
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
        auto bins = path_bins(c, lengths, 20);
        EXPECT_LE(bins.size(), 20u);
        EXPECT_EQ(bins.front().last, 0) << "along the skips alone";
        lengths.signed_share = lengths.energy_share;
        lengths.signed_share.front() -= 2;
        lengths.signed_share.back() += 2;
        bins = path_bins(c, lengths, 20);
        double paths = 0, energy = 0, signed_share = 0;
        int next = 0;
        for (const PathBin& bin : bins) {
            EXPECT_EQ(bin.first, next);
            next = bin.last + 1;
            paths += bin.paths;
            energy += bin.energy;
            signed_share += bin.signed_share;
        }
        EXPECT_EQ(next, blocks + 1);
        EXPECT_NEAR(paths, 1, 1e-12);
        EXPECT_NEAR(energy, 1, 1e-12);
        EXPECT_NEAR(signed_share, 1, 1e-12);
        EXPECT_LT(bins.front().signed_share, 0);
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
    EXPECT_EQ(bin_name({4, 7}), "4–7");
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
    EXPECT_TRUE(expectation(view, 10, 2, 20).empty());
    view.expected = ExpectedShape::vanishes;
    const auto points = expectation(view, 10, 2, 20);
    ASSERT_EQ(points.size(), 11u);
    EXPECT_DOUBLE_EQ(points.back().y, 2);
    EXPECT_LT(points.front().y, 2e-3);
    view.expected = ExpectedShape::flat;
    EXPECT_DOUBLE_EQ(expectation(view, 10, 2, 20).front().y, 2);
}

TEST(Expectation, ADrawnGuessReachesBothEnds) {
    FlowView view;
    draw_expectation(view, 10, {3, -2}, {4, -2}, 20);
    draw_expectation(view, 10, {6, -1}, {6, -1}, 20);
    const auto points = expectation(view, 10, 100, 20);
    ASSERT_EQ(points.size(), 11u);
    const auto decades = [&](std::size_t l) { return std::log10(points[l].y / 100); };
    for (const std::size_t l : {0u, 1u, 3u, 4u}) EXPECT_NEAR(decades(l), -2, 1e-9) << l;
    EXPECT_NEAR(decades(5), -1.5, 1e-9) << "between two strokes";
    EXPECT_NEAR(decades(8), -0.5, 1e-9) << "on its way to the top";
    EXPECT_NEAR(decades(10), 0, 1e-9);
}

TEST(Expectation, AQuickStrokeLeavesNoGaps) {
    FlowView view;
    draw_expectation(view, 10, {8.2, 0}, {2.1, -6}, 20);
    EXPECT_EQ(view.drawn.size(), 7u); // 8 down to 2
    EXPECT_NEAR(view.drawn[5], -3, 1e-9);
    draw_expectation(view, 10, {-3, 99}, {0, 99}, 20);
    EXPECT_EQ(view.drawn[0], 20);
}

// Every answer and every shape that can be picked has room on the axis of the question, which is
// one of two: it does not give the answer away.
TEST(Expectation, EveryAnswerHasRoomOnItsAxis) {
    std::map<double, int> axes;
    for (const FlowStory& story : flow_stories()) {
        ++axes[story.answer_decades];
        FlowSetup setup = story.setup();
        setup.pinned = std::vector<PinnedStack>{};
        setup.seeds = 1;
        const auto points = flow_points(*study_flow(setup).present, FlowQuantity::gradient);
        for (const FlowPoint& p : points)
            EXPECT_LT(std::abs(std::log10(p.mean / points.back().mean)), story.answer_decades)
                << story.id;
        std::map<double, ExpectedShape> ends;
        for (const ExpectedShape shape :
             {ExpectedShape::flat, ExpectedShape::shrinks_slowly, ExpectedShape::vanishes,
              ExpectedShape::grows, ExpectedShape::explodes}) {
            FlowView view;
            view.expected = shape;
            const double end = std::log10(expectation(view, 24, 1, story.answer_decades).front().y);
            EXPECT_LT(std::abs(end), story.answer_decades);
            EXPECT_GE(std::abs(end) / story.answer_decades,
                      shape == ExpectedShape::vanishes || shape == ExpectedShape::explodes ? 0.5
                                                                                           : 0);
            ends[end] = shape;
        }
        EXPECT_EQ(ends.size(), 5u);
    }
    ASSERT_EQ(axes.size(), 2u);
    EXPECT_LE(axes.begin()->first, 4) << "a mild curve is not a flat line";
    for (const auto& [decades, stories] : axes) EXPECT_GE(stories, 3) << decades;
}

TEST(AxisFit, HoldsEveryCurveInWholeDecades) {
    const std::array two = {LineRange{2e-15, 1}, LineRange{0.5, 30}};
    EXPECT_DOUBLE_EQ(curves_range(two).lo, 1e-15) << "one beside another is what is compared";
    EXPECT_DOUBLE_EQ(curves_range(two).hi, 100);
    const std::array near = {LineRange{2e-5, 1}, LineRange{0.5, 3}, LineRange{1, 3}};
    EXPECT_DOUBLE_EQ(curves_range(near).lo, 1e-5);
    const std::array apart = {LineRange{2e-15, 1}, LineRange{1, 1e9}, LineRange{1, 1e18}};
    EXPECT_DOUBLE_EQ(curves_range(apart).hi / 1e18, 1);
    EXPECT_DOUBLE_EQ(curves_range(apart).lo, 1e-15);
}

TEST(AxisFit, LeavesRoomToTellTheOthersApart) {
    const std::array low = {LineRange{2e-25, 1}, LineRange{0.5, 3}, LineRange{1, 4}};
    EXPECT_NEAR(std::log10(curves_range(low).lo), -5, 1e-9);
    EXPECT_NEAR(std::log10(curves_range(low).hi), 1, 1e-9);
    const std::array high = {LineRange{0.5, 3}, LineRange{1, 4}, LineRange{1, 1e20}};
    EXPECT_NEAR(std::log10(curves_range(high).lo), -1, 1e-9);
    EXPECT_NEAR(std::log10(curves_range(high).hi), 5, 1e-9);
}

TEST(AxisFit, HoldsAllOfACurveThatLeavesTheOthersRoom) {
    const std::array story = {LineRange{2e-15, 1}, LineRange{0.5, 3}, LineRange{1, 9}};
    EXPECT_NEAR(std::log10(curves_range(story).lo), -15, 1e-9);
    EXPECT_NEAR(std::log10(curves_range(story).hi), 1, 1e-9);
    // Far below the others, and a little above them.
    const std::array both = {LineRange{3e-20, 52}, LineRange{0.02, 3}, LineRange{0.2, 4}};
    EXPECT_NEAR(std::log10(curves_range(both).lo), -5, 1e-9);
    EXPECT_NEAR(std::log10(curves_range(both).hi), 2, 1e-9);
}

TEST(AxisFit, HoldsAGuessAndTheMeasuredCurveWhole) {
    const LineRange others{0.1, 10};
    const LineRange axis = with_guess(others, {1, 2e7}, {3e-15, 1});
    EXPECT_NEAR(std::log10(axis.lo), -15, 1e-9);
    EXPECT_NEAR(std::log10(axis.hi), 8, 1e-9);
    EXPECT_NEAR(std::log10(with_guess(others, {1, 5}, {0.5, 1}).lo), -1, 1e-9);
}

TEST(AxisFit, SaysWhereACurveGoesBeyondTheAxis) {
    std::vector<DataPoint> points;
    for (int l = 0; l <= 10; ++l) points.push_back({1.0 * l, std::pow(10.0, l - 10)});
    const auto leaving = leaves(points, {1e-4, 10});
    ASSERT_EQ(leaving.size(), 1u);
    EXPECT_NEAR(leaving[0].at.x, 6, 1e-9);
    EXPECT_DOUBLE_EQ(leaving[0].at.y, 1e-4);
    EXPECT_DOUBLE_EQ(leaving[0].farthest, 1e-10);
    EXPECT_TRUE(leaves(points, {1e-10, 1}).empty());
    EXPECT_TRUE(leaves({}, {1e-10, 1}).empty());
    const auto both = leaves(points, {1e-4, 1e-2}); // also at its last point
    ASSERT_EQ(both.size(), 2u);
    EXPECT_NEAR(both[1].at.x, 8, 1e-9);
    EXPECT_DOUBLE_EQ(both[1].farthest, 1);
    for (DataPoint& p : points) p.y = 1 / p.y;
    EXPECT_DOUBLE_EQ(leaves(points, {1, 1e3}).at(0).farthest, 1e10);
}

} // namespace
} // namespace normscope
