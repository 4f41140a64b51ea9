#include "core/base/printable.h"

namespace normscope {

namespace {

// The control character that `text` begins with, 0 if it begins with none, and its bytes.
struct Control {
    unsigned code = 0;
    std::size_t bytes = 0;
};

Control control_at(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    if (byte(0) < 0x20 || byte(0) == 0x7F) return {byte(0), 1};
    if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return {byte(1), 2};
    if (byte(0) != 0xE2 || (byte(1) != 0x80 && byte(1) != 0x81)) return {};
    const unsigned code = 0x2000 + (byte(1) - 0x80) * 0x40 + (byte(2) - 0x80);
    const bool line = code == 0x2028 || code == 0x2029;
    const bool direction = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                           (code >= 0x2066 && code <= 0x2069);
    return line || direction ? Control{code, 3} : Control{};
}

std::string escape(unsigned code) {
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    constexpr std::string_view k_digits = "0123456789abcdef";
    std::string text = code < 0x100 ? "\\x" : "\\u";
    for (int shift = code < 0x100 ? 4 : 12; shift >= 0; shift -= 4)
        text += k_digits[code >> shift & 0xF];
    return text;
}

} // namespace

bool has_control_characters(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
        if (control_at(text.substr(i)).bytes > 0) return true;
    return false;
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Control control = control_at(text);
        out += control.bytes > 0 ? escape(control.code) : std::string(1, text.front());
        text.remove_prefix(control.bytes > 0 ? control.bytes : 1);
    }
    return out;
}

} // namespace normscope
