#include "app/charts/bars.h"

#include "tests/app/charts/recording_canvas.h"

#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

using Kind = RecordingCanvas::Kind;
constexpr Color k_grey{150, 150, 150, 255};

TEST(PairedBars, TheAxisEndsAtARoundShare) {
    const std::vector<double> none{0, 0}, some{0.1, 0.23}, all{1, 0};
    EXPECT_EQ(share_limit(none, none), 1);
    EXPECT_NEAR(share_limit(none, some), 0.25, 1e-12);
    EXPECT_EQ(share_limit(all, some), 1);
    const std::vector<double> bad{std::numeric_limits<double>::quiet_NaN(), 0.04};
    EXPECT_NEAR(share_limit(bad, bad), 0.04, 1e-12);
}

TEST(PairedBars, HeightsAreTheShares) {
    const std::vector<double> first{0.5, 0.25, 0}, second{0.1, 0.5, 0.4};
    const std::vector<std::string> names{"0", "1", "2"};
    const PairedBars chart{.first = first,
                           .second = second,
                           .names = names,
                           .hi = 0.5,
                           .first_color = k_grey,
                           .second_color = k_blue,
                           .x_title = "length"};
    RecordingCanvas canvas;
    const Rect area{0, 0, 400, 300};
    draw_paired_bars(canvas, k_look, area, chart);
    const PairedBarsPlot p = paired_bars_plot(canvas, area, chart);
    std::vector<float> grey, blue;
    for (const auto& mark : canvas.marks) {
        if (mark.kind != Kind::fill_rect) continue;
        EXPECT_NEAR(mark.bounds.bottom(), p.bars.bottom(), 0.01);
        if (mark.color == k_grey) grey.push_back(mark.bounds.h / p.bars.h);
        if (mark.color == k_blue) blue.push_back(mark.bounds.h / p.bars.h);
    }
    ASSERT_EQ(grey.size(), 2u); // a share of 0 has no bar
    EXPECT_NEAR(grey[0], 1, 1e-5);
    EXPECT_NEAR(grey[1], 0.5, 1e-5);
    ASSERT_EQ(blue.size(), 3u);
    EXPECT_NEAR(blue[0], 0.2, 1e-5);
    EXPECT_NEAR(blue[2], 0.8, 1e-5);
}

TEST(PairedBars, NamesKeepClearOfEachOther) {
    for (const int n : {1, 2, 9, 25, 60})
        for (const float scale : {0.75f, 1.0f, 2.5f}) {
            std::vector<double> shares(static_cast<std::size_t>(n), 1.0 / n);
            std::vector<std::string> names;
            for (int i = 0; i < n; ++i) names.push_back(std::to_string(i * 4) + "–190");
            const PairedBars chart{.first = shares,
                                   .second = shares,
                                   .names = names,
                                   .hi = share_limit(shares, shares),
                                   .first_color = k_grey,
                                   .second_color = k_blue,
                                   .x_title = "path length",
                                   .chosen = 0};
            RecordingCanvas canvas(scale);
            const Rect area{3, 4, 420 * scale, 260 * scale};
            draw_paired_bars(canvas, k_look, area, chart);
            EXPECT_EQ(canvas.overlapping_texts().value_or(""), "") << n << " at " << scale;
            EXPECT_EQ(canvas.text_outside(area).value_or(""), "") << n << " at " << scale;
        }
}

TEST(PairedBars, TheChosenBarHasItsNameEvenWhereEverySecondIsLeftOut) {
    const std::vector<double> shares(40, 1.0 / 40);
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) names.push_back(std::to_string(100 + i));
    for (Index i = 0; i < 40; ++i) {
        PairedBars chart{.first = shares,
                         .second = shares,
                         .names = names,
                         .hi = 0.05,
                         .first_color = k_grey,
                         .second_color = k_blue,
                         .x_title = "path length"};
        (i % 2 == 0 ? chart.lit : chart.chosen) = i;
        RecordingCanvas canvas;
        draw_paired_bars(canvas, k_look, {0, 0, 420, 260}, chart);
        EXPECT_NE(canvas.find_text(names[static_cast<std::size_t>(i)]), nullptr) << i;
        EXPECT_EQ(canvas.overlapping_texts().value_or(""), "") << i;
    }
}

// The first and the last bar have their names even without room for every name.
TEST(PairedBars, BothEndsHaveTheirName) {
    for (const int n : {9, 24, 49, 96}) {
        const std::vector<double> shares(static_cast<std::size_t>(n), 1.0 / n);
        std::vector<std::string> names;
        for (int i = 0; i < n; ++i) names.push_back(std::to_string(100 + i));
        const PairedBars chart{.first = shares,
                               .second = shares,
                               .names = names,
                               .hi = 0.2,
                               .first_color = k_grey,
                               .second_color = k_blue,
                               .x_title = "path length"};
        RecordingCanvas canvas;
        draw_paired_bars(canvas, k_look, {0, 0, 420, 260}, chart);
        EXPECT_NE(canvas.find_text(names.front()), nullptr) << n;
        EXPECT_NE(canvas.find_text(names.back()), nullptr) << n;
    }
}

TEST(PairedBars, NamesStandEvenlyUpToTheLastWhichIsMovedIntoTheArea) {
    for (const int n : {25, 40, 60}) {
        const std::vector<double> shares(static_cast<std::size_t>(n), 1.0 / n);
        std::vector<std::string> names;
        for (int i = 0; i < n; ++i) names.push_back(std::to_string(100 + i) + "–190");
        const PairedBars chart{.first = shares,
                               .second = shares,
                               .names = names,
                               .hi = 0.2,
                               .first_color = k_grey,
                               .second_color = k_blue,
                               .x_title = {}};
        RecordingCanvas canvas;
        draw_paired_bars(canvas, k_look, {0, 0, 420, 260}, chart);
        std::vector<int> shown;
        for (int i = n - 1; i >= 0; --i)
            if (canvas.find_text(names[static_cast<std::size_t>(i)])) shown.push_back(i);
        ASSERT_GE(shown.size(), 4u) << n;
        EXPECT_EQ(shown[0] - shown[1], shown[1] - shown[2]) << n;
    }
}

// A name may be wider than its bar: the frame would strike through it.
TEST(PairedBars, TheFrameOfTheChosenBarKeepsOffItsName) {
    const std::vector<double> shares(40, 1.0 / 40);
    const std::vector<std::string> names(40, "117–118");
    const PairedBars chart{.first = shares,
                           .second = shares,
                           .names = names,
                           .hi = 0.05,
                           .first_color = k_grey,
                           .second_color = k_blue,
                           .x_title = "path length",
                           .chosen = 17};
    RecordingCanvas canvas;
    const Rect area{0, 0, 420, 260};
    draw_paired_bars(canvas, k_look, area, chart);
    const float names_at = paired_bars_plot(canvas, area, chart).names.y;
    int frames = 0;
    for (const auto& mark : canvas.marks) {
        if (mark.kind != RecordingCanvas::Kind::stroke_rect) continue;
        ++frames;
        EXPECT_LE(mark.bounds.bottom(), names_at + 0.01f);
    }
    EXPECT_EQ(frames, 1);
}

} // namespace
} // namespace normscope
