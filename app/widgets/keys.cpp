#include "app/widgets/keys.h"

#include <array>
#include <cstddef>
#include <imgui.h>
#include <imgui_internal.h>

namespace normscope {

namespace {

#if IMGUI_VERSION_NUM >= 18700
constexpr std::array<ImGuiKey, static_cast<std::size_t>(Key::count)> k_keys = {
    ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_PageUp,
    ImGuiKey_PageDown,  ImGuiKey_Home,       ImGuiKey_End,     ImGuiKey_Enter,     ImGuiKey_Escape,
    ImGuiKey_Tab,       ImGuiKey_Space,      ImGuiKey_Delete,  ImGuiKey_Backspace, ImGuiKey_F2,
    ImGuiKey_F10,       ImGuiKey_A,          ImGuiKey_C,       ImGuiKey_D,         ImGuiKey_N,
    ImGuiKey_O,         ImGuiKey_P,          ImGuiKey_Q,       ImGuiKey_S,         ImGuiKey_V,
    ImGuiKey_X,         ImGuiKey_Y,          ImGuiKey_Z,       ImGuiKey_0,         ImGuiKey_1,
    ImGuiKey_2,         ImGuiKey_3,          ImGuiKey_4,       ImGuiKey_5,         ImGuiKey_6,
    ImGuiKey_KeypadAdd, ImGuiKey_Minus,      ImGuiKey_Equal,   ImGuiKey_E,         ImGuiKey_F,
    ImGuiKey_H,         ImGuiKey_F1,         ImGuiKey_Menu};
constexpr ImGuiKey k_keypad_enter = ImGuiKey_KeypadEnter;
#else
// The codes of GLFW, which its backend uses as indices of io.KeysDown. No header of GLFW here: the
// widgets do not know the window.
constexpr std::array<int, static_cast<std::size_t>(Key::count)> k_keys = {
    263, 262, 265, 264, 266, 267, 268, 269, // arrows, page up and down, home, end
    257, 256, 258, 32,  261, 259, 291, 299, // enter … F2, F10
    'A', 'C', 'D', 'N', 'O', 'P', 'Q', 'S', 'V', 'X', 'Y', 'Z', '0', '1',
    '2', '3', '4', '5', '6', 334, '-', '=', 'E', 'F', 'H', 290, 348};
constexpr int k_keypad_enter = 335;
#endif

} // namespace

int key_index(Key key) {
    return static_cast<int>(k_keys[static_cast<std::size_t>(key)]);
}

bool key_pressed(Key key, bool repeat) {
    const auto code = k_keys[static_cast<std::size_t>(key)];
    if (key == Key::enter && ImGui::IsKeyPressed(k_keypad_enter, repeat)) return true;
    return ImGui::IsKeyPressed(code, repeat);
}

void take_key(Key key) {
    constexpr float k_held = 1e-6f; // seconds: 0 is what went down in this frame
    const auto take = [](auto code) {
#if IMGUI_VERSION_NUM >= 18700
        ImGui::GetKeyData(code)->DownDuration = k_held;
#else
        ImGui::GetIO().KeysDownDuration[code] = k_held;
#endif
    };
    take(k_keys[static_cast<std::size_t>(key)]);
    if (key == Key::enter) take(k_keypad_enter);
}

std::string typed_text() {
    std::string text;
    std::array<char, 5> utf8{};
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
        if (c < ' ' || (c == ' ' && text.empty())) continue;
        ImTextCharToUtf8(utf8.data(), c);
        text += utf8.data();
    }
    return text;
}

bool ctrl_down() {
    return ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeySuper;
}
bool shift_down() {
    return ImGui::GetIO().KeyShift;
}
bool alt_down() {
    return ImGui::GetIO().KeyAlt;
}

} // namespace normscope
