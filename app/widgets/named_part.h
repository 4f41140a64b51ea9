#pragma once
#include "app/charts/geometry.h"

#include <algorithm>
#include <cstdint>
#include <imgui.h>
#include <span>
#include <string>
#include <string_view>

// Every panel and control has one name, the same in every run: its parts from the workspace inwards
// ("add-norm.gamma.d3"), each of lower-case letters, digits and "-". Lessons and tests point at
// what is on the screen by it.
namespace normscope {

// A part of a name, and an id of ImGui's; "_" is written as "-". Empty: the scope itself.
struct NamePart {
    std::string_view word;
    bool of_workspace = false; // stands right behind the workspace, whatever panel it is drawn in

    NamePart(const char* text) : word(text) {}
    NamePart(std::string_view text, bool behind_workspace = false)
        : word(text), of_workspace(behind_workspace) {}
    NamePart(const std::string& text) : word(text) {}

    ImGuiID id() const { return ImGui::GetID(word.data(), word.data() + word.size()); }
};

enum class PartKind : std::uint8_t {
    panel,
    button,
    choice, // one of several
    slider,
    fader,
    field, // to type in
    cells, // of a matrix
    sign,  // "+", "=" or "→" between two panels, over their edges
    place  // anything else to point at
};

// A panel or control as it stood in the last frame, in pixels.
struct NamedPart {
    std::string name;
    PartKind kind = PartKind::place;
    bool enabled = true;
    Rect rect;
    Rect clip;
    ImGuiID id = 0; // 0: a panel, or an item of a menu

    // Of `rect` what is in sight; empty where it is scrolled away.
    Rect in_sight() const {
        const float x = std::max(rect.x, clip.x), y = std::max(rect.y, clip.y);
        return {x, y, std::max(0.0f, std::min(rect.right(), clip.right()) - x),
                std::max(0.0f, std::min(rect.bottom(), clip.bottom()) - y)};
    }
};

// Null where none of this name is drawn.
inline const NamedPart* find_part(std::span<const NamedPart> parts, std::string_view name) {
    const auto at = std::ranges::find(parts, name, &NamedPart::name);
    return at != parts.end() ? &*at : nullptr;
}

// "add-norm.gamma.d3" is within "add-norm.gamma", and within itself.
inline bool is_within(std::string_view name, std::string_view outer) {
    return name.starts_with(outer) && (name.size() == outer.size() || name[outer.size()] == '.');
}

} // namespace normscope
