#pragma once
#include <cmath>
#include <span>

namespace normscope {

// How far a row of faders reaches.
struct FaderRange {
    double lo = 0;
    double hi = 0;
    bool operator==(const FaderRange&) const = default;

    // A fader cannot show a value outside its range: the range grows to the next half. What is not
    // finite is left out.
    void grow(std::span<const double> values);

    // From 0 at `lo` to 1 at `hi`, also where the way between them is too long for a number.
    double unit_of(double value) const { return (value / 2 - lo / 2) / (hi / 2 - lo / 2); }
    double at(double unit) const { return std::lerp(lo, hi, unit); }
};

inline constexpr FaderRange k_gamma_range{-1, 3};
inline constexpr FaderRange k_beta_range{-2, 2};

} // namespace normscope
