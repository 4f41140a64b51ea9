#include "app/charts/line_chart.h"

#include "app/charts/number_format.h"
#include "tests/app/charts/recording_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

using Kind = RecordingCanvas::Kind;

LineChart decades() {
    LineChart chart;
    chart.y_kind = ScaleKind::log;
    chart.x_hi = 4;
    chart.y_lo = 1e-4;
    chart.y_hi = 1;
    return chart;
}

TEST(LineChart, ABandReachesFromTheLeastToTheMost) {
    const std::vector<DataPoint> points{{0, 0.01}, {1, 0.02}, {2, 0.03}};
    const std::vector<DataRange> band{{0, 0.001, 0.1}, {1, 0.001, 0.1}, {2, 0.001, 0.1}};
    LineChart chart = decades();
    chart.series.push_back({points, {k_blue}, 2, band});
    RecordingCanvas canvas;
    const Rect area{0, 0, 500, 300};
    draw_line_chart(canvas, k_look, area, chart);
    const LinePlot p = line_plot(canvas, area, chart);
    ASSERT_EQ(canvas.count(Kind::area), 1u);
    for (const auto& mark : canvas.marks)
        if (mark.kind == Kind::area) {
            EXPECT_NEAR(mark.bounds.y, p.y.pixel(0.1), 0.01);
            EXPECT_NEAR(mark.bounds.bottom(), p.y.pixel(0.001), 0.01);
            EXPECT_NEAR(mark.bounds.x, p.x.pixel(0), 0.01);
            EXPECT_NEAR(mark.bounds.right(), p.x.pixel(2), 0.01);
        }
}

TEST(LineChart, NaNInterruptsTheBand) {
    const std::vector<DataRange> band{{0, 0.1, 0.2}, {1, 0.1, 0.2},    {2, 0, 0},
                                      {3, 0.1, 0.2}, {4, 0.1, k_nan},  {5, 0, 0.2},
                                      {6, 0.1, 0.2}, {7, k_nan, k_nan}};
    LineChart chart = decades();
    chart.x_hi = 7;
    chart.series.push_back({{}, {k_blue}, 2, band});
    RecordingCanvas canvas;
    draw_line_chart(canvas, k_look, {0, 0, 500, 300}, chart);
    EXPECT_EQ(canvas.count(Kind::area), 2u); // 0 to 1 and 5 to 6: down to 0 goes below the axis
}

TEST(LineChart, MarkersStandAtThePointsAndThinOut) {
    std::vector<DataPoint> points;
    for (int i = 0; i <= 400; ++i) points.push_back({i / 100.0, 0.5});
    LineChart chart = decades();
    chart.series.push_back({std::span(points).first(5), {k_blue, Dash::solid, Marker::circle}});
    RecordingCanvas few;
    chart.x_hi = 0.04;
    draw_line_chart(few, k_look, {0, 0, 500, 300}, chart);
    EXPECT_EQ(few.count(Kind::circle), 5u);

    chart.x_hi = 4;
    chart.series[0].points = points;
    RecordingCanvas many;
    draw_line_chart(many, k_look, {0, 0, 500, 300}, chart);
    EXPECT_GT(many.count(Kind::circle), 20u);
    EXPECT_LT(many.count(Kind::circle), 60u);
}

TEST(LineChart, EveryMarkerIsDrawnAroundItsPoint) {
    for (const Marker m : {Marker::circle, Marker::square, Marker::triangle, Marker::diamond,
                           Marker::ring, Marker::frame, Marker::cross, Marker::wedge}) {
        RecordingCanvas canvas;
        draw_marker(canvas, m, {50, 60}, 4, k_blue);
        ASSERT_FALSE(canvas.marks.empty());
        for (const auto& mark : canvas.marks)
            EXPECT_TRUE(RecordingCanvas::within(mark.bounds, {44, 54, 12, 12}));
    }
    RecordingCanvas canvas;
    draw_marker(canvas, Marker::none, {50, 60}, 4, k_blue);
    EXPECT_TRUE(canvas.marks.empty());
}

TEST(LineChart, CountsAreWrittenAsWholeNumbers) {
    for (const double hi : {1.0, 2.0, 3.0, 12.0, 48.0, 96.0}) {
        LineChart chart = decades();
        chart.x_hi = hi;
        chart.x_counts = true;
        RecordingCanvas canvas;
        const Rect area{0, 0, 500, 300};
        draw_line_chart(canvas, k_look, area, chart);
        const float below = line_plot(canvas, area, chart).plot.bottom();
        int labels = 0;
        for (const auto& text : canvas.texts) {
            if (text.bounds.y < below) continue;
            ++labels;
            EXPECT_EQ(text.text.find('.'), std::string::npos) << text.text;
        }
        EXPECT_GE(labels, 2);
        EXPECT_NE(canvas.find_text(fixed_text(hi, 0)), nullptr) << "the last one too";
        EXPECT_EQ(canvas.overlapping_texts().value_or(""), "") << hi;
    }
}

TEST(LineChart, LabelsThatHaveNoRoomAreLeftOut) {
    LineChart chart = decades();
    chart.x_lo = 0.75;
    chart.x_hi = 12.25;
    for (int layer = 1; layer <= 12; ++layer)
        chart.x_ticks.push_back({static_cast<double>(layer), std::to_string(layer)});
    RecordingCanvas canvas;
    draw_line_chart(canvas, k_look, {0, 0, 200, 300}, chart);
    EXPECT_NE(canvas.find_text("1"), nullptr);
    EXPECT_EQ(canvas.overlapping_texts().value_or(""), "");
}

// Whatever the line does at the point, no part of it lies behind the words.
TEST(LineChart, TheWordsOfAMarkStandBesideTheLines) {
    for (const double slope : {0.0, 0.5, -0.5, 2.0, -2.0})
        for (const double x : {0.0, 1.0, 2.0, 3.9}) {
            std::vector<DataPoint> points;
            for (int i = 0; i <= 40; ++i)
                points.push_back({i / 10.0, std::pow(10.0, -2 + slope * (i / 10.0 - x))});
            LineChart chart = decades();
            chart.series.push_back({points, {k_blue}});
            chart.marks = {{x, 0.01, "0.01 (0.002 to 0.05)", k_blue}, {x, 0.01, "seed", k_blue}};
            RecordingCanvas canvas;
            const Rect area{0, 0, 500, 300};
            draw_line_chart(canvas, k_look, area, chart);
            const LinePlot p = line_plot(canvas, area, chart);
            int found = 0;
            for (const auto& text : canvas.texts) {
                if (text.text.find("0.01 (") != 0 && text.text != "seed") continue;
                ++found;
                for (double at = 0; at <= 4; at += 0.005)
                    EXPECT_FALSE(text.bounds.contains(
                        {p.x.pixel(at), p.y.pixel(std::pow(10.0, -2 + slope * (at - x)))}))
                        << text.text << " at " << x << ", slope " << slope;
            }
            EXPECT_EQ(found, 2);
        }
}

// Words that found no place beside their point stand straight above or below it.
TEST(LineChart, AFarMarksLineGoesStraightToItsWords) {
    constexpr Color k_mark{200, 30, 30, 255};
    std::vector<std::vector<DataPoint>> crowd;
    for (const double level : {0.006, 0.008, 0.01, 0.0125, 0.016})
        crowd.push_back({{0, level}, {1, level}, {2, level}, {3, level}, {4, level}});
    LineChart chart = decades();
    for (const auto& points : crowd) chart.series.push_back({points, {k_blue}});
    chart.marks = {{2, 0.01, "0.0100", k_mark}};
    RecordingCanvas canvas;
    const Rect area{0, 0, 500, 300};
    draw_line_chart(canvas, k_look, area, chart);
    const float x = line_plot(canvas, area, chart).x.pixel(2);
    const auto* const words = canvas.find_text("0.0100");
    ASSERT_NE(words, nullptr);
    EXPECT_NEAR(words->bounds.center().x, x, 1);
    int leaders = 0;
    for (const auto& mark : canvas.marks) {
        if (mark.kind != RecordingCanvas::Kind::line || !(mark.color == k_mark)) continue;
        ++leaders;
        EXPECT_NEAR(mark.bounds.center().x, x, 0.6f);
        EXPECT_LE(mark.bounds.w, 1.5f);
    }
    EXPECT_EQ(leaders, 1);
}

// A curve that has come down to a level, in as little room as a panel may leave.
TEST(LineChart, TheWordsOfALevelStandBesideItAndTheLines) {
    for (const float h : {110.0f, 160.0f, 300.0f}) {
        std::vector<DataPoint> points;
        for (int i = 0; i <= 130; ++i)
            points.push_back({double(i), 0.233 + 0.6 * std::exp(-i / 2.0)});
        LineChart chart;
        chart.x_hi = 130;
        chart.series.push_back({points, {k_blue}});
        chart.marks = {{130, 0.233, "0.233", k_blue}};
        chart.levels = {{0.233, "least squares 0.233", k_blue}};
        RecordingCanvas canvas;
        const Rect area{0, 0, 320, h};
        draw_line_chart(canvas, k_look, area, chart);
        const LinePlot p = line_plot(canvas, area, chart);
        const auto level =
            std::ranges::find(canvas.texts, chart.levels[0].text, &RecordingCanvas::Text::text);
        const auto mark =
            std::ranges::find(canvas.texts, chart.marks[0].text, &RecordingCanvas::Text::text);
        ASSERT_NE(level, canvas.texts.end());
        ASSERT_NE(mark, canvas.texts.end());
        EXPECT_TRUE(RecordingCanvas::within(level->bounds, p.plot));
        for (const auto& words : {level->bounds, mark->bounds})
            for (const DataPoint& at : points)
                for (const double y : {at.y, 0.233})
                    EXPECT_FALSE(words.contains({p.x.pixel(at.x), p.y.pixel(y)})) << h;
        EXPECT_TRUE(level->bounds.right() <= mark->bounds.x ||
                    level->bounds.bottom() <= mark->bounds.y ||
                    mark->bounds.bottom() <= level->bounds.y);
    }
}

// A loss that has come down to its least: both words belong to one height.
TEST(LineChart, TheWordsOfALevelKeepOffThoseOfAMarkOnIt) {
    const std::array<DataPoint, 2> line = {DataPoint{0, 0.000369}, DataPoint{8, 0.000369}};
    for (const float w : {230.0f, 260.0f, 300.0f, 360.0f}) {
        LineChart chart;
        chart.x_hi = 10;
        chart.y_hi = 0.0004;
        chart.series.push_back({line, {k_blue}});
        chart.marks.push_back({8, 0.000369, "0.000369", k_blue});
        chart.levels.push_back({0.000369, "least squares 0.000369", k_blue});
        RecordingCanvas canvas;
        draw_line_chart(canvas, k_look, {0, 0, w, 160}, chart);
        EXPECT_EQ(canvas.overlapping_texts().value_or(""), "") << w;
    }
}

// Names of lines that end close together stand in the order of their ends.
TEST(LineChart, TheWordsOfMarksStandInTheirOrder) {
    for (const double apart : {1.02, 1.3, 3.0}) {
        LineChart chart = decades();
        std::vector<std::vector<DataPoint>> lines;
        for (int i = 0; i < 4; ++i) {
            const double end = 0.02 / std::pow(apart, i);
            lines.push_back({{0, 0.5}, {0.5, 0.002 * (i + 1)}, {1, end}});
            chart.marks.push_back({1, end, "lane " + std::to_string(i), k_blue});
        }
        for (const auto& line : lines) chart.series.push_back({line, {k_blue}});
        for (const float h : {120.0f, 300.0f}) {
            RecordingCanvas canvas;
            draw_line_chart(canvas, k_look, {0, 0, 500, h}, chart);
            for (int i = 1; i < 4; ++i)
                EXPECT_LT(canvas.find_text("lane " + std::to_string(i - 1))->bounds.y,
                          canvas.find_text("lane " + std::to_string(i))->bounds.y)
                    << apart << " in " << h;
        }
    }
}

// A line that ends has its name behind its end; where it ends on a level, the name gives way.
TEST(LineChart, TheWordsOfAnEndStandBehindIt) {
    const std::vector<DataPoint> points{{0, 0.5}, {1, 0.1}, {2, 0.01}};
    for (const bool on_a_level : {false, true}) {
        LineChart chart = decades();
        chart.series.push_back({points, {k_blue}});
        chart.marks = {{2, 0.01, "the lane", k_blue, Marker::cross}};
        if (on_a_level) chart.levels.push_back({0.01, "a guess", k_blue});
        RecordingCanvas canvas;
        const Rect area{0, 0, 500, 300};
        draw_line_chart(canvas, k_look, area, chart);
        const LinePlot p = line_plot(canvas, area, chart);
        const auto* const words = canvas.find_text("the lane");
        ASSERT_NE(words, nullptr);
        EXPECT_GT(words->bounds.x, p.x.pixel(2));
        const float away = std::abs(words->bounds.center().y - p.y.pixel(0.01));
        if (on_a_level)
            EXPECT_GT(away, words->bounds.h / 2);
        else
            EXPECT_LT(away, 1);
    }
}

TEST(LineRange, IsOfWholeDecadesOrOfOneTwoFiveWhereTheValuesAreClose) {
    const auto range = [](std::vector<double> values) {
        const LineRange r = line_range(ScaleKind::log, values);
        return std::pair(number_text(r.lo, 3), number_text(r.hi, 3));
    };
    EXPECT_EQ(range({0.08, 1.01}), std::pair(std::string("0.05"), std::string("2")));
    EXPECT_EQ(range({0.2, 5}), std::pair(std::string("0.2"), std::string("5")));
    EXPECT_EQ(range({0.03, 40}), std::pair(std::string("0.01"), std::string("100")));
    EXPECT_EQ(range({1, 1.1}), std::pair(std::string("1"), std::string("10")))
        << "what hardly changes looks so";
    EXPECT_EQ(range({3e-7}), std::pair(std::string("1e-7"), std::string("1e-6")));
}

} // namespace
} // namespace normscope
