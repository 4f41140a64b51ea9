#pragma once
#include <string>

// Numbers as a page of arithmetic shows them, and their shown values: later numbers use these.
namespace normscope {

// round_half_away() to `decimals` places, of what double still knows; from 10⁷ up to `decimals` + 1
// significant digits. NaN and ±∞ stay; −0 becomes 0.
double rounded(double value, int decimals);

// The value of a 1 in the last digit of rounded(value, decimals); of finite values.
double last_digit(double value, int decimals);

// The text of rounded(value, decimals): "3.16", "−0.30" with U+2212, "1.00e20", "∞", "NaN".
std::string printed(double value, int decimals);

// "1e-05" and "2e+20", as C++ writes them, as "1e-5" and "2e20".
std::string short_exponent(std::string text);

// A number in a sentence: in two decimals where these say enough, else in three digits: "3.16",
// "−0.30", "1.2e-7".
std::string brief_text(double value);

// A number in six digits at most: "0.25", "1e-5", "2e20".
std::string short_text(double value);

// Equal, or both NaN.
bool prints_alike(double a, double b);

// Columns that UTF-8 text takes in a monospaced face: combining marks take none.
int columns(std::string_view text);

} // namespace normscope
