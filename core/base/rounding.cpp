#include "core/base/rounding.h"

#include "core/base/read_double.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace normscope {
namespace {

// Up to here, with the decimal that tells a half, float32 knows every digit that is shown.
constexpr long double k_known_by_float = 1e6L;

// Nearest integer of a value ≥ 0, halves up; a value within double's rounding of a half is a half.
long double nearest(long double scaled) {
    return std::floor(scaled + 0.5L + scaled * 0x1p-50L);
}

// Whether a value lies near a half: within a multiple of float32's rounding.
bool near_half(long double scaled) {
    return std::fabs(scaled - std::floor(scaled) - 0.5L) <= scaled * 1e-6L;
}

// 10ⁿ; the powers up to 10¹⁸, which are needed often, are exact in a long double.
long double power_of_ten(int n) {
    static constexpr std::array<long double, 19> k_exact{
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L, 1e9L,
        1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L};
    const auto i = static_cast<std::size_t>(n);
    return i < k_exact.size() ? k_exact[i] : std::pow(10.0L, static_cast<long double>(n));
}

// The number that a person reads: for a value that float32 holds exactly its shortest decimal text,
// as a double (0.17499999701976776 is 0.175); else the value itself.
double read_decimal(double value) {
    if (!(std::fabs(value) <= std::numeric_limits<float>::max())) return value;
    const auto narrow = static_cast<float>(value);
    if (static_cast<double>(narrow) != value) return value;
    std::array<char, 32> text; // the shortest float is at most 15 characters
    const auto end = std::to_chars(text.data(), text.data() + text.size(), narrow).ptr;
    double read = value;
    read_double(text.data(), end, read);
    return read;
}

// round_half_away() for a value clearly on one side of a half, as nearly every value is: double
// takes a tenth of the time, and its quotient of two whole numbers is the nearest double. NaN where
// the value is too large, too close to a half, or 10^places is not a whole double.
double rounded_far_from_half(double value, int places) {
    constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
    constexpr int k_exact_powers = 19;
    if (places < 0 || places >= k_exact_powers) return nowhere;
    const auto unit = static_cast<double>(power_of_ten(places));
    const double units = std::fabs(value) * unit;
    if (!(units < static_cast<double>(k_known_by_float))) return nowhere;
    const auto whole = static_cast<double>(static_cast<std::int64_t>(units + 0.5));
    if (std::fabs(std::fabs(whole - units) - 0.5) <= units * 1e-6) return nowhere;
    return whole == 0 ? 0.0 : std::copysign(whole / unit, value);
}

} // namespace

double round_half_away(double value, int places) {
    if (const double rounded = rounded_far_from_half(value, places); !std::isnan(rounded))
        return rounded;
    // 10^|places| is a whole number: scale by that, up or down.
    const long double unit = power_of_ten(std::abs(places));
    const auto scaled = [&](long double exact) {
        return places >= 0 ? exact * unit : exact / unit;
    };
    long double units = scaled(std::fabs(value));
    // Far from a half both readings round alike.
    if (units < k_known_by_float && near_half(units))
        units = scaled(std::fabs(read_decimal(value)));
    const long double whole = nearest(units);
    const long double result = places >= 0 ? whole / unit : whole * unit;
    if (result == 0) return 0.0;
    return static_cast<double>(value < 0 ? -result : result);
}

double to_hundredths(double value) {
    constexpr double k_whole = 1e13; // larger ones have no hundredths
    return std::abs(value) < k_whole ? std::round(value * 100) / 100 : value;
}

double but_for_rounding(double mean, double variance) {
    const double size = std::hypot(mean, std::sqrt(variance)); // √(mean z²)
    return std::isfinite(size) && std::abs(mean) <= k_sum_round_off * size ? 0 : mean;
}

} // namespace normscope
