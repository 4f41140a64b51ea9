#include "app/document/printed_number.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_scientific_from = 1e7;

// Nearest integer of a value ≥ 0, halves up; what lies within double's rounding of a half is one.
long double nearest(long double scaled) {
    return std::floor(scaled + 0.5L + scaled * 0x1p-50L);
}

} // namespace

double rounded(double value, int decimals) {
    if (!std::isfinite(value) || value == 0) return value == 0 ? 0.0 : value;
    const long double magnitude = std::fabs(static_cast<long double>(value));
    int places = decimals;
    if (magnitude >= static_cast<long double>(k_scientific_from))
        places = decimals - static_cast<int>(std::floor(std::log10(magnitude)));
    // 10^places is exact as long as it is a whole number: scale by that, up or down.
    const long double unit = std::pow(10.0L, static_cast<long double>(std::abs(places)));
    const long double result =
        places >= 0 ? nearest(magnitude * unit) / unit : nearest(magnitude / unit) * unit;
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
    return sign + fmt::format("{:.{}f}", magnitude, decimals);
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
