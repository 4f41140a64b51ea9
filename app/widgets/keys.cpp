#include "app/widgets/keys.h"

#include "app/language/language.h"
#include "app/widgets/imgui_compat.h"

#include <array>
#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace normscope {
namespace {

constexpr int k_keypad_enter = 335;
constexpr int k_codes = 349; // GLFW's

} // namespace

bool key_pressed(Key key, bool repeat) {
    if (key == Key::enter && key_code_pressed(k_keypad_enter, repeat)) return true;
    return key_code_pressed(key_code(key), repeat);
}

bool other_key_pressed(std::optional<Key> own) {
    for (int code = 0; code < k_codes; ++code)
        if (key_code_pressed(code, false) && !(own && key_code(*own) == code)) return true;
    return false;
}

void take_key(Key key) {
    forget_key_press(key_code(key));
    if (key == Key::enter) forget_key_press(k_keypad_enter);
}

std::string queued_text() {
    std::string text;
    std::array<char, 5> utf8{};
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
        if (c >= ' ') {
            ImTextCharToUtf8(utf8.data(), c);
            text += utf8.data();
        }
    return text;
}

std::string typed_text() {
    std::string text = queued_text();
    text.erase(0, text.find_first_not_of(' '));
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

std::string chord_text(const Chord& chord) {
    std::string text;
    if (chord.ctrl) text += tr("Ctrl+");
    if (chord.shift) text += tr("Shift+");
    constexpr std::pair<Key, const char*> k_names[] = {
        {Key::plus, "+"}, {Key::equal, "+"}, {Key::minus, "−"}, {Key::f1, "F1"},
        {Key::f5, "F5"},  {Key::f10, "F10"}, {Key::del, "Del"}, {Key::space, "Space"}};
    for (const auto& [key, name] : k_names)
        if (key == chord.key) return text.append(tr(name));
    return text + static_cast<char>(chord.key); // a letter or a digit
}

bool chord_pressed(const Chord& chord) {
    // "+" is Shift+= on many keyboards.
    const bool any_shift = chord.key == Key::equal || chord.key == Key::plus;
    return ctrl_down() == chord.ctrl && (any_shift || shift_down() == chord.shift) && !alt_down() &&
           key_pressed(chord.key, chord.key == Key::z || chord.key == Key::y);
}

} // namespace normscope
