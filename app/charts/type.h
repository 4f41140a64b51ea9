#pragma once
#include <cstddef>
#include <cstdint>

// The type scale: every text on the screen has one of these roles, and each role is one face at one
// size, so that a font atlas holds exactly what is used.
namespace normscope {

enum class TextRole : std::uint8_t {
    brand,         // the program's name
    title,         // a card's or panel's heading
    label,         // menus, buttons, names
    name_large,    // names beside large cells
    small,         // hints, axis labels, captions
    number_huge,   // digits in the largest cells
    number_large,  // digits in large cells
    number,        // digits to be read first
    number_sans,   // as large as they can be in cells that are too narrow for these
    number_small,  // digits in narrow cells
    number_tiny,   // digits in narrower ones
    number_narrow, // digits where the monospaced face is too wide
    formula,       // worked arithmetic
    count
};

inline constexpr std::size_t k_text_roles = static_cast<std::size_t>(TextRole::count);

struct TextRoleSpec {
    bool mono;
    int weight;          // 400 regular, 500 medium, 600 semi-bold
    float size;          // height of a line in pixels at UI scale 1
    bool digits = false; // nothing but numbers is written in it
};

constexpr TextRoleSpec text_role_spec(TextRole role) {
    switch (role) {
    case TextRole::brand:
        return {false, 600, 20.0f};
    case TextRole::title:
        return {false, 600, 17.0f};
    case TextRole::label:
        return {false, 400, 17.0f};
    case TextRole::name_large:
        return {false, 400, 20.0f};
    case TextRole::small:
        return {false, 400, 15.0f};
    case TextRole::number_huge:
        return {false, 400, 28.0f, true};
    case TextRole::number_large:
        return {true, 400, 22.0f, true};
    case TextRole::number:
        return {true, 400, 15.5f};
    case TextRole::number_sans:
        return {false, 400, 14.0f, true};
    case TextRole::number_small:
        return {true, 400, 13.5f};
    case TextRole::number_tiny:
        return {true, 400, 11.5f};
    case TextRole::number_narrow:
        return {false, 400, 11.25f};
    case TextRole::formula:
        return {true, 400, 15.5f};
    case TextRole::count:
        break;
    }
    return {false, 400, 17.0f};
}

} // namespace normscope
