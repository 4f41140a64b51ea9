#include "app/document/printed_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_scientific_from = 1e7;

// Nearest integer of a value ≥ 0, halves up; what lies within double's rounding of a half is one.
long double nearest(long double scaled) {
    return std::floor(scaled + 0.5L + scaled * 0x1p-50L);
}

// 10ⁿ; all that are needed often are exact in a long double.
long double power_of_ten(int n) {
    static constexpr std::array<long double, 19> k_exact{
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L, 1e9L,
        1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L};
    const auto i = static_cast<std::size_t>(n);
    return i < k_exact.size() ? k_exact[i] : std::pow(10.0L, static_cast<long double>(n));
}

// Decimals that a double still has: 15 digits in all.
int known_decimals(double magnitude, int decimals) {
    int before_point = 0;
    for (double power = 1; magnitude >= power; power *= 10) ++before_point;
    return std::min(decimals, 15 - before_point);
}

} // namespace

double rounded(double value, int decimals) {
    if (!std::isfinite(value) || value == 0) return value == 0 ? 0.0 : value;
    const double magnitude = std::fabs(value);
    const int places = magnitude < k_scientific_from
                           ? known_decimals(magnitude, decimals)
                           : decimals - static_cast<int>(std::floor(std::log10(magnitude)));
    // 10^|places| is a whole number: scale by that, up or down.
    const long double exact = magnitude;
    const long double unit = power_of_ten(std::abs(places));
    const long double result =
        places >= 0 ? nearest(exact * unit) / unit : nearest(exact / unit) * unit;
    if (result == 0) return 0.0;
    return static_cast<double>(value < 0 ? -result : result);
}

std::string printed(double value, int decimals) {
    const double v = rounded(value, decimals);
    if (std::isnan(v)) return "NaN";
    const std::string sign = v < 0 ? "−" : "";
    const double magnitude = std::fabs(v);
    if (std::isinf(v)) return sign + "∞";
    if (magnitude >= k_scientific_from) return sign + fmt::format("{:.{}e}", magnitude, decimals);
    return sign + fmt::format("{:.{}f}", magnitude, known_decimals(magnitude, decimals));
}

bool prints_alike(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

int columns(const std::string& text) {
    int count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool continues = (byte & 0xC0u) == 0x80u;
        const bool combining = byte == 0xCCu; // U+0300 to U+033F
        if (!continues && !combining) ++count;
    }
    return count;
}

} // namespace normscope
