#include "app/platform/imgui_compat.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <imgui_freetype.h>
#include <utility>

namespace normscope {
namespace {

constexpr int offset(Key key, Key from) {
    return static_cast<int>(key) - static_cast<int>(from);
}

ImFont* add_source(ImFontAtlas& atlas, const GlyphSource& source, bool merge) {
    ImFontConfig config;
    config.MergeMode = merge;
    config.FontNo = static_cast<decltype(config.FontNo)>(source.face_index);
    config.FontDataOwnedByAtlas = false;
    // ImGui takes a mutable pointer but only reads.
    void* bytes = const_cast<std::byte*>(source.file.data());
    return atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(source.file.size()), source.height,
                                      &config, source.ranges.data());
}

} // namespace

ImFont* add_font(ImFontAtlas& atlas, std::span<const GlyphSource> sources) {
    ImFont* font = nullptr;
    for (const GlyphSource& source : sources) {
        ImFont* added = add_source(atlas, source, font != nullptr);
        if (!font) font = added;
    }
    return font;
}

#if IMGUI_VERSION_NUM < 18700

namespace {

// GLFW's key codes, which is what ImGui's GLFW backend indexes io.KeysDown with: ASCII for what
// prints, from 256 on for the rest.
int native_code(Key key) {
    if (key >= Key::a && key <= Key::z) return 'A' + offset(key, Key::a);
    if (key >= Key::digit_0 && key <= Key::digit_9) return '0' + offset(key, Key::digit_0);
    if (key >= Key::f1) return 290 + offset(key, Key::f1);
    switch (key) {
    case Key::tab:
        return 258;
    case Key::left:
        return 263;
    case Key::right:
        return 262;
    case Key::up:
        return 265;
    case Key::down:
        return 264;
    case Key::page_up:
        return 266;
    case Key::page_down:
        return 267;
    case Key::home:
        return 268;
    case Key::end:
        return 269;
    case Key::insert:
        return 260;
    case Key::del:
        return 261;
    case Key::backspace:
        return 259;
    case Key::space:
        return ' ';
    case Key::enter:
        return 257;
    case Key::escape:
        return 256;
    case Key::keypad_enter:
        return 335;
    case Key::minus:
        return '-';
    case Key::equal:
        return '=';
    case Key::comma:
        return ',';
    case Key::period:
        return '.';
    case Key::slash:
        return '/';
    default:
        break;
    }
    return 0;
}

} // namespace

bool key_down(Key key) {
    return ImGui::IsKeyDown(native_code(key));
}

bool key_pressed(Key key, Repeat repeat) {
    return ImGui::IsKeyPressed(native_code(key), repeat == Repeat::on);
}

void feed_key(Key key, bool down, Modifiers modifiers) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeysDown[native_code(key)] = down;
    io.KeyCtrl = modifiers.ctrl;
    io.KeyShift = modifiers.shift;
    io.KeyAlt = modifiers.alt;
}

void use_keys_without_window() {
    constexpr std::pair<ImGuiKey_, Key> map[] = {
        {ImGuiKey_Tab, Key::tab},
        {ImGuiKey_LeftArrow, Key::left},
        {ImGuiKey_RightArrow, Key::right},
        {ImGuiKey_UpArrow, Key::up},
        {ImGuiKey_DownArrow, Key::down},
        {ImGuiKey_PageUp, Key::page_up},
        {ImGuiKey_PageDown, Key::page_down},
        {ImGuiKey_Home, Key::home},
        {ImGuiKey_End, Key::end},
        {ImGuiKey_Insert, Key::insert},
        {ImGuiKey_Delete, Key::del},
        {ImGuiKey_Backspace, Key::backspace},
        {ImGuiKey_Space, Key::space},
        {ImGuiKey_Enter, Key::enter},
        {ImGuiKey_Escape, Key::escape},
        {ImGuiKey_KeyPadEnter, Key::keypad_enter},
        {ImGuiKey_A, Key::a},
        {ImGuiKey_C, Key::c},
        {ImGuiKey_V, Key::v},
        {ImGuiKey_X, Key::x},
        {ImGuiKey_Y, Key::y},
        {ImGuiKey_Z, Key::z},
    };
    for (const auto& [imgui_key, key] : map) ImGui::GetIO().KeyMap[imgui_key] = native_code(key);
}

void override_mouse(ImVec2 position, std::span<const bool> buttons) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = position;
    std::copy_n(buttons.begin(), std::min(buttons.size(), std::size(io.MouseDown)), io.MouseDown);
}

#else

namespace {

ImGuiKey native_key(Key key) {
    if (key >= Key::f1) return static_cast<ImGuiKey>(ImGuiKey_F1 + offset(key, Key::f1));
    if (key >= Key::a) return static_cast<ImGuiKey>(ImGuiKey_A + offset(key, Key::a));
    if (key >= Key::digit_0) return static_cast<ImGuiKey>(ImGuiKey_0 + offset(key, Key::digit_0));
    constexpr ImGuiKey others[] = {
        ImGuiKey_Tab,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
        ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,   ImGuiKey_Home,
        ImGuiKey_End,       ImGuiKey_Insert,    ImGuiKey_Delete,     ImGuiKey_Backspace,
        ImGuiKey_Space,     ImGuiKey_Enter,     ImGuiKey_Escape,     ImGuiKey_KeypadEnter,
        ImGuiKey_Minus,     ImGuiKey_Equal,     ImGuiKey_Comma,      ImGuiKey_Period,
        ImGuiKey_Slash,
    };
    return others[static_cast<int>(key)];
}

} // namespace

bool key_down(Key key) {
    return ImGui::IsKeyDown(native_key(key));
}

bool key_pressed(Key key, Repeat repeat) {
    return ImGui::IsKeyPressed(native_key(key), repeat == Repeat::on);
}

void feed_key(Key key, bool down, Modifiers modifiers) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, modifiers.ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, modifiers.shift);
    io.AddKeyEvent(ImGuiMod_Alt, modifiers.alt);
    io.AddKeyEvent(native_key(key), down);
}

void use_keys_without_window() {}

void override_mouse(ImVec2, std::span<const bool>) {}

#endif

#if IMGUI_VERSION_NUM < 19200

// The rasterizer rounds every advance up, which spaces text loosely (a digit of 7.2 pixels takes
// 8). Nearest instead: whole pixels, so that glyphs stay sharp, and right on average.
static void round_advances(ImFont& font, std::span<const GlyphSource> sources) {
    const auto supplies = [](const GlyphSource& source, ImWchar c) {
        for (std::size_t i = 0; i + 1 < source.ranges.size(); i += 2)
            if (c >= source.ranges[i] && c <= source.ranges[i + 1]) return true;
        return false;
    };
    for (ImFontGlyph& glyph : font.Glyphs) {
        const auto c = static_cast<ImWchar>(glyph.Codepoint);
        const auto source = std::find_if(sources.begin(), sources.end(),
                                         [&](const GlyphSource& s) { return supplies(s, c); });
        if (source != sources.end() && glyph.AdvanceX > 0)
            glyph.AdvanceX = std::max(1.0f, std::round(source->advance(c)));
    }
    font.BuildLookupTable();
}

bool build_atlas(ImFontAtlas& atlas, std::span<ImFont* const> fonts,
                 std::span<const std::vector<GlyphSource>> sources) {
    assert(fonts.size() == sources.size());
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (!atlas.Build()) return false;
    for (std::size_t i = 0; i < fonts.size(); ++i) round_advances(*fonts[i], sources[i]);
    atlas.ClearInputData(); // ImGui's own copies of the files
    return true;
}

float font_height(const ImFont* font) {
    return font->FontSize;
}

void push_font(ImFont* font) {
    ImGui::PushFont(font);
}

bool has_glyph(const ImFont* font, ImWchar code_point) {
    return font->FindGlyphNoFallback(code_point) != nullptr;
}

#else

// From 1.92 on glyphs are rasterized when they are first used, from the faces that were added.
bool build_atlas(ImFontAtlas& atlas, std::span<ImFont* const>,
                 std::span<const std::vector<GlyphSource>>) {
    atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
    atlas.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    return true;
}

float font_height(const ImFont* font) {
    return font->LegacySize;
}

void push_font(ImFont* font) {
    ImGui::PushFont(font, font->LegacySize);
}

bool has_glyph(const ImFont* font, ImWchar code_point) {
    return const_cast<ImFont*>(font)->IsGlyphInFont(code_point);
}

#endif

} // namespace normscope
