#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace normscope {

inline constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

// Position of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms,
// no surrogates, nothing above U+10FFFF), or std::string_view::npos.
std::size_t find_invalid_utf8(std::string_view text);

// `text` in quotation marks for a message: cut to about `most` bytes between characters, control
// characters escaped, malformed bytes replaced by a space.
std::string quote_for_message(std::string_view text, std::size_t most = 40);

// `text` with its letters A to Z as a to z.
std::string lower_case(std::string_view text);

} // namespace normscope
