#include "app/charts/flow_band.h"

#include "tests/app/charts/recording_canvas.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope {
namespace {

using Kind = RecordingCanvas::Kind;

std::vector<FlowSlice> falling(int n) {
    std::vector<FlowSlice> out;
    for (int i = 0; i < n; ++i) {
        const double skip = 3.0 * std::pow(0.9, i);
        out.push_back({skip * 1.1, skip, skip / 3});
    }
    return out;
}

FlowBand band_of(const std::vector<FlowSlice>& slices, ScaleKind kind = ScaleKind::linear) {
    return {.slices = slices, .top = 1, .widths = flow_widths(kind, slices), .sublayer = "FFN"};
}

TEST(FlowBand, WidthIsProportionalToTheNorm) {
    const FlowWidths widths = flow_widths(
        ScaleKind::linear, std::vector<FlowSlice>{{4, 3.7, 0.5}, {k_nan, k_nan, k_inf}});
    EXPECT_EQ(widths, (FlowWidths{ScaleKind::linear, 0, 4}));
    EXPECT_FLOAT_EQ(flow_width(widths, 4), 1);
    EXPECT_FLOAT_EQ(flow_width(widths, 1), 0.25f);
    EXPECT_EQ(flow_width(widths, 0), 0);
    EXPECT_EQ(flow_width(widths, k_nan), 0);
    EXPECT_EQ(flow_width(widths, k_inf), 0);
}

TEST(FlowBand, OnALogarithmicAxisEveryDecadeIsAsWide) {
    const FlowWidths widths =
        flow_widths(ScaleKind::log, std::vector<FlowSlice>{{1, 1, 0}, {1e-7, 1e-7, 1e-5}});
    EXPECT_EQ(widths.hi, 1);
    EXPECT_DOUBLE_EQ(widths.lo, 1e-8); // one more, so that the least is seen
    EXPECT_NEAR(flow_width(widths, 1e-7), 1.0 / 8, 1e-6);
    EXPECT_NEAR(flow_width(widths, 1e-4), 0.5, 1e-6);
}

TEST(FlowBand, AScaleStaysAsLongAsItShowsAllParts) {
    const auto spanning = [](double ratio, std::optional<ScaleKind> before) {
        return flow_scale(std::vector<FlowSlice>{{1, 1, 1 / ratio}}, before);
    };
    EXPECT_EQ(spanning(900, {}), ScaleKind::linear);
    EXPECT_EQ(spanning(1100, {}), ScaleKind::log);
    EXPECT_EQ(spanning(1100, ScaleKind::linear), ScaleKind::linear);
    EXPECT_EQ(spanning(900, ScaleKind::log), ScaleKind::log);
    EXPECT_EQ(spanning(1e5, ScaleKind::linear), ScaleKind::log);
    EXPECT_EQ(spanning(10, ScaleKind::log), ScaleKind::log);
}

TEST(FlowBand, NormsSideBySideHaveAsManyDigits) {
    for (const auto& [norm, text] :
         {std::pair(8.6e-6, "8.60e-6"), std::pair(0.004, "4.00e-3"), std::pair(0.5, "0.500"),
          std::pair(12.04, "12.0"), std::pair(12000.0, "1.20e4"), std::pair(0.0, "0")})
        EXPECT_EQ(flow_norm_text(norm), text);
}

TEST(FlowBand, NothingButZerosHasAScaleToo) {
    const std::vector<FlowSlice> zeros(4);
    EXPECT_EQ(flow_widths(ScaleKind::linear, zeros), (FlowWidths{ScaleKind::linear, 0, 1}));
    EXPECT_EQ(flow_widths(ScaleKind::log, zeros), (FlowWidths{ScaleKind::log, 0.1, 1}));
}

TEST(FlowBand, ThePartsLieAboveAndBelowTheAxisAsWideAsTheirNorms) {
    const std::vector<FlowSlice> slices(5, FlowSlice{5, 4, 1});
    const FlowBand band = band_of(slices);
    RecordingCanvas canvas;
    const Rect area{10, 20, 900, 360};
    draw_flow_band(canvas, k_look, area, band);
    const FlowBandPlot p = flow_band_plot(canvas, area, band);
    std::vector<Rect> parts;
    for (const auto& mark : canvas.marks)
        if (mark.kind == Kind::area) parts.push_back(mark.bounds);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_NEAR(parts[0].bottom(), p.axis, 0.01);
    EXPECT_NEAR(parts[0].h, p.half, 0.01); // 4 of 4
    EXPECT_NEAR(parts[1].y, p.axis, 0.01);
    EXPECT_NEAR(parts[1].h, p.half / 4, 0.01); // 1 of 4
    EXPECT_NEAR(parts[1].x, p.river.x, 0.01);
    EXPECT_NEAR(parts[1].right(), p.river.right(), 0.01);
}

TEST(FlowBand, WithoutASkipTheOnePartLiesOnBothSidesOfTheAxis) {
    std::vector<FlowSlice> slices(5, FlowSlice{1, 0, 1});
    FlowBand band = band_of(slices);
    band.has_skip = false;
    RecordingCanvas canvas;
    draw_flow_band(canvas, k_look, {0, 0, 900, 360}, band);
    EXPECT_EQ(canvas.count(Kind::area), 1u);
    EXPECT_EQ(canvas.find_text("skip"), nullptr);
    const FlowBandPlot p = flow_band_plot(canvas, {0, 0, 900, 360}, band);
    const auto area = std::ranges::find(canvas.marks, Kind::area, &RecordingCanvas::Mark::kind);
    ASSERT_NE(area, canvas.marks.end());
    EXPECT_NEAR(area->bounds.y, p.axis - p.half, 0.01);
    EXPECT_NEAR(area->bounds.bottom(), p.axis + p.half, 0.01);
}

TEST(FlowBand, ALargerNormIsThickerOnBothSidesOfTheAxisAndOnBothScales) {
    for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log})
        for (const bool has_skip : {true, false}) {
            const std::vector<FlowSlice> slices{{1e-4, 1e-4, 1e-5}, {1, 1, 0.5}};
            FlowBand band = band_of(slices, kind);
            band.has_skip = has_skip;
            const FlowBandPlot p = flow_band_plot(RecordingCanvas(), {0, 0, 900, 360}, band);
            EXPECT_LT(p.edge(slices[1], false), p.edge(slices[0], false));
            EXPECT_GT(p.edge(slices[1], true), p.edge(slices[0], true));
        }
}

TEST(FlowBand, TheGhostHasTheWidthsOfTheRiver) {
    const std::vector<FlowSlice> slices(5, FlowSlice{4, 4, 1}), ghost(5, FlowSlice{2, 0, 2});
    FlowBand band = band_of(slices);
    band.ghost = ghost;
    band.ghost_has_skip = false;
    RecordingCanvas canvas;
    const Rect area{0, 0, 900, 360};
    draw_flow_band(canvas, k_look, area, band);
    const FlowBandPlot p = flow_band_plot(canvas, area, band);
    ASSERT_EQ(canvas.count(Kind::area), 3u);
    for (const auto& mark : canvas.marks)
        if (mark.kind == Kind::area && mark.bounds.y > p.axis - p.half + 1 &&
            mark.bounds.y < p.axis - 1) {
            EXPECT_NEAR(mark.bounds.y, p.axis - p.half / 2, 0.01); // 2 of 4
            EXPECT_NEAR(mark.bounds.bottom(), p.axis + p.half / 2, 0.01);
        }
    band.ghost = band.ghost.first(3);
    RecordingCanvas other;
    draw_flow_band(other, k_look, area, band);
    EXPECT_EQ(other.count(Kind::area), 2u) << "of another depth there is none";
}

TEST(FlowBand, OverflowAndNaNInterruptItAndAreSaid) {
    std::vector<FlowSlice> slices = falling(12);
    for (std::size_t i = 3; i < 6; ++i) slices[i] = {k_inf, k_inf, 1};
    for (std::size_t i = 8; i < 10; ++i) slices[i] = {k_nan, k_nan, k_nan};
    RecordingCanvas canvas;
    draw_flow_band(canvas, k_look, {0, 0, 1200, 360}, band_of(slices));
    EXPECT_EQ(canvas.count(Kind::area), 6u); // two parts of three runs
    EXPECT_NE(canvas.find_text("overflow"), nullptr);
    EXPECT_NE(canvas.find_text("not a number"), nullptr);
    EXPECT_NE(canvas.find_text("∞"), nullptr);
    EXPECT_NE(canvas.find_text("NaN"), nullptr);
}

TEST(FlowBand, EveryPointOfAColumnMeansItsBlock) {
    const std::vector<FlowSlice> slices = falling(96);
    const FlowBand band = band_of(slices);
    RecordingCanvas canvas;
    const FlowBandPlot p = flow_band_plot(canvas, {0, 0, 1200, 360}, band);
    for (Index i = 0; i < 96; ++i) {
        const Point middle = p.column(i).center();
        EXPECT_EQ(p.block_at(middle), i);
        EXPECT_EQ(p.block_at({middle.x, p.boxes.center().y}), i);
        EXPECT_EQ(p.block_at({middle.x, p.values.center().y}), i);
    }
    EXPECT_FALSE(p.block_at(p.loss.center()));
    EXPECT_FALSE(p.block_at(p.ticks.center()));
}

TEST(FlowBand, WordsNeverOverlapOrLeaveTheirPlace) {
    for (const int blocks : {1, 2, 5, 12, 24, 48, 96})
        for (const float scale : {0.75f, 1.0f, 2.5f})
            for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log})
                for (const float width : {460.0f, 700.0f, 1250.0f}) {
                    std::vector<FlowSlice> slices = falling(blocks);
                    slices.back() = {1e-30, 1e-30, 2e-31};
                    FlowBand band = band_of(slices, kind);
                    for (int lit = -1; lit < blocks; lit += std::max(1, blocks / 7)) {
                        band.lit = lit < 0 ? std::nullopt : std::optional<Index>(lit);
                        RecordingCanvas canvas(scale);
                        const Rect area{5, 7, width * scale, 330 * scale};
                        draw_flow_band(canvas, k_look, area, band);
                        EXPECT_EQ(canvas.overlapping_texts().value_or(""), "")
                            << blocks << " blocks, " << width << " at " << scale;
                        EXPECT_EQ(canvas.text_outside(area).value_or(""), "")
                            << blocks << " blocks, " << width << " at " << scale;
                        EXPECT_EQ(canvas.open_clips(), 0u);
                    }
                }
}

TEST(FlowBand, WithoutASkipTheLongerScaleHasRoomForItsLabels) {
    for (const double norm : {1.0, 1.5, 2.0, 3.0, 5.0, 1.5e17, 3e17, 8e-9})
        for (float height = 100; height < 500; height += 10) {
            const std::vector<FlowSlice> slices(5, FlowSlice{norm, 0, norm});
            FlowBand band = band_of(slices);
            band.has_skip = false;
            RecordingCanvas canvas;
            draw_flow_band(canvas, k_look, {5, 7, 700, height}, band);
            EXPECT_EQ(canvas.overlapping_texts().value_or(""), "") << norm << " in " << height;
        }
}

TEST(FlowBand, ARouteGoesBelowTheAxisWhereItCrosses) {
    const std::vector<FlowSlice> slices = falling(4);
    const std::vector<std::uint8_t> route{0, 1, 1, 0};
    FlowBand band = band_of(slices);
    band.route = route;
    RecordingCanvas canvas;
    const Rect area{0, 0, 900, 360};
    draw_flow_band(canvas, k_look, area, band);
    EXPECT_EQ(canvas.count(Kind::circle), 2u);    // one a crossing
    EXPECT_EQ(canvas.count(Kind::area), 2u + 4u); // the water, and the part of each block
    const FlowBandPlot p = flow_band_plot(canvas, area, band);
    for (const auto& mark : canvas.marks)
        if (mark.kind == Kind::circle) {
            EXPECT_GT(mark.bounds.y, p.axis);
        }
    std::vector<Rect> parts;
    for (const auto& mark : canvas.marks)
        if (mark.kind == Kind::area) parts.push_back(mark.bounds);
    for (Index i = 0; i < 4; ++i) {
        const Rect part = parts[static_cast<std::size_t>(2 + i)];
        EXPECT_NEAR(part.x, p.column(i).x, 0.01);
        EXPECT_NEAR(part.right(), p.column(i).right(), 0.01);
        if (route[static_cast<std::size_t>(i)] != 0)
            EXPECT_NEAR(part.y, p.axis, 0.01);
        else
            EXPECT_NEAR(part.bottom(), p.axis, 0.01);
    }
}

TEST(FlowBand, NumbersHaveThreeDigitsInEveryForm) {
    const std::vector<FlowSlice> slices{{0.06, 0.05, 0.01}, {4e-3, 4e-3, 0}, {0.5, 0.5, 0},
                                        {12, 12, 0},        {298.4, 298, 0}, {9.996e4, 1, 0}};
    RecordingCanvas canvas;
    draw_flow_band(canvas, k_look, {0, 0, 900, 360}, band_of(slices));
    for (const char* text : {"0.0600", "4.00e-3", "0.500", "12.0", "298", "1.00e5", "1.00"})
        EXPECT_NE(canvas.find_text(text), nullptr) << text;
}

TEST(FlowBand, BlocksWithoutRoomForTheirNumberHaveNoBox) {
    const std::vector<FlowSlice> slices = falling(96);
    FlowBand band = band_of(slices);
    const Rect area{0, 0, 900, 360};
    const auto marks_below = [&] {
        RecordingCanvas canvas;
        draw_flow_band(canvas, k_look, area, band);
        const FlowBandPlot p = flow_band_plot(canvas, area, band);
        return std::ranges::count_if(
            canvas.marks, [&](const auto& mark) { return mark.bounds.y >= p.boxes.y - 0.5f; });
    };
    EXPECT_EQ(marks_below(), 0);
    band.lit = 40;
    EXPECT_EQ(marks_below(), 1) << "the one that is looked at";
    band.lit.reset();
    band.chosen = 40;
    EXPECT_EQ(marks_below(), 2) << "its bar, and a plate behind its number";
}

// A chosen block is filled as a chosen segment is; the one under the mouse has its column lit.
TEST(FlowBand, AChosenBlockLooksOtherThanTheOneUnderTheMouse) {
    const std::vector<FlowSlice> slices = falling(12);
    const Rect area{0, 0, 1200, 360};
    const auto filled = [&](const FlowBand& band, Color color) {
        RecordingCanvas canvas;
        draw_flow_band(canvas, k_look, area, band);
        return std::ranges::count_if(canvas.marks, [&](const auto& mark) {
            return mark.kind == Kind::fill_rect && mark.color == color;
        });
    };
    FlowBand none = band_of(slices), lit = none, chosen = none;
    lit.lit = 4;
    chosen.chosen = 4;
    EXPECT_EQ(filled(none, k_look.accent), 0);
    EXPECT_EQ(filled(lit, k_look.accent), 0);
    EXPECT_EQ(filled(chosen, k_look.accent), 1);
    EXPECT_EQ(filled(none, k_look.control_hover), 0);
    EXPECT_EQ(filled(lit, k_look.control_hover), 2) << "its column and its box";
    EXPECT_EQ(filled(chosen, k_look.control_hover), 0);
}

} // namespace
} // namespace normscope
