#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace normscope {

// The character that a text begins with; 0 bytes where that is not well-formed UTF-8 (RFC 3629: no
// overlong forms, no surrogates, nothing above U+10FFFF).
struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;
};
Character first_character(std::string_view text);

// The next character of a text that is not empty, which is shortened by it; U+FFFD for a malformed
// byte.
char32_t next_code_point(std::string_view& text);

// Whether `text` holds letters that nobody sees but that act on what shows them: control characters
// and those that turn the direction of writing.
bool has_control_characters(std::string_view text);

// `text` with control characters as programs write them: "\n", "\x1b", "\u202e". For names and
// messages, on the screen and in a terminal.
std::string printable(std::string_view text);

// `text` without its middle where it has more than 200 characters. UTF-8 stays whole.
std::string shortened(std::string_view text);

// The message with each word and each quotation (“…”, „…“, «…») shortened().
std::string brief(std::string_view message);

// Number of UTF-8 characters, for a position that a person counts.
std::size_t count_characters(std::string_view text);

} // namespace normscope
