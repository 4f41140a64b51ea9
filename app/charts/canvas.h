#pragma once
#include "app/charts/geometry.h"
#include "app/charts/palette.h"
#include "app/language/language.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// The type scale: every text on the screen has one of these roles, and each role is one face at one
// size, so that a font atlas holds exactly what is used.
enum class TextRole : std::uint8_t {
    brand,
    title,
    label,
    name_large,
    small,
    number_huge,
    number_large,
    number,
    number_small,
    number_narrow,
    formula,
    bar
};

struct TextRoleSpec {
    bool mono;
    int weight;          // 400 regular, 500 medium, 600 semi-bold
    float size;          // height of a line
    bool digits = false; // nothing but numbers is written in it
    float least = 0;     // a line is no lower at UI scale 1 and above
};

inline constexpr TextRoleSpec k_text_role_specs[] = {
    {false, 600, 20.0f},                 // brand: the program's name
    {false, 600, 17.0f},                 // title: a card's or panel's heading
    {false, 400, 17.0f},                 // label: menus, buttons, names
    {false, 400, 20.0f},                 // name_large: names beside large cells
    {false, 400, 15.0f},                 // small: hints, axis labels, captions
    {false, 400, 28.0f, true},           // number_huge: digits in the largest cells
    {true, 400, 22.0f, true},            // number_large: digits in large cells
    {true, 400, 15.5f},                  // number: digits to be read first
    {true, 400, 13.5f},                  // number_small: digits in narrow cells
    {false, 400, 11.25f, false, 13.35f}, // number_narrow: where the monospaced face is too wide
    {true, 400, 15.5f},                  // formula: worked arithmetic
    {false, 400, 15.0f}};                // bar: the presenter's, at a scale of its own

inline constexpr std::size_t k_text_roles = std::size(k_text_role_specs);
static_assert(k_text_roles == static_cast<std::size_t>(TextRole::bar) + 1);

constexpr TextRoleSpec text_role_spec(TextRole role) {
    return k_text_role_specs[static_cast<std::size_t>(role)];
}

// The height of a line in pixels.
constexpr float line_height_of(TextRole role, float ui_scale) {
    const TextRoleSpec spec = text_role_spec(role);
    return std::max(spec.size * ui_scale, spec.least * std::min(ui_scale, 1.0f));
}

// A picture of w×h pixels, RGBA with red in the lowest byte. `key` names the content: as long as it
// stays the same, a surface may reuse what it uploaded before. A smooth one is drawn with its
// neighbouring pixels blended, any other with each pixel as it is.
struct Pixels {
    std::uint64_t key = 0;
    int w = 0, h = 0;
    std::span<const std::uint32_t> rgba;
    bool smooth = false;
};

enum class Dash : std::uint8_t { solid, dashed, dotted };

// Lengths of stroke and gap; solid has no gap.
struct DashPattern {
    float on = 0, off = 0;
};
DashPattern dash_pattern(Dash dash);

enum class Align : std::uint8_t { left, center, right };

// A rounding that leaves nothing straight of the shorter sides.
inline constexpr float k_fully_round = 1e4f;

// The surface that charts draw on: ImGui's draw list (the screen), Cairo (PNG, SVG, PDF) or, in
// builds without Cairo, an SVG writer, so that what is exported is what was seen. All lengths and
// places are those at scale 1; a surface has `scale()` pixels to each, the UI scale.
class Canvas {
  public:
    virtual ~Canvas() = default;

    virtual float scale() const = 0;
    Point pixels(Point p) const { return p.times(scale()); }
    Rect pixels(Rect r) const { return r.times(scale()); }
    Rect from_pixels(Rect r) const { return r.times(1 / scale()); }
    // The nearest place between two pixels.
    float whole(float at) const { return std::round(at * scale()) / scale(); }

    // Whether `r` has room, and anything of what is drawn in it, or stands out of it by less than a
    // line of text, comes to the surface: what nobody sees need not be laid out.
    virtual bool sees(Rect r) const;

    virtual void fill_rect(Rect r, Color color, float rounding = 0) = 0;
    // The stroke lies inside `r`.
    virtual void stroke_rect(Rect r, Color color, float width = 1, float rounding = 0) = 0;
    virtual void line(Point a, Point b, Color color, float width = 1, Dash dash = Dash::solid) = 0;
    virtual void polyline(std::span<const Point> points, Color color, float width = 1,
                          Dash dash = Dash::solid) = 0;
    // The area between a curve and another one (or a base line) at the same x positions.
    virtual void fill_between(std::span<const Point> upper, std::span<const Point> lower,
                              Color color) = 0;
    virtual void fill_circle(Point center, float radius, Color color) = 0;
    virtual void stroke_circle(Point center, float radius, Color color, float width = 1) = 0;
    virtual void fill_triangle(Point a, Point b, Point c, Color color) = 0;
    virtual void image(Rect r, const Pixels& pixels) = 0;

    // Intersected with the clip that is in force.
    virtual void push_clip(Rect r) = 0;
    virtual void pop_clip() = 0;

    // One line of UTF-8 text; `at` is its top at the left, centre or right. x followed by U+0302 is
    // drawn as x with a hat of its own, because neither surface shapes combining marks. Control
    // characters, as names may hold them, are drawn as printable() writes them.
    void text(Point at, Text text, TextRole role, Color color, Align align = Align::left);
    Size text_size(Text text, TextRole role) const;

    // A line over the whole width or height of `r`.
    void across(Rect r, float y, Color color, float width = 1, Dash dash = Dash::solid) {
        line({r.x, y}, {r.right(), y}, color, width, dash);
    }
    void down(Rect r, float x, Color color, float width = 1, Dash dash = Dash::solid) {
        line({x, r.y}, {x, r.bottom()}, color, width, dash);
    }

    // Text centred in a rectangle in both directions.
    void text_in(Rect r, Text text, TextRole role, Color color, Align align = Align::center);

    // `text`, or its beginning and "…" so that it is at most `width` wide.
    std::string elide(Text text, TextRole role, float width) const;

    float line_height(TextRole role) const;

    // No text with its middle in one of these is drawn: a file would still say what is covered.
    std::vector<Rect> untold;

  protected:
    // As text(), of a run that holds no combining mark; left aligned.
    virtual void draw_run(Point at, std::string_view run, TextRole role, Color color) = 0;
    virtual float run_width(std::string_view run, TextRole role) const = 0;
    virtual float ascent_to_x_height(TextRole role) const = 0; // top of line → top of a small x
};

} // namespace normscope
