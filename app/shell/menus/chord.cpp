#include "app/shell/menus/chord.h"

#include <string_view>
#include <utility>

namespace normscope {

namespace {

std::string_view key_name(Key key) {
    constexpr std::pair<Key, std::string_view> k_names[] = {
        {Key::a, "A"},     {Key::c, "C"},     {Key::v, "V"},   {Key::x, "X"},   {Key::o, "O"},
        {Key::s, "S"},     {Key::q, "Q"},     {Key::y, "Y"},   {Key::z, "Z"},   {Key::n0, "0"},
        {Key::n1, "1"},    {Key::n2, "2"},    {Key::n3, "3"},  {Key::n4, "4"},  {Key::n5, "5"},
        {Key::n6, "6"},    {Key::n7, "7"},    {Key::n8, "8"},  {Key::n9, "9"},  {Key::plus, "+"},
        {Key::equal, "+"}, {Key::minus, "−"}, {Key::f1, "F1"}, {Key::f5, "F5"}, {Key::f10, "F10"},
        {Key::k, "K"},     {Key::n, "N"},     {Key::p, "P"}};
    for (const auto& [named, name] : k_names)
        if (named == key) return name;
    return {};
}

} // namespace

std::string chord_text(const Chord& chord) {
    std::string text;
    if (chord.ctrl) text += "Ctrl+";
    if (chord.shift) text += "Shift+";
    return text.append(key_name(chord.key));
}

bool chord_pressed(const Chord& chord) {
    // "+" is Shift+= on many keyboards.
    const bool any_shift = chord.key == Key::equal || chord.key == Key::plus;
    return ctrl_down() == chord.ctrl && (any_shift || shift_down() == chord.shift) && !alt_down() &&
           key_pressed(chord.key, chord.key == Key::z || chord.key == Key::y);
}

} // namespace normscope
