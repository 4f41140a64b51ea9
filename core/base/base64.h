#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// RFC 4648, without "=" at the end.
namespace normscope {

inline constexpr std::string_view k_base64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// url: "-" and "_" in place of "+" and "/".
enum class Base64 { usual, url };
inline std::string to_base64(std::string_view bytes, Base64 letters) {
    std::string digits(k_base64);
    if (letters == Base64::usual) digits.replace(62, 2, "+/");
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(c);
        for (count += 8; count >= 6; count -= 6) out += digits[bits >> (count - 6) & 63];
    }
    if (count > 0) out += digits[bits << (6 - count) & 63];
    return out;
}

// Decodes base64url; ends where a character is none of the 64.
inline std::string from_base64(std::string_view text) {
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = k_base64.find(c);
        if (digit == k_base64.npos) break;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8));
    }
    return out;
}

} // namespace normscope
