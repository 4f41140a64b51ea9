#include "app/charts/palette.h"

#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace normscope {
namespace {

constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>((hex >> 8) & 0xFF),
            static_cast<std::uint8_t>(hex & 0xFF), 255};
}

// A colour for each theme, in the order of ThemeKind: light; dark, with the same hues, lighter, so
// that each keeps its name on a dark ground; contrast, with text at 7:1 and more, digits on every
// cell included, so that the map stays lighter than the luminance at which black on it falls below
// 7:1; contrast on white.
using ByTheme = std::array<std::uint32_t, 4>;
constexpr std::pair<ThemeKind, std::string_view> k_ids[] = {
    {ThemeKind::light, "light"},
    {ThemeKind::dark, "dark"},
    {ThemeKind::contrast, "contrast"},
    {ThemeKind::contrast_light, "contrast-light"}};
constexpr std::pair<Color Theme::*, ByTheme> k_roles[] = {
    {&Theme::background, {0xF2F4F6, 0x14181C, 0x000000, 0xFFFFFF}},
    {&Theme::panel, {0xFFFFFF, 0x1E2328, 0x000000, 0xFFFFFF}},
    {&Theme::border, {0xE3E6EA, 0x343B43, 0x9AA3AD, 0x4A5058}},
    {&Theme::ink, {0x1D2329, 0xE8EBEE, 0xFFFFFF, 0x000000}},
    {&Theme::ink_soft, {0x5B6470, 0xA7B0BA, 0xD5DADF, 0x2E343A}},
    {&Theme::rule, {0xD8DCE2, 0x3A424B, 0x6B747E, 0x7A828B}},
    {&Theme::control, {0xFFFFFF, 0x272D34, 0x000000, 0xFFFFFF}},
    {&Theme::control_hover, {0xEDF0F3, 0x343C45, 0x2B3036, 0xE4E8EC}},
    {&Theme::accent, {0x1D2329, 0xE8EBEE, 0xFFFFFF, 0x000000}},
    {&Theme::on_accent, {0xFFFFFF, 0x14181C, 0x000000, 0xFFFFFF}},
    {&Theme::focus, {0x0072B2, 0x56B4E9, 0xFFE14D, 0x0036C2}},
    {&Theme::error, {0xB3261E, 0xFF8A80, 0xFFB3AB, 0x900000}},
    {&Theme::nan, {0xF2C94C, 0xE0B83A, 0xFFE14D, 0xFFD000}},
    {&Theme::heat_low, {0x2166AC, 0x2166AC, 0x6FB1F5, 0x5FA4F0}},
    {&Theme::heat_mid, {0xF7F6F5, 0x2C3137, 0xFFFFFF, 0xFFFFFF}},
    {&Theme::heat_high, {0xC85428, 0xC85428, 0xF58F5C, 0xF07F45}}};
constexpr ByTheme k_stages[] = {               // lines and fills, by Stage
    {0x0072B2, 0x4BA9E2, 0x5CBBFF, 0x004C8A},  // X
    {0xC77700, 0xE69F2E, 0xFFB640, 0x7A4300},  // F(X)
    {0x4D4D4D, 0xB5BBC2, 0xD9D9D9, 0x333333},  // Z
    {0xA8578A, 0xD68BBB, 0xF5A0D3, 0x8E1F6A},  // x̂
    {0x00805E, 0x3DB892, 0x35E0AC, 0x005A3C},  // Y
    {0xD55E00, 0xF0843A, 0xFF8F52, 0xA02800},  // γ
    {0x7A5195, 0xB08ED0, 0xCBA9F2, 0x54258A}}; // β
constexpr ByTheme k_stage_inks[] = {           // text
    {0x006AA6, 0x62B5E8, 0x5CBBFF, 0x004C8A},  // X
    {0x995B00, 0xE9AA45, 0xFFB640, 0x7A4300},  // F(X)
    {0x404040, 0xC3C8CE, 0xD9D9D9, 0x333333},  // Z
    {0xA04F82, 0xDE9CC6, 0xF5A0D3, 0x8E1F6A},  // x̂
    {0x007555, 0x4FC49F, 0x35E0AC, 0x005A3C},  // Y
    {0xB34F00, 0xF3935A, 0xFF8F52, 0xA02800},  // γ
    {0x7A5195, 0xBC9DD9, 0xCBA9F2, 0x54258A}}; // β

constexpr std::array<Theme, 4> k_by_kind = [] {
    std::array<Theme, 4> themes;
    for (const auto i : indices(themes)) {
        Theme& theme = themes[i];
        theme.kind = k_themes[i];
        theme.id = k_ids[i].second;
        for (const auto& [role, colors] : k_roles) theme.*role = rgb(colors[i]);
        for (std::size_t stage = 0; stage < std::size(k_stages); ++stage) {
            theme.stage[stage] = rgb(k_stages[stage][i]);
            theme.stage_ink[stage] = rgb(k_stage_inks[stage][i]);
        }
    }
    return themes;
}();

// An sRGB channel as light.
double light(std::uint8_t channel) {
    const double s = channel / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
    return 0.2126 * light(c.r) + 0.7152 * light(c.g) + 0.0722 * light(c.b);
}

} // namespace

Color mix(Color from, Color to, float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    const auto between = [t](float a, float b) {
        return static_cast<std::uint8_t>(a + (b - a) * t + 0.5f);
    };
    return {between(from.r, to.r), between(from.g, to.g), between(from.b, to.b),
            between(from.a, to.a)};
}

double contrast_ratio(Color a, Color b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

const Theme& theme(ThemeKind kind) {
    return entry_at(k_by_kind, kind);
}

Color heat_color(const Theme& theme, double value, double limit) {
    if (!std::isfinite(value)) return theme.nan;
    if (!(limit > 0)) return theme.heat_mid;
    const auto t = static_cast<float>(std::min(std::abs(value) / limit, 1.0));
    return mix(theme.heat_mid, value < 0 ? theme.heat_low : theme.heat_high, t);
}

// Black above the luminance where both read equally well (4.58:1), √(1.05·0.05) − 0.05.
Color ink_on(Color fill) {
    constexpr double k_equal = 0.179129;
    return luminance(fill) > k_equal ? rgb(0x000000) : rgb(0xFFFFFF);
}

} // namespace normscope
