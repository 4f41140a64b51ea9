#include "app/io/utf8.h"

#include "core/base/printable.h"

namespace normscope {

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
    return static_cast<unsigned char>(text[i]);
}

bool continues(std::string_view text, std::size_t i, unsigned char low = 0x80,
               unsigned char high = 0xBF) {
    return i < text.size() && byte_at(text, i) >= low && byte_at(text, i) <= high;
}

// Length of the character that begins at i, or 0 where it is malformed.
std::size_t character_length(std::string_view text, std::size_t i) {
    const unsigned char first = byte_at(text, i);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (!continues(text, i + 1, low, high)) return 0;
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (std::size_t k = 2; k < length; ++k)
        if (!continues(text, i + k)) return 0;
    return length;
}

} // namespace

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        if (length == 0) return i;
        i += length;
    }
    return std::string_view::npos;
}

std::string quote_for_message(std::string_view text, std::size_t most) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        if (i + length > most) {
            out += "…";
            break;
        }
        out += length > 0 ? printable(text.substr(i, length)) : " ";
        i += length == 0 ? 1 : length;
    }
    return out + "\"";
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

} // namespace normscope
