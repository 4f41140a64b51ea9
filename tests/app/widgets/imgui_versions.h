#pragma once
// Differences between the releases of Dear ImGui for tests that look at what was drawn.
#include <cstddef>
#include <imgui.h>
#include <span>

namespace normscope {

inline std::span<ImDrawList* const> lists_of(const ImDrawData& data) {
#if IMGUI_VERSION_NUM < 18980
    return {data.CmdLists, static_cast<std::size_t>(data.CmdListsCount)};
#else
    return {data.CmdLists.Data, static_cast<std::size_t>(data.CmdLists.Size)};
#endif
}

// The height of a line, in pixels.
inline float font_height(const ImFont* font) {
#if IMGUI_VERSION_NUM < 19200
    return font->FontSize;
#else
    return font->LegacySize;
#endif
}

} // namespace normscope
