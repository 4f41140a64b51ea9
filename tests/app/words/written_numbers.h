#pragma once
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace normscope::testing {

// A number as a line of arithmetic has it.
struct WrittenNumber {
    double value = 0;
    double last_digit = 1;
    // Whether it is `truth`, rounded.
    bool is(double truth) const { return std::abs(value - truth) <= 0.5000001 * last_digit; }
};

// The numbers in a text, from left to right; "−" before a digit is a sign where none stands before.
inline std::vector<WrittenNumber> written_numbers(std::string_view text) {
    constexpr std::string_view k_minus = "−"; // U+2212
    std::vector<WrittenNumber> out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto is_digit = [&](std::size_t at) {
            return at < text.size() && text[at] >= '0' && text[at] <= '9';
        };
        if (!is_digit(i)) continue;
        const bool negative =
            i >= k_minus.size() && text.substr(i - k_minus.size(), k_minus.size()) == k_minus;
        std::size_t end = i;
        double unit = 1;
        while (is_digit(end)) ++end;
        if (end < text.size() && text[end] == '.')
            for (++end; is_digit(end); ++end) unit /= 10;
        const double value = std::atof(std::string(text.substr(i, end - i)).c_str());
        out.push_back({negative ? -value : value, unit});
        i = end;
    }
    return out;
}

} // namespace normscope::testing
