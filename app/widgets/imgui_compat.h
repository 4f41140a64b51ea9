#pragma once
// The differences between Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13) and current releases
// (1.92): keys and fonts. All other code is written once, against the API that they share. Knows no
// window.
#include "app/charts/geometry.h"

#include <cstddef>
#include <functional>
#include <imgui.h>
#include <optional>
#include <span>
#include <vector>

namespace normscope {

// ---- keys and mouse

// Makes ImGui take what is fed in a frame in that frame. Call it once for every context, after the
// window's backend.
void use_fed_input();

// Keys have GLFW's codes here, in every release.
void feed_key(int code, bool down);
void feed_modifiers(bool ctrl, bool shift, bool alt, bool super);

// The mouse for the next frame. Call it between the backend's NewFrame and ImGui::NewFrame().
void feed_mouse(ImVec2 position, std::span<const bool> buttons);

// A button is down as it was fed for the next frame.
bool mouse_button_fed();

bool key_code_pressed(int code, bool repeat);

// The key is taken for one that went down before this frame.
void forget_key_press(int code);

// The text field with this id takes the keyboard when it is drawn in this frame.
void activate_field(ImGuiID id);

// The text field that has the keyboard has nothing to undo: its text was set from outside. Releases
// from 1.91 on keep their steps.
void forget_typing();

// The wheel over the last item belongs to it: the window does not scroll.
void claim_mouse_wheel();

// ---- the clipboard

#if IMGUI_VERSION_NUM < 19110
using ClipboardCaller = void;
#else
using ClipboardCaller = ImGuiContext;
#endif
// Functions that find what they need by clipboard_data(). The text lives until the next call.
struct Clipboard {
    const char* (*get)(ClipboardCaller*);
    void (*set)(ClipboardCaller*, const char* text);
    void* data;
};

// The current context's from now on; returns the one before.
Clipboard use_clipboard(const Clipboard& clipboard);
void* clipboard_data();

// ---- fonts

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

// Rasterizes all added fonts with FreeType; fonts[i] was made of sources[i]. Returns where
// FontSet::corners are, nothing if that failed.
std::optional<Rect> build_atlas(ImFontAtlas& atlas, std::span<ImFont* const> fonts,
                                std::span<const std::vector<GlyphSource>> sources);

// The one texture that all glyphs are in; 0 where ImGui makes textures as glyphs are used.
ImTextureID glyph_texture(const ImFontAtlas& atlas);

// Hands the glyphs of another atlas to OpenGL, in a window whose backend has its device objects.
void replace_glyph_texture();

// True if the font has a glyph for the code point.
bool has_glyph(const ImFont* font, ImWchar code_point);

} // namespace normscope
