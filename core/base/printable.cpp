#include "core/base/printable.h"

#include "core/base/lists.h"

#include <algorithm>

namespace normscope {

namespace {

// Whether the character is a control character, a line separator or a mark of direction.
bool is_control(char32_t code) {
    const bool line = code == 0x2028 || code == 0x2029;
    const bool direction = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                           (code >= 0x2066 && code <= 0x2069);
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || line || direction;
}

// The control character that `text` begins with; 0 bytes for another character.
Character control_at(std::string_view text) {
    const Character first = first_character(text);
    return is_control(first.code) ? first : Character{};
}

std::string escape(char32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    constexpr std::string_view k_digits = "0123456789abcdef";
    std::string text = code < 0x100 ? "\\x" : "\\u";
    for (int shift = code < 0x100 ? 4 : 12; shift >= 0; shift -= 4)
        text += k_digits[code >> shift & 0xF];
    return text;
}

constexpr std::size_t k_most_shown = 200; // characters

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
}

// How much of `text` comes before its character number `count`.
std::size_t bytes_of(std::string_view text, std::size_t count) {
    for (const auto i : indices(text))
        if (begins_character(text[i]) && count-- == 0) return i;
    return text.size();
}

struct Marks {
    std::string_view opening, closing;
};
constexpr Marks k_quotation_marks[] = {{"“", "”"}, {"„", "“"}, {"«", "»"}};

// The bytes of the word, with the blank behind it, or of the quotation that `text` begins with.
std::size_t first_piece(std::string_view text) {
    const auto begins_at = [&](std::size_t at) {
        return std::ranges::find_if(k_quotation_marks, [&](const Marks& marks) {
            return text.substr(at).starts_with(marks.opening);
        });
    };
    if (const auto* const marks = begins_at(0); marks != std::end(k_quotation_marks)) {
        const std::size_t end = text.find(marks->closing, marks->opening.size());
        return end == text.npos ? text.size() : end + marks->closing.size();
    }
    std::size_t end = 1;
    while (end < text.size() && text[end - 1] != ' ' && text[end - 1] != '\n' &&
           begins_at(end) == std::end(k_quotation_marks))
        ++end;
    return end;
}

} // namespace

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return {};
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || length > text.size()) return {};
    char32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    constexpr char32_t k_least[] = {0, 0, 0x80, 0x800, 0x10000}; // less is an overlong form
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (lead > 0xF4 || code < k_least[length] || code > 0x10FFFF || surrogate) return {};
    return {code, length};
}

char32_t next_code_point(std::string_view& text) {
    const auto [code, bytes] = first_character(text);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
    return bytes > 0 ? code : U'\uFFFD';
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string shortened(std::string_view text) {
    constexpr std::size_t k_end = 50; // a path's last name
    const std::size_t count = text.size() <= k_most_shown ? 0 : count_characters(text);
    if (count <= k_most_shown) return std::string(text);
    return std::string(text.substr(0, bytes_of(text, k_most_shown - k_end))) + "…" +
           std::string(text.substr(bytes_of(text, count - k_end)));
}

std::string brief(std::string_view message) {
    if (message.size() <= k_most_shown) return std::string(message);
    std::string out;
    while (!message.empty()) {
        const std::size_t length = first_piece(message);
        out += shortened(message.substr(0, length));
        message.remove_prefix(length);
    }
    return out;
}

bool has_control_characters(std::string_view text) {
    for (const auto i : indices(text)) {
        const bool ascii = text[i] >= 0x20 && text[i] < 0x7F; // as nearly all letters are
        if (!ascii && control_at(text.substr(i)).bytes > 0) return true;
    }
    return false;
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Character control = control_at(text);
        out += control.bytes > 0 ? escape(control.code) : std::string(1, text.front());
        text.remove_prefix(control.bytes > 0 ? control.bytes : 1);
    }
    return out;
}

} // namespace normscope
