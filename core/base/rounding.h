#pragma once

namespace normscope {

// Rounds to `places` decimals (negative: to tens, hundreds, …), half away from zero as in school. A
// value that only its binary form keeps from lying halfway counts as halfway: the double 1.005, and
// where float32 knows the digits the float nearest to 0.175. For finite values of which double
// still knows the place: 15 digits in all.
double round_half_away(double value, int places);

// Rounds to the nearest hundredth, as a hand types numbers; a value too large for one stays.
double to_hundredths(double value);

// A sum in float64 that should be 0 is at most this share of its terms.
inline constexpr double k_sum_round_off = 1e-14;

// `mean`, or 0 where it is no more than the rounding of values with this mean and variance.
double but_for_rounding(double mean, double variance);

} // namespace normscope
