#include "app/charts/distribution_chart.h"
#include "tests/app/charts/bell.h"
#include "tests/app/charts/recording_canvas.h"

#include <array>
#include <gtest/gtest.h>

namespace normscope {
namespace {

using Kind = RecordingCanvas::Kind;

TEST(Distribution, ExtentHoldsAllAndIsRound) {
    const Extent e = common_extent(
        std::array{SampleExtent{0.58, 1.08, -1.3, 3.16}, SampleExtent{-0.06, 1.29, -3.57, 2.16}});
    EXPECT_LE(e.lo, -3.57);
    EXPECT_GE(e.hi, 3.16);
    EXPECT_EQ(e.lo, std::round(e.lo));
    EXPECT_EQ(e.hi, std::round(e.hi));
}

TEST(Distribution, ExtentHoldsTheTailsOfTheDensities) {
    const Extent e = common_extent(std::array{SampleExtent{0, 1, -1.2, 1.2, 2.1}});
    EXPECT_LE(e.lo, -3.3);
    EXPECT_GE(e.hi, 3.3);
}

TEST(Distribution, ExtentHoldsTheCurveOfAConstant) {
    const Extent e =
        common_extent(std::array{SampleExtent{0, 0, 0, 0, 0.4}, SampleExtent{1, 0, 1, 1, 0.4}});
    EXPECT_LE(e.lo, -0.4);
    EXPECT_GE(e.hi, 1.4);
}

TEST(Distribution, AFarOutlierDoesNotStretchTheAxis) {
    const Extent e = common_extent(std::array{SampleExtent{0, 1, -3, 4000}});
    EXPECT_LT(e.hi, 10);
}

TEST(Distribution, ExtentOfWhatHasNone) {
    EXPECT_EQ(common_extent({}), (Extent{-1, 1}));
    EXPECT_EQ(common_extent(std::array{SampleExtent{k_nan, k_nan, k_nan, k_nan}}), (Extent{-1, 1}));
    EXPECT_EQ(common_extent(std::array{SampleExtent{k_inf, k_nan, -k_inf, k_inf}}),
              (Extent{-1, 1}));
    for (const double v : {0.0, 5.0, -1e20, 1e-9}) {
        const Extent e = common_extent(std::array{SampleExtent{v, 0, v, v}});
        EXPECT_LT(e.lo, v) << v;
        EXPECT_GT(e.hi, v) << v;
    }
}

TEST(Distribution, SmallValuesThatDifferHaveTheirSpread) {
    const Extent e = common_extent(std::array{SampleExtent{-1e-16, 6e-15, -1.2e-14, 1.9e-14}});
    EXPECT_LE(e.lo, -1.2e-14);
    EXPECT_GE(e.hi, 1.9e-14);
    EXPECT_LT(e.hi - e.lo, 1e-13);
}

TEST(Distribution, TextStaysInsideAndApartAtAnySize) {
    const Bell bell;
    for (const float scale : {0.75f, 1.0f, 2.5f})
        for (float w = 40; w < 900; w += 37)
            for (const double far : {4.0, 4e-5, 3e8}) {
                RecordingCanvas canvas(scale);
                const Rect area{10, 20, w, 60 * scale};
                DistributionChart chart;
                chart.x_lo = -far;
                chart.x_hi = far;
                chart.curves = {bell.curve()};
                draw_distributions(canvas, theme(ThemeKind::light), area, chart);
                SCOPED_TRACE(testing::Message() << scale << " " << w << " " << far);
                EXPECT_EQ(canvas.text_outside(area).value_or(""), "");
                EXPECT_EQ(canvas.overlapping_texts().value_or(""), "");
                EXPECT_EQ(canvas.open_clips(), 0u);
            }
}

TEST(Distribution, TheTallestFillsTheHeight) {
    const Bell bell;
    RecordingCanvas canvas;
    const Rect area{0, 0, 400, 200};
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.histogram = false;
    chart.curves = {bell.curve()};
    draw_distributions(canvas, theme(ThemeKind::light), area, chart);
    for (const auto& m : canvas.marks)
        if (m.kind == Kind::polyline) {
            EXPECT_LT(m.bounds.y, 10);
            EXPECT_GE(m.bounds.y, 0);
            EXPECT_FLOAT_EQ(m.bounds.center().x, 200);
        }
    EXPECT_EQ(canvas.count(Kind::polyline), 1u);
    EXPECT_EQ(canvas.count(Kind::area), 1u);
}

TEST(Distribution, ShowsBarsCurveOrBoth) {
    const Bell bell;
    const auto marks = [&](bool histogram, bool density, Kind kind) {
        RecordingCanvas canvas;
        DistributionChart chart;
        chart.x_lo = -4;
        chart.x_hi = 4;
        chart.histogram = histogram;
        chart.density = density;
        chart.sigma_bars = false;
        chart.curves = {bell.curve()};
        draw_distributions(canvas, theme(ThemeKind::light), {0, 0, 400, 200}, chart);
        return canvas.count(kind);
    };
    EXPECT_GE(marks(true, false, Kind::fill_rect), 16u);
    EXPECT_EQ(marks(true, false, Kind::polyline), 0u);
    EXPECT_EQ(marks(false, true, Kind::fill_rect), 0u);
    EXPECT_EQ(marks(true, true, Kind::polyline), 1u);
}

TEST(Distribution, ArrowsSayThatThereIsMore) {
    const Bell bell;
    const auto arrows = [&](double lo, double hi) {
        RecordingCanvas canvas;
        DistributionChart chart;
        chart.x_lo = lo;
        chart.x_hi = hi;
        chart.curves = {bell.curve()};
        draw_distributions(canvas, theme(ThemeKind::light), {0, 0, 400, 200}, chart);
        return canvas.count(Kind::triangle);
    };
    EXPECT_EQ(arrows(-6, 6), 0u);
    EXPECT_EQ(arrows(-6, 2), 1u);
    EXPECT_EQ(arrows(-2, 2), 2u);
}

TEST(Distribution, ReadsOffWhereTheMouseIs) {
    const Bell bell;
    const Rect area{50, 10, 400, 200};
    RecordingCanvas canvas;
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.curves = {bell.curve()};
    const auto middle = distribution_x_at(canvas, area, chart, {250, 60});
    ASSERT_TRUE(middle);
    EXPECT_NEAR(*middle, 0, 1e-6);
    EXPECT_FALSE(distribution_x_at(canvas, area, chart, {20, 60}));
    EXPECT_FALSE(distribution_x_at(canvas, area, chart, {250, 209})) << "on the labels";

    for (const double at : {-4.0, -1.25, 3.99}) { // the label turns round at the edge
        RecordingCanvas drawn;
        chart.cursor = at;
        draw_distributions(drawn, theme(ThemeKind::light), area, chart);
        EXPECT_EQ(drawn.count(Kind::circle), 1u);
        EXPECT_EQ(drawn.text_outside(area).value_or(""), "") << at;
    }
    chart.cursor = 99;
    RecordingCanvas far;
    draw_distributions(far, theme(ThemeKind::light), area, chart);
    EXPECT_EQ(far.count(Kind::circle), 0u) << "a value beyond the axis is not drawn at its end";
}

TEST(Distribution, AMarkedValueKeepsTheDigitsOfACellOnACoarseAxis) {
    const Bell bell;
    DistributionChart chart;
    chart.x_lo = -100;
    chart.x_hi = 300;
    chart.curves = {bell.curve()};
    chart.curves[0].marker = -0.23;
    RecordingCanvas drawn;
    draw_distributions(drawn, theme(ThemeKind::light), {20, 20, 150, 120}, chart);
    EXPECT_TRUE(drawn.find_text("−0.23"));
}

TEST(Distribution, AValueStandsWhereTheCurveIsLower) {
    const Bell bell;
    const Rect area{20, 20, 400, 120};
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.curves = {bell.curve()};
    for (const double value : {-1.0, 1.0}) {
        chart.cursor = value;
        RecordingCanvas drawn;
        draw_distributions(drawn, theme(ThemeKind::light), area, chart);
        const auto* text = drawn.find_text(value < 0 ? "−1.00" : "1.00");
        ASSERT_TRUE(text);
        const auto middle = distribution_x_at(drawn, area, chart, {text->bounds.center().x, 60});
        ASSERT_TRUE(middle);
        EXPECT_GT(std::abs(*middle), 1) << value;
    }
}

TEST(Distribution, MarksBothEndsBeyondWhichThereAreValues) {
    const Bell bell;
    DistributionChart chart;
    chart.x_lo = -6;
    chart.x_hi = 6;
    chart.curves = {bell.curve()};
    const auto marks = [&] {
        RecordingCanvas drawn;
        draw_distributions(drawn, theme(ThemeKind::light), {20, 20, 400, 120}, chart);
        return drawn.count(Kind::triangle);
    };
    EXPECT_EQ(marks(), 0u);
    chart.curves[0].min = -70; // among the values of the first bin
    EXPECT_EQ(marks(), 1u);
    chart.curves[0].max = 6.5;
    EXPECT_EQ(marks(), 2u);
}

TEST(Distribution, ADashedCurveIsSeenOnASolidOneOfTheSameShape) {
    const Bell bell;
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.fill = false;
    chart.curves = {bell.curve(), bell.curve()};
    chart.curves[0].dash = Dash::dashed;
    chart.curves[1].color = {200, 0, 0, 255};
    RecordingCanvas drawn;
    draw_distributions(drawn, theme(ThemeKind::light), {20, 20, 400, 120}, chart);
    std::vector<Color> lines;
    for (const RecordingCanvas::Mark& m : drawn.marks)
        if (m.kind == Kind::polyline) lines.push_back(m.color);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines.back(), k_blue);
}

TEST(Distribution, EveryCurveIsMarkedAtAValueOfItsOwn) {
    const Bell bell;
    const Rect area{20, 20, 400, 120};
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    const std::array<Color, 3> colors = {k_blue, Color{200, 0, 0, 255}, Color{0, 150, 0, 255}};
    const std::array<double, 3> at = {-2, 0.5, 3.75}; // the last one's label turns round
    for (std::size_t i = 0; i < 3; ++i) {
        chart.curves.push_back(bell.curve());
        chart.curves.back().color = colors[i];
        chart.curves.back().marker = at[i];
    }
    RecordingCanvas drawn;
    draw_distributions(drawn, theme(ThemeKind::light), area, chart);
    std::vector<RecordingCanvas::Mark> dots;
    for (const RecordingCanvas::Mark& m : drawn.marks)
        if (m.kind == Kind::circle) dots.push_back(m);
    ASSERT_EQ(dots.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(dots[i].color, colors[i]);
        const auto x =
            distribution_x_at(drawn, area, chart, {dots[i].bounds.center().x, area.y + 5});
        ASSERT_TRUE(x);
        EXPECT_NEAR(*x, at[i], 0.02);
    }
    EXPECT_LT(dots[1].bounds.y, dots[0].bounds.y) << "on the curve: the bell is highest at 0";
    for (const char* value : {"−2.00", "0.50", "3.75"}) EXPECT_TRUE(drawn.find_text(value));
    EXPECT_EQ(drawn.overlapping_texts().value_or(""), "");
    EXPECT_EQ(drawn.text_outside(area).value_or(""), "");

    chart.curves[1].marker = k_nan;
    chart.curves[2].marker = 99; // beyond the axis
    RecordingCanvas one;
    draw_distributions(one, theme(ThemeKind::light), area, chart);
    EXPECT_EQ(one.count(Kind::circle), 1u);
}

TEST(Distribution, ValuesThatAreAllTheSameAreALine) {
    const Bell bell;
    const Rect area{20, 20, 400, 120};
    DistributionChart chart;
    chart.x_lo = -4;
    chart.x_hi = 4;
    chart.curves.push_back(bell.curve());
    DistributionCurve same;
    same.color = {200, 0, 0, 255};
    same.min = same.max = same.mean = 2;
    same.std = 0;
    for (const bool beside_a_bell : {true, false}) {
        chart.curves.resize(beside_a_bell ? 1 : 0);
        chart.curves.push_back(same);
        RecordingCanvas drawn;
        draw_distributions(drawn, theme(ThemeKind::light), area, chart);
        std::vector<RecordingCanvas::Mark> marks;
        for (const RecordingCanvas::Mark& m : drawn.marks)
            if (m.color == same.color && (m.kind == Kind::polyline || m.kind == Kind::circle))
                marks.push_back(m);
        ASSERT_EQ(marks.size(), 2u) << "a line and its head";
        for (const RecordingCanvas::Mark& m : marks) {
            const auto x = distribution_x_at(drawn, area, chart, {m.bounds.center().x, area.y + 5});
            ASSERT_TRUE(x);
            EXPECT_NEAR(*x, 2, 0.02);
        }
        EXPECT_GT(marks[0].bounds.h, 80) << "as high as the plot";
    }
    chart.curves.back().min = chart.curves.back().max = 5; // beyond the axis
    RecordingCanvas none;
    draw_distributions(none, theme(ThemeKind::light), area, chart);
    EXPECT_EQ(none.count(Kind::circle), 0u);
}

TEST(Distribution, SurvivesWhatCannotBeDrawn) {
    RecordingCanvas canvas;
    DistributionChart chart;
    DistributionCurve c;
    c.mean = k_nan;
    c.std = k_inf;
    chart.curves = {c};
    chart.cursor = k_nan;
    draw_distributions(canvas, theme(ThemeKind::light), {0, 0, 300, 100}, chart);
    draw_distributions(canvas, theme(ThemeKind::light), {0, 0, 3, 2}, chart);
    EXPECT_EQ(canvas.open_clips(), 0u);
    for (const auto& m : canvas.marks) EXPECT_TRUE(std::isfinite(m.bounds.x + m.bounds.y));
}

} // namespace
} // namespace normscope
