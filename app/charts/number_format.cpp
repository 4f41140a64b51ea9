#include "app/charts/number_format.h"

#include "core/base/rounding.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

constexpr double k_known = 1e15; // up to here double knows every digit of a decimal number

// Whether what a float32 stands for may lie on the other side of a half than the float: a float is
// known to some 1e-7 of itself.
bool about_halfway(double scaled) {
    return std::abs(std::abs(scaled - std::nearbyint(scaled)) - 0.5) <= scaled * 1e-6;
}

std::string written(double value, std::chars_format form, int decimals) {
    std::array<char, 400> buffer; // the longest double is 309 digits and the decimals
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, form, decimals).ptr;
    return {buffer.data(), end};
}

// With the sign that is read as one.
std::string signed_text(std::string text) {
    if (text.starts_with('-')) text.replace(0, 1, k_minus);
    return text;
}

std::string not_finite(double value) {
    if (std::isnan(value)) return "NaN";
    return signed_text(value > 0 ? "∞" : "-∞");
}

void drop_trailing_zeros(std::string& text) {
    if (text.find('.') == std::string::npos) return;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
}

} // namespace

std::string fixed_text(double value, int decimals) {
    if (!std::isfinite(value)) return not_finite(value);
    const int places = std::clamp(decimals, 0, 17);
    const double scaled = std::abs(value) * std::pow(10.0, places);
    if (scaled < k_known && about_halfway(scaled)) value = round_half_away(value, places);
    std::string text = written(value, std::chars_format::fixed, places);
    const bool zero = text.find_first_of("123456789") == std::string::npos;
    if (zero && text.front() == '-') text.erase(0, 1);
    return signed_text(std::move(text));
}

std::string compact_text(double value, int decimals) {
    return std::abs(value) < 1e6 ? fixed_text(value, decimals)
                                 : scientific_text(value, decimals - 1);
}

std::string scientific_text(double value, int decimals) {
    if (!std::isfinite(value)) return not_finite(value);
    if (value == 0) return "0";
    const std::string full =
        written(value, std::chars_format::scientific, std::clamp(decimals, 0, 17));
    const std::size_t e = full.find('e');
    std::string text = full.substr(0, e);
    drop_trailing_zeros(text);
    text += 'e';
    if (full[e + 1] == '-') text += '-';
    const std::size_t digits = std::min(full.find_first_not_of('0', e + 2), full.size() - 1);
    return signed_text(text.append(full, digits));
}

std::string number_text(double value, int significant) {
    if (!std::isfinite(value)) return not_finite(value);
    if (value == 0) return "0";
    const double size = std::abs(value);
    if (size < 1e-4 || size >= 1e6) return scientific_text(value, significant - 1);
    const int before_point = static_cast<int>(std::floor(std::log10(size))) + 1;
    std::string text = fixed_text(value, significant - before_point);
    drop_trailing_zeros(text);
    return text;
}

std::string statistic_text(double value, double std) {
    constexpr double k_wide = 0.05;      // of a spread from here on two decimals tell enough
    constexpr double k_round_off = 1e-5; // of the spread
    if (std::abs(value) >= 1000) {
        // Enough digits to see the spread, where float32 knows them.
        const bool apart = std > 0 && std::abs(value) < 1e6 && std > 1e-7 * std::abs(value);
        const int decimals =
            apart ? std::max(0, -static_cast<int>(std::floor(std::log10(std)))) : 0;
        return decimals > 0 ? fixed_text(value, decimals) : number_text(value, 5);
    }
    if (!(std < k_wide) || std == 0) return fixed_text(value, 2);
    return std::abs(value) < k_round_off * std ? "0" : number_text(value, 2);
}

} // namespace normscope
