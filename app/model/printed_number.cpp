#include "app/model/printed_number.h"

#include "core/base/lists.h"
#include "core/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_scientific_from = 1e7;

// Decimals that a double still has: 15 digits in all.
int known_decimals(double magnitude, int decimals) {
    int before_point = 0;
    for (double power = 1; magnitude >= power; power *= 10) ++before_point;
    return std::min(decimals, 15 - before_point);
}

int places_of(double magnitude, int decimals) {
    return magnitude < k_scientific_from
               ? known_decimals(magnitude, decimals)
               : decimals - static_cast<int>(std::floor(std::log10(magnitude)));
}

} // namespace

double rounded(double value, int decimals) {
    if (!std::isfinite(value) || value == 0) return value == 0 ? 0.0 : value;
    return round_half_away(value, places_of(std::fabs(value), decimals));
}

double last_digit(double value, int decimals) {
    return std::pow(10.0, -places_of(std::fabs(value), decimals));
}

std::string printed(double value, int decimals) {
    const double v = rounded(value, decimals);
    if (std::isnan(v)) return "NaN";
    const std::string sign = v < 0 ? "−" : "";
    const double magnitude = std::fabs(v);
    if (std::isinf(v)) return sign + "∞";
    if (magnitude >= k_scientific_from)
        return sign + short_exponent(fmt::format("{:.{}e}", magnitude, decimals));
    return sign + fmt::format("{:.{}f}", magnitude, known_decimals(magnitude, decimals));
}

std::string short_exponent(std::string text) {
    std::size_t at = text.find('e');
    if (at == std::string::npos) return text;
    ++at;
    if (text[at] == '+') text.erase(at, 1);
    if (text[at] == '-') ++at;
    text.erase(at, text.find_first_not_of('0', at) - at);
    return text;
}

std::string brief_text(double value) {
    const double size = std::abs(value);
    if (value == 0 || !std::isfinite(value) || (size >= 0.005 && size < 1e6))
        return printed(value, 2);
    return (value < 0 ? "−" : "") + short_exponent(fmt::format("{:.3g}", size));
}

std::string short_text(double value) {
    return short_exponent(fmt::format("{:g}", value));
}

bool prints_alike(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

int columns(std::string_view text) {
    int count = 0;
    for (const auto i : indices(text)) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool continues = (byte & 0xC0u) == 0x80u;
        const bool combining = byte == 0xCCu; // U+0300 to U+033F
        if (!continues && !combining) ++count;
    }
    return count;
}

} // namespace normscope
