#include "app/charts/bars.h"
#include "app/charts/palette.h"
#include "tests/app/charts/recording_canvas.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace normscope {
namespace {

std::ptrdiff_t tips(std::span<const double> values, Extent range) {
    RecordingCanvas canvas;
    draw_signed_bars(canvas, theme(ThemeKind::light), {0, 0, 200, 100},
                     {.values = values, .range = range});
    return std::ranges::count(canvas.marks, RecordingCanvas::Kind::triangle,
                              &RecordingCanvas::Mark::kind);
}

TEST(SignedBars, OnlyABarThatIsCutEndsInAnArrow) {
    EXPECT_EQ(tips(std::array{0.5, -0.5, 0.0}, {-0.5, 0.5}), 0);
    EXPECT_EQ(tips(std::array{0.6, -0.5, -2.0}, {-0.5, 0.5}), 2);
    EXPECT_EQ(tips(std::array{0.5 + 1e-16, -0.5 - 1e-15}, {-0.5, 0.5}), 0) << "by rounding";
    EXPECT_EQ(tips(std::array{0.3, -1e-17}, {0, 0.5}), 0) << "a zero beside them";
}

TEST(SignedBars, ManyValuesOfOnePlaceShowBothSidesOfZero) {
    std::vector<double> values(4000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0.9 : -0.4;
    RecordingCanvas canvas;
    draw_signed_bars(canvas, theme(ThemeKind::light), {0, 0, 200, 100},
                     {.values = values, .range = {-1, 1}});
    const auto reaching = [&](float y) {
        return std::ranges::count_if(canvas.marks, [&](const RecordingCanvas::Mark& m) {
            return m.bounds.y <= y && m.bounds.bottom() >= y && m.bounds.w < 10;
        });
    };
    EXPECT_GE(reaching(10), 50);
    EXPECT_GE(reaching(65), 50);
    EXPECT_EQ(reaching(80), 0);
}

} // namespace
} // namespace normscope
