#include "app/charts/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {
namespace {

constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>((hex >> 8) & 0xFF),
            static_cast<std::uint8_t>(hex & 0xFF), 255};
}

// Stage order everywhere: X, F(X), Z, x̂, Y, γ, β.
constexpr Theme k_light{
    .kind = ThemeKind::light,
    .id = "light",
    .background = rgb(0xF2F4F6),
    .panel = rgb(0xFFFFFF),
    .border = rgb(0xE3E6EA),
    .ink = rgb(0x1D2329),
    .ink_soft = rgb(0x5B6470),
    .rule = rgb(0xD8DCE2),
    .control = rgb(0xFFFFFF),
    .control_hover = rgb(0xEDF0F3),
    .accent = rgb(0x1D2329),
    .on_accent = rgb(0xFFFFFF),
    .focus = rgb(0x0072B2),
    .error = rgb(0xB3261E),
    .nan = rgb(0xF2C94C),
    .heat_low = rgb(0x2166AC),
    .heat_mid = rgb(0xF7F6F5),
    .heat_high = rgb(0xC85428),
    .stage = {rgb(0x0072B2), rgb(0xC77700), rgb(0x4D4D4D), rgb(0xA8578A), rgb(0x00805E),
              rgb(0xD55E00), rgb(0x7A5195)},
    .stage_ink = {rgb(0x006AA6), rgb(0x995B00), rgb(0x404040), rgb(0xA04F82), rgb(0x007555),
                  rgb(0xB34F00), rgb(0x7A5195)},
};

// The same hues, lighter, so that each keeps its name on a dark ground.
constexpr Theme k_dark{
    .kind = ThemeKind::dark,
    .id = "dark",
    .background = rgb(0x14181C),
    .panel = rgb(0x1E2328),
    .border = rgb(0x343B43),
    .ink = rgb(0xE8EBEE),
    .ink_soft = rgb(0xA7B0BA),
    .rule = rgb(0x3A424B),
    .control = rgb(0x272D34),
    .control_hover = rgb(0x343C45),
    .accent = rgb(0xE8EBEE),
    .on_accent = rgb(0x14181C),
    .focus = rgb(0x56B4E9),
    .error = rgb(0xFF8A80),
    .nan = rgb(0xE0B83A),
    .heat_low = rgb(0x2166AC),
    .heat_mid = rgb(0x2C3137),
    .heat_high = rgb(0xC85428),
    .stage = {rgb(0x4BA9E2), rgb(0xE69F2E), rgb(0xB5BBC2), rgb(0xD68BBB), rgb(0x3DB892),
              rgb(0xF0843A), rgb(0xB08ED0)},
    .stage_ink = {rgb(0x62B5E8), rgb(0xE9AA45), rgb(0xC3C8CE), rgb(0xDE9CC6), rgb(0x4FC49F),
                  rgb(0xF3935A), rgb(0xBC9DD9)},
};

// Text at 7:1 and more, digits on every cell included: the map stays lighter than the luminance at
// which black on it falls below 7:1.
constexpr Theme k_contrast{
    .kind = ThemeKind::contrast,
    .id = "contrast",
    .background = rgb(0x000000),
    .panel = rgb(0x000000),
    .border = rgb(0x9AA3AD),
    .ink = rgb(0xFFFFFF),
    .ink_soft = rgb(0xD5DADF),
    .rule = rgb(0x6B747E),
    .control = rgb(0x000000),
    .control_hover = rgb(0x2B3036),
    .accent = rgb(0xFFFFFF),
    .on_accent = rgb(0x000000),
    .focus = rgb(0xFFE14D),
    .error = rgb(0xFFB3AB),
    .nan = rgb(0xFFE14D),
    .heat_low = rgb(0x6FB1F5),
    .heat_mid = rgb(0xFFFFFF),
    .heat_high = rgb(0xF58F5C),
    .stage = {rgb(0x5CBBFF), rgb(0xFFB640), rgb(0xD9D9D9), rgb(0xF5A0D3), rgb(0x35E0AC),
              rgb(0xFF8F52), rgb(0xCBA9F2)},
    .stage_ink = {rgb(0x5CBBFF), rgb(0xFFB640), rgb(0xD9D9D9), rgb(0xF5A0D3), rgb(0x35E0AC),
                  rgb(0xFF8F52), rgb(0xCBA9F2)},
};

// The same on white. Cells stay light enough for black digits.
constexpr Theme k_contrast_light{
    .kind = ThemeKind::contrast_light,
    .id = "contrast-light",
    .background = rgb(0xFFFFFF),
    .panel = rgb(0xFFFFFF),
    .border = rgb(0x4A5058),
    .ink = rgb(0x000000),
    .ink_soft = rgb(0x2E343A),
    .rule = rgb(0x7A828B),
    .control = rgb(0xFFFFFF),
    .control_hover = rgb(0xE4E8EC),
    .accent = rgb(0x000000),
    .on_accent = rgb(0xFFFFFF),
    .focus = rgb(0x0036C2),
    .error = rgb(0x900000),
    .nan = rgb(0xFFD000),
    .heat_low = rgb(0x5FA4F0),
    .heat_mid = rgb(0xFFFFFF),
    .heat_high = rgb(0xF07F45),
    .stage = {rgb(0x004C8A), rgb(0x7A4300), rgb(0x333333), rgb(0x8E1F6A), rgb(0x005A3C),
              rgb(0xA02800), rgb(0x54258A)},
    .stage_ink = {rgb(0x004C8A), rgb(0x7A4300), rgb(0x333333), rgb(0x8E1F6A), rgb(0x005A3C),
                  rgb(0xA02800), rgb(0x54258A)},
};

// sRGB channels as light. A table: every cell that shows digits asks.
const std::array<double, 256> k_linear_channel = [] {
    std::array<double, 256> light{};
    for (std::size_t c = 0; c < light.size(); ++c) {
        const double s = static_cast<double>(c) / 255;
        light[c] = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    }
    return light;
}();

double luminance(Color c) {
    return 0.2126 * k_linear_channel[c.r] + 0.7152 * k_linear_channel[c.g] +
           0.0722 * k_linear_channel[c.b];
}

std::uint8_t mix_channel(std::uint8_t from, std::uint8_t to, float t) {
    const float a = from, b = to;
    return static_cast<std::uint8_t>(a + (b - a) * t + 0.5f);
}

} // namespace

Color mix(Color from, Color to, float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    return {mix_channel(from.r, to.r, t), mix_channel(from.g, to.g, t),
            mix_channel(from.b, to.b, t), mix_channel(from.a, to.a, t)};
}

double contrast_ratio(Color a, Color b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

const Theme& theme(ThemeKind kind) {
    static constexpr std::array k_by_kind{&k_light, &k_dark, &k_contrast, &k_contrast_light};
    return *k_by_kind[static_cast<std::size_t>(kind)];
}

Color heat_color(const Theme& theme, double value, double limit) {
    if (!std::isfinite(value)) return theme.nan;
    if (!(limit > 0)) return theme.heat_mid;
    const auto t = static_cast<float>(std::min(std::abs(value) / limit, 1.0));
    return mix(theme.heat_mid, value < 0 ? theme.heat_low : theme.heat_high, t);
}

// Black above the luminance where both read equally well (4.58:1), √(1.05·0.05) − 0.05. The
// comparison is of luminances, because this runs for every cell that shows digits.
Color ink_on(Color fill) {
    constexpr double k_equal = 0.179129;
    return luminance(fill) > k_equal ? rgb(0x000000) : rgb(0xFFFFFF);
}

} // namespace normscope
