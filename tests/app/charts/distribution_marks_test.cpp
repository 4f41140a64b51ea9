#include "app/charts/distribution_chart.h"
#include "tests/app/charts/bell.h"
#include "tests/app/charts/recording_canvas.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace normscope {
namespace {

using Kind = RecordingCanvas::Kind;

std::vector<RecordingCanvas::Mark> circles(const RecordingCanvas& canvas, Color color) {
    std::vector<RecordingCanvas::Mark> out;
    for (const RecordingCanvas::Mark& m : canvas.marks)
        if (m.kind == Kind::circle && m.color.r == color.r && m.color.g == color.g)
            out.push_back(m);
    return out;
}

TEST(Distribution, FewValuesAreDotsAtTheirValuesAndStackedWhereTheyCoincide) {
    const std::vector<double> values = {-2, 1, 1, 1, 3};
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.dots = true;
    DistributionCurve c;
    c.color = k_blue;
    c.dots = values;
    chart.curves = {c};
    RecordingCanvas canvas;
    const Rect area{0, 0, 400, 160};
    draw_distributions(canvas, k_look, area, chart);
    const auto dots = circles(canvas, k_blue);
    ASSERT_EQ(dots.size(), values.size());
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const auto x = distribution_x_at(canvas, area, chart, {dots[i].bounds.center().x, 50});
        ASSERT_TRUE(x);
        EXPECT_NEAR(*x, values[i], 0.02);
    }
    EXPECT_LT(dots[2].bounds.y, dots[1].bounds.y);
    EXPECT_LT(dots[3].bounds.y, dots[2].bounds.y);
    EXPECT_EQ(dots[4].bounds.y, dots[0].bounds.y);
    EXPECT_EQ(canvas.count(Kind::polyline), 0u) << "no curve beside them";
}

TEST(Distribution, EachSetOfDotsHasALaneWithItsNameAndItsGhostInIt) {
    const std::vector<double> values = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const std::array<Color, 2> colors = {k_blue, Color{200, 0, 0, 255}};
    DistributionChart chart;
    chart.dots = true;
    for (const bool ghost : {true, false})
        for (const Color color : colors) {
            DistributionCurve c;
            c.color = color;
            c.dots = values;
            c.ghost = ghost;
            c.label = color == k_blue ? "Z" : "Y";
            chart.curves.push_back(c);
        }
    RecordingCanvas canvas;
    draw_distributions(canvas, k_look, {0, 0, 400, 160}, chart);
    float lowest = 0, highest = 1000;
    for (const auto& m : circles(canvas, colors[0])) lowest = std::max(lowest, m.bounds.bottom());
    for (const auto& m : circles(canvas, colors[1])) highest = std::min(highest, m.bounds.y);
    EXPECT_EQ(circles(canvas, colors[0]).size(), 24u);
    EXPECT_LT(lowest, highest) << "a tall stack stays in its lane";
    ASSERT_TRUE(canvas.find_text("Z") && canvas.find_text("Y"));
    EXPECT_LT(canvas.find_text("Z")->bounds.y, canvas.find_text("Y")->bounds.y);
    EXPECT_NEAR(canvas.find_text("Z")->bounds.bottom(), lowest, 3) << "beside its own dots";
    EXPECT_EQ(canvas.overlapping_texts().value_or(""), "");
}

TEST(Distribution, DotsTravelFromLaneToLane) {
    const std::vector<double> z = {-3, 1}, y = {2, -1};
    const Color red{200, 0, 0, 255};
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.dots = true;
    for (const bool first : {true, false}) {
        DistributionCurve c;
        c.color = first ? k_blue : red;
        c.dots = first ? z : y;
        chart.curves.push_back(c);
    }
    const auto drawn = [&](std::optional<double> travelled) {
        chart.travelled = travelled;
        RecordingCanvas canvas;
        draw_distributions(canvas, k_look, {0, 0, 400, 160}, chart);
        std::vector<Point> at;
        for (const auto& m : canvas.marks)
            if (m.kind == Kind::circle) at.push_back(m.bounds.center());
        return at;
    };
    const std::vector<Point> all = drawn(std::nullopt);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(drawn(0.0).size(), 2u) << "only the first lane's";
    EXPECT_EQ(drawn(1.0).size(), 4u);
    const std::vector<Point> half = drawn(0.5);
    ASSERT_EQ(half.size(), 4u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(half[2 + i].x, (all[i].x + all[2 + i].x) / 2, 0.01)
            << "the i-th stays the i-th";
        EXPECT_NEAR(half[2 + i].y, (all[i].y + all[2 + i].y) / 2, 0.01);
    }
}

TEST(Distribution, EveryCurveIsNamedBesideItselfEvenWhereTwoCoincide) {
    const Bell bell;
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    for (const char* name : {"Z", "N", "Y"}) {
        chart.curves.push_back(bell.curve());
        chart.curves.back().label = name;
    }
    for (const bool density : {true, false}) {
        chart.density = density;
        RecordingCanvas canvas;
        draw_distributions(canvas, k_look, {0, 0, 400, 160}, chart);
        for (const char* name : {"Z", "N", "Y"}) EXPECT_TRUE(canvas.find_text(name)) << name;
        EXPECT_EQ(canvas.overlapping_texts().value_or(""), "");
    }
}

TEST(Distribution, NamesKeepOutOfTheWayOfValues) {
    const Bell bell;
    const std::vector<double> values = {-3.9, 0, 1};
    for (const bool dots : {true, false})
        for (double at = -3.9; at < 4; at += 0.3) {
            DistributionChart chart;
            chart.x_lo = -4;
            chart.x_hi = 4;
            chart.dots = dots;
            for (const Color color : {k_blue, Color{200, 0, 0, 255}, Color{0, 200, 0, 255}}) {
                chart.curves.push_back(bell.curve());
                chart.curves.back().color = color;
                chart.curves.back().dots = values;
                chart.curves.back().label = "N = Z";
                chart.curves.back().marker = at + 0.1 * static_cast<double>(chart.curves.size());
            }
            RecordingCanvas canvas;
            draw_distributions(canvas, k_look, {20, 0, 400, 160}, chart);
            EXPECT_EQ(canvas.overlapping_texts().value_or(""), "") << at;
        }
}

TEST(Distribution, AGhostsValueBeyondTheAxisIsAPaleArrowAtItsEnd) {
    const std::vector<double> now = {1, 2}, before = {1, 40};
    DistributionChart chart;
    chart.x_lo = 0;
    chart.x_hi = 4;
    chart.dots = true;
    DistributionCurve c;
    c.color = k_blue;
    c.dots = now;
    DistributionCurve ghost = c;
    ghost.ghost = true;
    ghost.dots = before;
    chart.curves = {ghost, c};
    RecordingCanvas canvas;
    draw_distributions(canvas, k_look, {0, 0, 400, 160}, chart);
    ASSERT_EQ(canvas.count(Kind::triangle), 1u);
    const auto arrow =
        std::ranges::find(canvas.marks, Kind::triangle, &RecordingCanvas::Mark::kind);
    EXPECT_GT(arrow->bounds.x, 380);
    EXPECT_LT(arrow->color.a, k_blue.a);
}

TEST(Distribution, WhatIsSaidOfADotStandsInItsLaneWhereDotsAreFewer) {
    const std::vector<double> z = {1, 1.3, 1.6, 99}, y = {1, 2};
    DistributionChart chart;
    chart.x_lo = 0;
    chart.x_hi = 4;
    chart.dots = true;
    for (const auto* const values : {&z, &y}) {
        chart.curves.emplace_back();
        chart.curves.back().color = values == &z ? k_blue : Color{200, 0, 0, 255};
        chart.curves.back().dots = *values;
        chart.curves.back().marker = 1;
    }
    RecordingCanvas canvas;
    const Rect area{0, 0, 400, 160};
    draw_distributions(canvas, k_look, area, chart);
    std::vector<Rect> said;
    for (const RecordingCanvas::Text& t : canvas.texts)
        if (t.text == "1.00") said.push_back(t.bounds);
    ASSERT_EQ(said.size(), 2u);
    EXPECT_LT(said[0].bottom(), area.center().y);
    EXPECT_GT(said[1].y, area.center().y - 20) << "in the second lane";
    EXPECT_LT(said[0].right(), area.x + area.w / 4) << "right of the dot stand others";
    const auto arrow =
        std::ranges::find(canvas.marks, Kind::triangle, &RecordingCanvas::Mark::kind);
    ASSERT_NE(arrow, canvas.marks.end());
    EXPECT_LT(arrow->bounds.bottom(), area.center().y) << "99 is one of z's";
}

} // namespace
} // namespace normscope
