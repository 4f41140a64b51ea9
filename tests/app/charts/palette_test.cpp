#include "app/charts/palette.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace normscope {
namespace {

// The contrast that a text needs on its ground.
double needed_contrast(ThemeKind kind) {
    return kind == ThemeKind::contrast || kind == ThemeKind::contrast_light ? 7.0 : 4.5;
}

TEST(Palette, ContrastRatioMatchesWcag) {
    EXPECT_NEAR(contrast_ratio({0, 0, 0}, {255, 255, 255}), 21.0, 1e-9);
    EXPECT_NEAR(contrast_ratio({119, 119, 119}, {255, 255, 255}), 4.478, 1e-3);
    EXPECT_DOUBLE_EQ(contrast_ratio({10, 20, 30}, {10, 20, 30}), 1.0);
}

TEST(Palette, EveryTextReadsOnItsGround) {
    for (const ThemeKind kind : k_themes) {
        SCOPED_TRACE(std::string(theme(kind).id));
        const Theme& t = theme(kind);
        EXPECT_EQ(t.kind, kind);
        const double needed = needed_contrast(kind);
        for (const Color ground : {t.panel, t.background, t.control, t.control_hover}) {
            EXPECT_GE(contrast_ratio(t.ink, ground), needed);
            EXPECT_GE(contrast_ratio(t.ink_soft, ground), needed);
            EXPECT_GE(contrast_ratio(t.error, ground), needed);
        }
        EXPECT_GE(contrast_ratio(t.on_accent, t.accent), needed);
        for (const Color ink : t.stage_ink) {
            EXPECT_GE(contrast_ratio(ink, t.panel), needed);
            EXPECT_GE(contrast_ratio(ink, t.background), needed);
        }
        // Marks that are not text: WCAG asks 3:1.
        for (const Color mark : t.stage) EXPECT_GE(contrast_ratio(mark, t.panel), 3.0);
        EXPECT_GE(contrast_ratio(t.focus, t.panel), 3.0);
    }
}

// ΔE of CIE 1976 from sRGB, D65.
double difference(Color a, Color b) {
    const auto lab = [](Color c) {
        const auto linear = [](std::uint8_t v) {
            const double s = v / 255.0;
            return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
        };
        const double red = linear(c.r), green = linear(c.g), blue = linear(c.b);
        const auto f = [](double t) {
            return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
        };
        const double x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
        const double y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
        const double z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto p = lab(a), q = lab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

TEST(Palette, StagesAreToldApart) {
    for (const ThemeKind kind : k_themes) {
        const Theme& t = theme(kind);
        for (int i = 0; i < 7; ++i)
            for (int j = 0; j < i; ++j)
                EXPECT_GE(difference(t.stage[i], t.stage[j]), 15)
                    << theme(kind).id << ": " << i << " and " << j;
    }
}

TEST(Palette, LightStagesAreTheOnesInTheDesign) {
    const Theme& t = theme(ThemeKind::light);
    EXPECT_EQ(t.of(Stage::x), (Color{0x00, 0x72, 0xB2}));
    EXPECT_EQ(t.of(Stage::f), (Color{0xC7, 0x77, 0x00}));
    EXPECT_EQ(t.of(Stage::z), (Color{0x4D, 0x4D, 0x4D}));
    EXPECT_EQ(t.of(Stage::x_hat), (Color{0xA8, 0x57, 0x8A}));
    EXPECT_EQ(t.of(Stage::y), (Color{0x00, 0x80, 0x5E}));
    EXPECT_EQ(t.of(Stage::gamma), (Color{0xD5, 0x5E, 0x00}));
    EXPECT_EQ(t.of(Stage::beta), (Color{0x7A, 0x51, 0x95}));
}

TEST(Palette, HeatRunsFromBlueThroughNeutralToRust) {
    const Theme& t = theme(ThemeKind::light);
    EXPECT_EQ(heat_color(t, -2, 2), (Color{33, 102, 172}));
    EXPECT_EQ(heat_color(t, 2, 2), (Color{200, 84, 40}));
    EXPECT_EQ(heat_color(t, 0, 2), t.heat_mid);
    EXPECT_EQ(heat_color(t, -9, 2), t.heat_low) << "beyond the limit stays at the end";
    EXPECT_EQ(heat_color(t, 5, 0), t.heat_mid) << "no range, no colour";
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(heat_color(t, std::numeric_limits<double>::quiet_NaN(), 2), t.nan);
    EXPECT_EQ(heat_color(t, inf, 2), t.nan);
    EXPECT_EQ(heat_color(t, -inf, 2), t.nan);

    const Color dark_middle = theme(ThemeKind::dark).heat_mid;
    EXPECT_LT(contrast_ratio(dark_middle, {0, 0, 0}), 2.0) << "dark";
    EXPECT_LE(std::abs(dark_middle.r - dark_middle.b), 16) << "neutral";
}

TEST(Palette, DigitsReadOnEveryHeatColour) {
    for (const ThemeKind kind : k_themes) {
        SCOPED_TRACE(std::string(theme(kind).id));
        const Theme& t = theme(kind);
        const double needed = needed_contrast(kind);
        for (int i = -1000; i <= 1000; ++i) {
            const Color fill = heat_color(t, i / 1000.0, 1.0);
            ASSERT_GE(contrast_ratio(ink_on(fill), fill), needed) << i;
        }
        EXPECT_GE(contrast_ratio(ink_on(t.nan), t.nan), needed);
    }
}

TEST(Palette, MixKeepsItsEndsAndClamps) {
    const Color a{10, 20, 30, 40}, b{200, 100, 0, 255};
    EXPECT_EQ(mix(a, b, 0), a);
    EXPECT_EQ(mix(a, b, 1), b);
    EXPECT_EQ(mix(a, b, -3), a);
    EXPECT_EQ(mix(a, b, 7), b);
}

} // namespace
} // namespace normscope
