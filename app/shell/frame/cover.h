#pragma once
#include <imgui.h>

namespace normscope {

// Of a popup that covers the whole window, so that nothing under it is hit; what is seen of it is
// drawn in its midst.
inline constexpr ImGuiWindowFlags k_cover_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollWithMouse;

} // namespace normscope
