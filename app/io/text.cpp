#include "app/io/text.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/base/printable.h"
#include "core/base/read_double.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace normscope {

namespace {

constexpr std::string_view k_minus_sign = "\xE2\x88\x92"; // U+2212
constexpr std::string_view k_no_break_space = "\xC2\xA0"; // U+00A0

// Signs around and within numbers in tables made for people.
constexpr std::string_view k_dressing[] = {
    "$", "£", "€", "¥", "%", "_", "\u00A0", "\u202F", "\u2009"}; // spaces between thousands

enum class Reading { number, too_large, not_a_number };

struct Read {
    Reading reading = Reading::not_a_number;
    double value = 0;
};

// `text` is trimmed and unsigned.
Read read_magnitude(std::string_view text) {
    // from_chars takes a sign of its own, and "nan(…)" forms that nobody means.
    if (text.empty() || text.front() == '-' || text.find('(') != text.npos) return {};
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = read_double(text.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return {};
    if (error != std::errc::result_out_of_range) return {Reading::number, value};
    const std::size_t exponent = text.find_first_of("eE");
    if (exponent != text.npos && text[exponent + 1] == '-') return {Reading::number, 0.0};
    return {Reading::too_large, 0};
}

Read read_number(std::string_view text) {
    if (text.find(k_minus_sign) != text.npos) {
        std::string plain(text);
        for (std::size_t at = 0; (at = plain.find(k_minus_sign, at)) != plain.npos;)
            plain.replace(at, k_minus_sign.size(), "-");
        return read_number(plain);
    }
    double sign = 1;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        sign = text.front() == '-' ? -1 : 1;
        text.remove_prefix(1);
    }
    Read read = read_magnitude(text);
    read.value = std::copysign(read.value, sign);
    return read;
}

bool is_decimal_comma(std::string_view text) {
    std::string pointed(text);
    if (std::ranges::count(pointed, ',') != 1) return false;
    std::ranges::replace(pointed, ',', '.');
    return read_number(pointed).reading == Reading::number;
}

bool is_grouped(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    std::size_t group = text.find(',');
    if (group == 0 || group > 3) return false;
    std::string bare(text.substr(0, group));
    while (group < text.size() && text[group] == ',') {
        const std::string_view digits = text.substr(group + 1, 3);
        if (digits.size() < 3 || digits.find_first_not_of("0123456789") != digits.npos)
            return false;
        bare += digits;
        group += 4;
    }
    bare += text.substr(group);
    return bare.find(',') == bare.npos && read_number(bare).reading == Reading::number;
}

} // namespace

std::string_view trim(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    for (;;) {
        if (!text.empty() && blank(text.front())) {
            text.remove_prefix(1);
        } else if (!text.empty() && blank(text.back())) {
            text.remove_suffix(1);
        } else if (text.starts_with(k_no_break_space)) {
            text.remove_prefix(k_no_break_space.size());
        } else if (text.ends_with(k_no_break_space)) {
            text.remove_suffix(k_no_break_space.size());
        } else {
            return text;
        }
    }
}

Result<double> parse_number(std::string_view text) {
    const std::string_view trimmed = trim(text);
    if (trimmed.empty()) return fail("expected a number, found nothing");
    const Read read = read_number(trimmed);
    if (read.reading == Reading::number) return read.value;
    const std::string found = quote_for_message(trimmed);
    if (read.reading == Reading::too_large)
        return fail("expected a number below 1.8e308, found {}", found);
    if (is_decimal_comma(trimmed))
        return fail("expected a number with a decimal point, not a comma, found {}", found);
    return fail("expected a number, found {}", found);
}

bool looks_like_number(std::string_view text) {
    const std::string_view trimmed = trim(text);
    if (read_number(trimmed).reading != Reading::not_a_number) return true;
    constexpr std::string_view k_digits = "0123456789";
    std::string_view unsigned_text = trimmed;
    if (unsigned_text.starts_with(k_minus_sign)) unsigned_text.remove_prefix(k_minus_sign.size());
    return unsigned_text.find_first_of(k_digits) != unsigned_text.npos &&
           unsigned_text.find_first_not_of("0123456789+-.,'eE ") == unsigned_text.npos &&
           unsigned_text.find_first_of("eE") != 0;
}

bool begins_as_number(std::string_view text) {
    text = trim(text);
    if (text.starts_with(k_minus_sign))
        text.remove_prefix(k_minus_sign.size());
    else if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    if (text.starts_with('.')) text.remove_prefix(1);
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

bool is_dressed_number(std::string_view text) {
    text = trim(text);
    if (text.starts_with("0x") || text.starts_with("0X"))
        return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
    std::string bare;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const auto sign = std::ranges::find_if(
            k_dressing, [&](std::string_view s) { return rest.starts_with(s); });
        if (sign == std::end(k_dressing))
            bare += text[i];
        else
            i += sign->size() - 1;
    }
    return bare.size() < text.size() && begins_as_number(bare) && looks_like_number(bare);
}

bool marks_no_value(std::string_view text) {
    constexpr std::string_view k_marks[] = {"na",     "n/a", "n.a.", "<na>", "null", "<null>",
                                            "(null)", "nil", "none", "nat",  "?",    ".",
                                            "..",     "...", "…",    "-",    "--",   "---",
                                            "–",      "—",   "*",    "#n/a", "#nv",  "#n/d"};
    const std::string mark = lower_case(trim(text));
    if (find_in(k_marks, mark)) return true;
    if (mark == "missing" || mark == "undefined" || mark.starts_with("nan(") ||
        mark.starts_with("-nan("))
        return true;
    // A spreadsheet's error: #DIV/0!, #NAME?, …
    return mark.size() > 2 && mark.starts_with('#') && (mark.back() == '!' || mark.back() == '?') &&
           mark.find_first_of(" ,;#", 1) == mark.npos;
}

std::optional<std::size_t> whole_number(std::string_view text) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos)
        return std::nullopt;
    return std::stoul(std::string(text));
}

bool is_comma_number(std::string_view text) {
    text = trim(text);
    return is_decimal_comma(text) || is_grouped(text);
}

template<class S>
void append_number(std::string& out, S value) {
    if (std::isnan(value)) {
        out += "nan"; // to_chars would show the sign bit of a NaN, which means nothing here
        return;
    }
    std::array<char, 64> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    out.append(buffer.data(), result.ptr);
}

template void append_number(std::string&, double);
template void append_number(std::string&, float);

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = first_character(text.substr(i)).bytes;
        if (length == 0) return i;
        i += length;
    }
    return std::string_view::npos;
}

std::string quote_for_message(std::string_view text, std::size_t most) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = first_character(text.substr(i)).bytes;
        if (i + length > most) {
            out += "…";
            break;
        }
        out += length > 0 ? printable(text.substr(i, length)) : " ";
        i += length == 0 ? 1 : length;
    }
    return out + "\"";
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

} // namespace normscope
