#include "app/widgets/imgui_compat.h"

#include "app/widgets/fonts.h"
#include "core/base/lists.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cassert>
#include <cmath>
#include <imgui_freetype.h>
#include <imgui_internal.h>
#include <iterator>
#include <utility>

namespace normscope {
namespace {

constexpr float k_held = 1e-6f; // seconds a key is down: 0 is one that went down in this frame

// The keys that something is done with, by GLFW's codes.
constexpr std::pair<int, ImGuiKey> k_keys[] = {
    {' ', ImGuiKey_Space},       {256, ImGuiKey_Escape},     {257, ImGuiKey_Enter},
    {258, ImGuiKey_Tab},         {259, ImGuiKey_Backspace},  {260, ImGuiKey_Insert},
    {261, ImGuiKey_Delete},      {262, ImGuiKey_RightArrow}, {263, ImGuiKey_LeftArrow},
    {264, ImGuiKey_DownArrow},   {265, ImGuiKey_UpArrow},    {266, ImGuiKey_PageUp},
    {267, ImGuiKey_PageDown},    {268, ImGuiKey_Home},       {269, ImGuiKey_End},
#if IMGUI_VERSION_NUM < 18700
    {335, ImGuiKey_KeyPadEnter}, {'A', ImGuiKey_A},          {'C', ImGuiKey_C},
    {'V', ImGuiKey_V},           {'X', ImGuiKey_X},          {'Y', ImGuiKey_Y},
    {'Z', ImGuiKey_Z},
#else
    {'-', ImGuiKey_Minus},     {'.', ImGuiKey_Period},     {'=', ImGuiKey_Equal},
    {290, ImGuiKey_F1},        {291, ImGuiKey_F2},         {294, ImGuiKey_F5},
    {299, ImGuiKey_F10},       {334, ImGuiKey_KeypadAdd},  {335, ImGuiKey_KeypadEnter},
    {348, ImGuiKey_Menu},
#endif
};

} // namespace

ImFont* add_font(ImFontAtlas& atlas, std::span<const GlyphSource> sources) {
    ImFont* font = nullptr;
    for (const GlyphSource& source : sources) {
        ImFontConfig config;
        config.MergeMode = font != nullptr;
        config.FontNo = static_cast<decltype(config.FontNo)>(source.face_index);
        config.FontDataOwnedByAtlas = IMGUI_VERSION_NUM < 19200; // else older ones copy the file
        // ImGui takes a mutable pointer but only reads.
        void* bytes = const_cast<std::byte*>(source.file.data());
        ImFont* added = atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(source.file.size()),
                                                   source.height, &config, source.ranges.data());
#if IMGUI_VERSION_NUM < 19200
        if (added) atlas.ConfigData.back().FontDataOwnedByAtlas = false; // it frees what it owns
#endif
        if (!font) font = added;
    }
    return font;
}

#if IMGUI_VERSION_NUM < 18700

void use_fed_input() {
    for (const auto& [code, key] : k_keys) ImGui::GetIO().KeyMap[key] = code;
}

void feed_key(int code, bool down) {
    auto& keys = ImGui::GetIO().KeysDown;
    if (code >= 0 && code < static_cast<int>(std::size(keys))) keys[code] = down;
}

void feed_modifiers(bool ctrl, bool shift, bool alt, bool super) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
    io.KeySuper = super;
}

void feed_mouse(ImVec2 position, std::span<const bool> buttons) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = position;
    std::copy_n(buttons.begin(), std::min(buttons.size(), std::size(io.MouseDown)), io.MouseDown);
}

bool mouse_button_fed() {
    return std::ranges::count(ImGui::GetIO().MouseDown, true) > 0;
}

bool key_code_pressed(int code, bool repeat) {
    return ImGui::IsKeyPressed(code, repeat);
}

void forget_key_press(int code) {
    ImGui::GetIO().KeysDownDuration[code] = k_held;
}

#else

namespace {

// ImGuiKey_None for a key that nothing is done with.
ImGuiKey named_key(int code) {
    if (code >= 'A' && code <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (code - 'A'));
    if (code >= '0' && code <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (code - '0'));
    const auto* known = std::ranges::find(k_keys, code, &std::pair<int, ImGuiKey>::first);
    return known != std::end(k_keys) ? known->second : ImGuiKey_None;
}

} // namespace

void use_fed_input() {
    ImGui::GetIO().ConfigInputTrickleEventQueue = false;
}

void feed_key(int code, bool down) {
    if (const ImGuiKey key = named_key(code); key != ImGuiKey_None)
        ImGui::GetIO().AddKeyEvent(key, down);
}

void feed_modifiers(bool ctrl, bool shift, bool alt, bool super) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
    io.AddKeyEvent(ImGuiKey_ModShift, shift);
    io.AddKeyEvent(ImGuiKey_ModAlt, alt);
    io.AddKeyEvent(ImGuiKey_ModSuper, super);
}

void feed_mouse(ImVec2 position, std::span<const bool> buttons) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(position.x, position.y);
    for (const auto i : indices(buttons)) io.AddMouseButtonEvent(static_cast<int>(i), buttons[i]);
}

bool mouse_button_fed() {
    return std::ranges::any_of(ImGui::GetCurrentContext()->InputEventsQueue, [](const auto& fed) {
        return fed.Type == ImGuiInputEventType_MouseButton && fed.MouseButton.Down;
    });
}

bool key_code_pressed(int code, bool repeat) {
    const ImGuiKey key = named_key(code);
    return key != ImGuiKey_None && ImGui::IsKeyPressed(key, repeat);
}

void forget_key_press(int code) {
    ImGui::GetKeyData(named_key(code))->DownDuration = k_held;
}

#endif

void forget_typing() {
#if IMGUI_VERSION_NUM < 19110
    auto& undo = ImGui::GetCurrentContext()->InputTextState.Stb.undostate;
    undo.undo_point = 0;
    undo.undo_char_point = 0;
    undo.redo_point = static_cast<decltype(undo.redo_point)>(std::size(undo.undo_rec));
    undo.redo_char_point = static_cast<decltype(undo.redo_char_point)>(std::size(undo.undo_char));
#endif
}

void activate_field(ImGuiID id) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM < 18940
    g.NavActivateInputId = id;
#else
    g.NavActivateId = id;
    g.NavActivateFlags = ImGuiActivateFlags_PreferInput;
#endif
}

#if IMGUI_VERSION_NUM < 19110

Clipboard use_clipboard(const Clipboard& clipboard) {
    ImGuiIO& io = ImGui::GetIO();
    return {std::exchange(io.GetClipboardTextFn, clipboard.get),
            std::exchange(io.SetClipboardTextFn, clipboard.set),
            std::exchange(io.ClipboardUserData, clipboard.data)};
}

void* clipboard_data() {
    return ImGui::GetIO().ClipboardUserData;
}

#else

Clipboard use_clipboard(const Clipboard& clipboard) {
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    return {std::exchange(io.Platform_GetClipboardTextFn, clipboard.get),
            std::exchange(io.Platform_SetClipboardTextFn, clipboard.set),
            std::exchange(io.Platform_ClipboardUserData, clipboard.data)};
}

void* clipboard_data() {
    return ImGui::GetPlatformIO().Platform_ClipboardUserData;
}

#endif

void claim_mouse_wheel() {
#if IMGUI_VERSION_NUM < 18920
    ImGui::SetItemUsingMouseWheel();
#else
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#endif
}

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

// Draws the corners where the atlas has kept their place.
static Rect draw_corners(ImFontAtlas& atlas, const ImFontAtlasCustomRect& place) {
    unsigned char* pixels = nullptr;
    int width = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, nullptr);
    for (int y = 0; y < place.Height; ++y)
        for (int x = 0; x < place.Width; ++x) {
            const auto radius = static_cast<float>(x / k_corners + 1);
            const float off = distance({radius, radius}, {static_cast<float>(x % k_corners) + 0.5f,
                                                          static_cast<float>(y) + 0.5f});
            pixels[(place.Y + y) * width + place.X + x] = static_cast<unsigned char>(
                std::lround(255 * std::clamp(radius + 0.5f - off, 0.0f, 1.0f)));
        }
    ImVec2 lo, hi;
    atlas.CalcCustomRectUV(&place, &lo, &hi);
    return {lo.x, lo.y, hi.x - lo.x, hi.y - lo.y};
}

std::optional<Rect> build_atlas(ImFontAtlas& atlas, std::span<ImFont* const> fonts,
                                std::span<const std::vector<GlyphSource>> sources) {
    assert(fonts.size() == sources.size());
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    const int place = atlas.AddCustomRectRegular(k_corners * k_corners, k_corners);
    if (!atlas.Build()) return {};
    const Rect corners = draw_corners(atlas, *atlas.GetCustomRectByIndex(place));
    for (const auto i : indices(fonts)) {
        round_advances(*fonts[i], sources[i]);
        // Text is drawn at its role's height; of a size that was rounded, it would be stretched.
        fonts[i]->FontSize = sources[i].front().height;
    }
    // The backend asks for them in colour, on the screen's thread if they are not there by then.
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    atlas.ClearInputData(); // does not outlive the files
    return corners;
}

ImTextureID glyph_texture(const ImFontAtlas& atlas) {
    return atlas.TexID;
}

// The texture alone: the backend remembers the size of vertex buffers that it has given up, and
// would write into empty new ones.
void replace_glyph_texture() {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

bool has_glyph(const ImFont* font, ImWchar code_point) {
    return font->FindGlyphNoFallback(code_point) != nullptr;
}

#else

// From 1.92 on glyphs are rasterized when they are first used, from the faces that were added.
std::optional<Rect> build_atlas(ImFontAtlas& atlas, std::span<ImFont* const>,
                                std::span<const std::vector<GlyphSource>>) {
    atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
    atlas.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    return Rect{};
}

ImTextureID glyph_texture(const ImFontAtlas&) {
    return 0;
}

void replace_glyph_texture() {
    ImGui_ImplOpenGL3_DestroyDeviceObjects();
    ImGui_ImplOpenGL3_CreateDeviceObjects();
}

bool has_glyph(const ImFont* font, ImWchar code_point) {
    return const_cast<ImFont*>(font)->IsGlyphInFont(code_point);
}

#endif

} // namespace normscope
