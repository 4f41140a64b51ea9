#pragma once
#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// UTF-8, and numbers as text, the same in every locale.
namespace normscope {

inline constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

// Position of the first byte that is not part of well-formed UTF-8, or std::string_view::npos.
std::size_t find_invalid_utf8(std::string_view text);

// `text` in quotation marks for a message: cut to about `most` bytes between characters, control
// characters escaped, malformed bytes replaced by a space.
std::string quote_for_message(std::string_view text, std::size_t most = 40);

// `text` with its letters A to Z as a to z.
std::string lower_case(std::string_view text);

// One number: decimal point only, optional sign, exponent, nan and ±inf in any case, spaces around
// it ignored. U+2212 (−) is a minus. What is too small for a double becomes ±0.
// The error says what was expected and what was found, as the end of a sentence:
// `expected a number, found "abc"`. A decimal comma is named as such.
Result<double> parse_number(std::string_view text);

// Whether a person meant `text` as a number, if a badly written one: "1,5" and "1.234.5" are,
// "token 7" and "" are not. Tells names from values.
bool looks_like_number(std::string_view text);

// Whether `text` begins with a digit, a sign and a decimal point before it allowed: "1O" and "0x10"
// do, which may be mistyped numbers, and so does "1st".
bool begins_as_number(std::string_view text);

// Whether `text` is a number with signs around or within it that make none of it here: "$1,000",
// "12 %", "0x10" and "1_000" are. As a column of names they would be values that have got lost.
bool is_dressed_number(std::string_view text);

// Whether `text` stands where there is no value: "NA", "null", "-", "#DIV/0!" and their like, in
// any case. "nan" is a number.
bool marks_no_value(std::string_view text);

// Up to nine digits and nothing else; none: the text is no such number.
std::optional<std::size_t> whole_number(std::string_view text);

// Whether `text` has a comma and is a number with it: a decimal one ("1,5") or between thousands
// ("1,234.5").
bool is_comma_number(std::string_view text);

// `text` without the spaces, tabs and no-break spaces around it.
std::string_view trim(std::string_view text);

// Appends the shortest text that reads back as the same value ("nan", "inf", "-inf" included).
template<class S>
void append_number(std::string& out, S value);

} // namespace normscope
