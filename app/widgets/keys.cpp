#include "app/widgets/keys.h"

#include "app/widgets/imgui_compat.h"

#include <array>
#include <cstddef>
#include <imgui.h>
#include <imgui_internal.h>

namespace normscope {

namespace {

// No header of GLFW here: the widgets do not know the window.
constexpr std::array<int, static_cast<std::size_t>(Key::count)> k_codes = {
    263, 262, 265, 264, 266, 267, 268, 269, // arrows, page up and down, home, end
    257, 256, 258, 32,  261, 259, 291, 299, // enter … F2, F10
    'A', 'C', 'D', 'N', 'O', 'P', 'Q', 'S', 'V', 'X', 'Y', 'Z', '0', '1', '2', '3', '4', '5',
    '6', '7', '8', '9', 334, '-', '=', 'E', 'F', 'H', 'L', 290, 348, 'B', 294, '.', 'K', 'R'};
constexpr int k_keypad_enter = 335;

} // namespace

int key_code(Key key) {
    return k_codes[static_cast<std::size_t>(key)];
}

bool key_pressed(Key key, bool repeat) {
    if (key == Key::enter && key_code_pressed(k_keypad_enter, repeat)) return true;
    return key_code_pressed(key_code(key), repeat);
}

void take_key(Key key) {
    forget_key_press(key_code(key));
    if (key == Key::enter) forget_key_press(k_keypad_enter);
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
