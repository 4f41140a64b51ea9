#pragma once
// What differs between Dear ImGui 1.86 (Debian 12, Ubuntu 22.04) and current releases (1.92): keys
// and fonts. Everything else is written once, against what both have. Knows no window and no
// OpenGL.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <imgui.h>
#include <span>
#include <vector>

namespace normscope {

// ---- keys
// ----------------------------------------------------------------------------------------

// The keys the program listens to. Letters are what is printed on the key, whatever the layout.
// clang-format off
enum class Key : std::uint8_t {
    tab, left, right, up, down, page_up, page_down, home, end, insert, del, backspace, space, enter,
    escape, keypad_enter, minus, equal, comma, period, slash,
    digit_0, digit_1, digit_2, digit_3, digit_4, digit_5, digit_6, digit_7, digit_8, digit_9,
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,
    f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12
};
// clang-format on

enum class Repeat : bool { off, on };

bool key_down(Key key);
// Went down in this frame; with Repeat::on also when the key repeats while it is held.
bool key_pressed(Key key, Repeat repeat = Repeat::off);

// Presses or releases a key and the modifiers for the next frame, as a window would: for tests.
struct Modifiers {
    bool ctrl = false, shift = false, alt = false;
};
void feed_key(Key key, bool down, Modifiers modifiers = {});

// Tells ImGui which keys move, erase, copy and paste. A window's backend does this by itself; call
// it once after ImGui::CreateContext() where there is no window.
void use_keys_without_window();

// Before 1.87, ImGui samples mouse and keys once a frame, so that a click or a key that comes and
// goes between two frames is lost, and shortcuts follow the US layout.
inline constexpr bool k_samples_input = IMGUI_VERSION_NUM < 18700;

// Sets what was sampled to the given state; does nothing where input comes as events.
void override_mouse(ImVec2 position, std::span<const bool> buttons);

// ---- fonts
// ---------------------------------------------------------------------------------------

// Code points to take from one face in memory.
struct GlyphSource {
    std::span<const std::byte> file; // must outlive the atlas' glyphs
    int face_index = 0;
    float height = 0;            // ascent + descent in pixels
    std::vector<ImWchar> ranges; // pairs first, last, ended by 0; must outlive build_atlas
    std::function<float(ImWchar)> advance; // of a glyph, in pixels
};

// Adds one font whose face is sources[0] and whose other glyphs come from the rest.
ImFont* add_font(ImFontAtlas& atlas, std::span<const GlyphSource> sources);

// Rasterizes all added fonts with FreeType; fonts[i] was made of sources[i]. False if that failed.
bool build_atlas(ImFontAtlas& atlas, std::span<ImFont* const> fonts,
                 std::span<const std::vector<GlyphSource>> sources);

// The height of a line, in pixels.
float font_height(const ImFont* font);

// ImGui::PushFont at the font's own size; ends with ImGui::PopFont.
void push_font(ImFont* font);

// True if the font has a glyph for the code point.
bool has_glyph(const ImFont* font, ImWchar code_point);

} // namespace normscope
