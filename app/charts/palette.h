#pragma once
#include <array>
#include <cstdint>
#include <string_view>

// Colours, and the one meaning each has everywhere.
namespace normscope {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;

    constexpr Color with_alpha(float alpha) const {
        return {r, g, b, static_cast<std::uint8_t>(static_cast<float>(a) * alpha + 0.5f)};
    }
    bool operator==(const Color&) const = default;
};

// As the pixel of an image: red in the lowest byte.
constexpr std::uint32_t packed(Color c) {
    return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8 |
           static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.a) << 24;
}

Color mix(Color from, Color to, float t);

// WCAG 2 contrast ratio of two opaque colours, 1 to 21.
double contrast_ratio(Color a, Color b);

enum class ThemeKind : std::uint8_t { light, dark, contrast, contrast_light };
inline constexpr std::array k_themes{ThemeKind::light, ThemeKind::dark, ThemeKind::contrast,
                                     ThemeKind::contrast_light};

// The quantities on the way through Add & Norm; each has one colour in every card, curve and
// formula.
enum class Stage : std::uint8_t { x, f, z, x_hat, y, gamma, beta };

struct Theme {
    ThemeKind kind = ThemeKind::light;
    std::string_view id; // "light", "dark", "contrast", "contrast-light"
    Color background;    // behind the panels
    Color panel;
    Color border;
    Color ink;      // text
    Color ink_soft; // secondary text, still ≥ 4.5:1 on panel
    Color rule;     // grid lines, slider tracks
    Color control;  // an idle button
    Color control_hover;
    Color accent; // a chosen segment, the primary button
    Color on_accent;
    Color focus; // keyboard focus ring
    Color error;
    Color nan;                           // a cell that is NaN or ±∞
    Color heat_low, heat_mid, heat_high; // the diverging map's ends and middle
    Color stage[7];                      // lines, fills and heavy marks, by Stage
    Color stage_ink[7];                  // the same as text: ≥ 4.5:1 on panel

    bool dark_ground() const { return kind == ThemeKind::dark || kind == ThemeKind::contrast; }
    Color of(Stage s) const { return stage[static_cast<int>(s)]; }
    Color ink_of(Stage s) const { return stage_ink[static_cast<int>(s)]; }
};

const Theme& theme(ThemeKind kind);

// The diverging map: −limit is heat_low, 0 heat_mid, +limit heat_high, NaN and ±∞ `nan`.
Color heat_color(const Theme& theme, double value, double limit);

// Black or white digits, whichever reads better on `fill`.
Color ink_on(Color fill);

} // namespace normscope
