#pragma once
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
};

inline constexpr FaderRange k_gamma_range{-1, 3};
inline constexpr FaderRange k_beta_range{-2, 2};

} // namespace normscope
