#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>

// The type scale: every text on the screen has one of these roles, and each role is one face at one
// size, so that a font atlas holds exactly what is used.
namespace normscope {

enum class TextRole : std::uint8_t {
    brand,
    title,
    label,
    name_large,
    small,
    number_huge,
    number_large,
    number,
    number_sans,
    number_small,
    number_tiny,
    number_narrow,
    formula
};

struct TextRoleSpec {
    bool mono;
    int weight;          // 400 regular, 500 medium, 600 semi-bold
    float size;          // height of a line in pixels at UI scale 1
    bool digits = false; // nothing but numbers is written in it
};

inline constexpr TextRoleSpec k_text_role_specs[] = {
    {false, 600, 20.0f},       // brand: the program's name
    {false, 600, 17.0f},       // title: a card's or panel's heading
    {false, 400, 17.0f},       // label: menus, buttons, names
    {false, 400, 20.0f},       // name_large: names beside large cells
    {false, 400, 15.0f},       // small: hints, axis labels, captions
    {false, 400, 28.0f, true}, // number_huge: digits in the largest cells
    {true, 400, 22.0f, true},  // number_large: digits in large cells
    {true, 400, 15.5f},        // number: digits to be read first
    {false, 400, 14.0f, true}, // number_sans: in cells that are too narrow for these
    {true, 400, 13.5f},        // number_small: digits in narrow cells
    {true, 400, 11.5f},        // number_tiny: digits in narrower ones
    {false, 400, 11.25f},      // number_narrow: where the monospaced face is too wide
    {true, 400, 15.5f}};       // formula: worked arithmetic

inline constexpr std::size_t k_text_roles = std::size(k_text_role_specs);
static_assert(k_text_roles == static_cast<std::size_t>(TextRole::formula) + 1);

constexpr TextRoleSpec text_role_spec(TextRole role) {
    return k_text_role_specs[static_cast<std::size_t>(role)];
}

} // namespace normscope
