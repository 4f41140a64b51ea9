#pragma once
#include <string>
#include <string_view>

// Numbers as charts and tables show them. NaN is "NaN", infinities are "∞" and "−∞", the minus is
// U+2212, and a number that rounds to zero carries no sign: "0.00", never "−0.00".
namespace normscope {

inline constexpr std::string_view k_minus = "−";

// With `decimals` (0 to 17) digits after the point, rounded as round_half_away() says: 5.25 with
// one is 5.3, and the float32 nearest to 0.175 with two is 0.18.
std::string fixed_text(double value, int decimals);

// fixed_text() below a million. From there on no one reads the digits before the point: a power of
// ten with one decimal fewer. "0.50", "1.5e7".
std::string compact_text(double value, int decimals);

// With `decimals` digits after the first, trailing zeros left out: "1e20", "−2.5e-9".
std::string scientific_text(double value, int decimals);

// With about `significant` digits in whichever form is shorter to read: fixed between 1e-4 and 1e6,
// else scientific. Trailing zeros are left out: "0.5", "1200", "3e-7".
std::string number_text(double value, int significant);

// A mean, a standard deviation or an extreme of values that spread by `std`: two decimals where
// these say enough, else significant digits: "0.28", "10000", "1e20", "3.2e-6"; those of a large
// value that show its spread: "10000.005". A value far below the spread is round-off and 0.
std::string statistic_text(double value, double std);

} // namespace normscope
