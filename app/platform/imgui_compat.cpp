#include "app/platform/imgui_compat.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <imgui_freetype.h>
#include <utility>

namespace normscope {
namespace {

ImFont* add_source(ImFontAtlas& atlas, const GlyphSource& source, bool merge) {
    ImFontConfig config;
    config.MergeMode = merge;
    config.FontNo = static_cast<decltype(config.FontNo)>(source.face_index);
    config.FontDataOwnedByAtlas = IMGUI_VERSION_NUM < 19200; // else older ones copy the file here
    // ImGui takes a mutable pointer but only reads.
    void* bytes = const_cast<std::byte*>(source.file.data());
    ImFont* font = atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(source.file.size()),
                                              source.height, &config, source.ranges.data());
#if IMGUI_VERSION_NUM < 19200
    if (font) atlas.ConfigData.back().FontDataOwnedByAtlas = false; // it frees what it owns
#endif
    return font;
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

void use_keys_without_window() {
    constexpr std::pair<ImGuiKey_, int> codes[] = {
        {ImGuiKey_Tab, 258},         {ImGuiKey_LeftArrow, 263}, {ImGuiKey_RightArrow, 262},
        {ImGuiKey_UpArrow, 265},     {ImGuiKey_DownArrow, 264}, {ImGuiKey_PageUp, 266},
        {ImGuiKey_PageDown, 267},    {ImGuiKey_Home, 268},      {ImGuiKey_End, 269},
        {ImGuiKey_Insert, 260},      {ImGuiKey_Delete, 261},    {ImGuiKey_Backspace, 259},
        {ImGuiKey_Space, ' '},       {ImGuiKey_Enter, 257},     {ImGuiKey_Escape, 256},
        {ImGuiKey_KeyPadEnter, 335}, {ImGuiKey_A, 'A'},         {ImGuiKey_C, 'C'},
        {ImGuiKey_V, 'V'},           {ImGuiKey_X, 'X'},         {ImGuiKey_Y, 'Y'},
        {ImGuiKey_Z, 'Z'},
    };
    for (const auto& [key, code] : codes) ImGui::GetIO().KeyMap[key] = code;
}

void feed_mouse(ImVec2 position, std::span<const bool> buttons) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = position;
    std::copy_n(buttons.begin(), std::min(buttons.size(), std::size(io.MouseDown)), io.MouseDown);
}

#else

void use_keys_without_window() {}

void feed_mouse(ImVec2 position, std::span<const bool> buttons) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(position.x, position.y);
    for (std::size_t i = 0; i < buttons.size(); ++i)
        io.AddMouseButtonEvent(static_cast<int>(i), buttons[i]);
}

#endif

void set_lists(ImDrawData& data, std::span<ImDrawList*> lists) {
    data.CmdListsCount = static_cast<int>(lists.size());
    data.TotalVtxCount = data.TotalIdxCount = 0;
    for (const ImDrawList* list : lists) {
        data.TotalVtxCount += list->VtxBuffer.Size;
        data.TotalIdxCount += list->IdxBuffer.Size;
    }
#if IMGUI_VERSION_NUM < 18980
    data.CmdLists = lists.data();
#else
    data.CmdLists.resize(data.CmdListsCount);
    std::ranges::copy(lists, data.CmdLists.begin());
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

bool build_atlas(ImFontAtlas& atlas, std::span<ImFont* const> fonts,
                 std::span<const std::vector<GlyphSource>> sources) {
    assert(fonts.size() == sources.size());
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    if (!atlas.Build()) return false;
    for (std::size_t i = 0; i < fonts.size(); ++i) round_advances(*fonts[i], sources[i]);
    // The backend asks for them in colour, on the screen's thread if they are not there by then.
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    atlas.ClearInputData(); // does not outlive the files
    return true;
}

ImTextureID texture_of(const ImDrawCmd& command) {
    return command.GetTexID();
}

ImTextureID glyph_texture(const ImFontAtlas& atlas) {
    return atlas.TexID;
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

ImTextureID texture_of(const ImDrawCmd& command) {
    const ImTextureRef& texture = command.TexRef;
    return texture._TexData ? static_cast<ImTextureID>(texture._TexData->UniqueID) : texture._TexID;
}

ImTextureID glyph_texture(const ImFontAtlas&) {
    return 0;
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
