#pragma once
#include <charconv>
#include <cstdlib>
#include <string>

namespace normscope {

// std::from_chars for a double, which libc++ has from release 20 on.
inline std::from_chars_result read_double(const char* begin, const char* end, double& value) {
#if defined(__cpp_lib_to_chars) || !defined(_LIBCPP_VERSION)
    return std::from_chars(begin, end, value);
#else
    // strtod() takes more: spaces, a plus sign and hexadecimal digits.
    const char* stop = begin != end && *begin == '-' ? begin + 1 : begin;
    const bool is_word =
        stop != end && (*stop == 'i' || *stop == 'I' || *stop == 'n' || *stop == 'N');
    const auto digits = [&] {
        const char* const first = stop;
        while (stop != end && *stop >= '0' && *stop <= '9') ++stop;
        return stop != first;
    };
    if (!is_word) {
        bool any = digits();
        if (stop != end && *stop == '.') {
            ++stop;
            any = digits() || any;
        }
        if (!any) return {begin, std::errc::invalid_argument};
        if (stop != end && (*stop == 'e' || *stop == 'E')) {
            const char* const before = stop++;
            if (stop != end && (*stop == '+' || *stop == '-')) ++stop;
            if (!digits()) stop = before;
        }
    }
    const std::string text(begin, is_word ? end : stop);
    char* read_to = nullptr;
    const double read = std::strtod(text.c_str(), &read_to);
    if (read_to == text.c_str()) return {begin, std::errc::invalid_argument};
    const char* const after = begin + (read_to - text.c_str());
    const bool has_digit = text.find_first_of("123456789") < text.find_first_of("eE");
    const bool left_range = !is_word && (read - read != 0 || (read == 0 && has_digit));
    if (left_range) return {after, std::errc::result_out_of_range};
    value = read;
    return {after, std::errc()};
#endif
}

} // namespace normscope
