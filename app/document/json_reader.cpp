#include "app/document/json_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace normscope {

namespace {

using Json = nlohmann::json;

constexpr std::size_t k_longest_quote = 40;

// A value as a message shows it: short, whatever it is.
std::string shown(const Json& json) {
    if (json.is_object()) return "an object";
    if (json.is_array()) return fmt::format("a list of {}", json.size());
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace); // ASCII
    if (text.size() > k_longest_quote) text = text.substr(0, k_longest_quote) + "…";
    return text;
}

std::string line_and_column(std::string_view bytes, std::size_t at) {
    const std::string_view before = bytes.substr(0, std::min(at, bytes.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t last_break = before.rfind('\n');
    const std::size_t column =
        last_break == std::string_view::npos ? before.size() : before.size() - last_break - 1;
    return fmt::format("line {}, column {}", line, std::max<std::size_t>(column, 1));
}

// The library's message without its number, its own position and the bytes it quotes, which need
// not be UTF-8.
std::string reason(const std::string& what) {
    std::string text = what;
    if (const auto dash = text.find(" - "); dash != std::string::npos) text.erase(0, dash + 3);
    const auto quoted = text.find("; last read: ");
    if (quoted == std::string::npos) return text;
    const auto after = text.rfind("; expected ");
    const std::string wanted =
        after != std::string::npos && after > quoted ? text.substr(after) : std::string();
    return text.substr(0, quoted) + wanted;
}

// Of a number beyond double's range, which the library quotes at its message's end but does not
// place: it is the first that stands like that where a value can, outside names.
std::string out_of_range(std::string_view bytes, const std::string& what) {
    const auto end = what.rfind('\'');
    const auto begin = end == std::string::npos || end == 0 ? end : what.rfind('\'', end - 1);
    if (begin == std::string::npos || begin == end) return "not valid JSON: " + what;
    const std::string number = what.substr(begin + 1, end - begin - 1);
    constexpr std::string_view k_before_a_value = " \t\r\n[,:";
    auto at = bytes.find(number);
    while (at != std::string_view::npos && at > 0 &&
           k_before_a_value.find(bytes[at - 1]) == std::string_view::npos)
        at = bytes.find(number, at + 1);
    return fmt::format("{}: expected a number within ±1.8e308, or \"Infinity\", found {}",
                       at == std::string_view::npos ? "not valid JSON"
                                                    : line_and_column(bytes, at + 1),
                       number.substr(0, k_longest_quote));
}

} // namespace

std::optional<JsonPlace> JsonPlace::find(const std::string& key) const {
    const auto it = json.find(key);
    if (it == json.end()) return std::nullopt;
    return JsonPlace{*it, file, pointer + "/" + key};
}

JsonPlace JsonPlace::at(std::size_t index) const {
    return {json[index], file, pointer + "/" + std::to_string(index)};
}

tl::unexpected<Error> JsonPlace::expected(const std::string& what) const {
    return wrong("expected " + what + ", found " + shown(json));
}

tl::unexpected<Error> JsonPlace::wrong(const std::string& message) const {
    if (pointer.empty()) return fail(file + ": " + message);
    return fail(file + ": at " + pointer + ": " + message);
}

Result<Json> parse_json(std::string_view bytes, const std::string& file) {
    if (bytes.empty()) return fail(file + ": the file is empty; expected JSON");
    try {
        return Json::parse(bytes);
    } catch (const Json::parse_error& e) {
        return fail(fmt::format("{}: {}: not valid JSON: {}", file, line_and_column(bytes, e.byte),
                                reason(e.what())));
    } catch (const Json::exception& e) { // a number beyond double's range
        return fail(file + ": " + out_of_range(bytes, e.what()));
    }
}

Result<void> check_keys(const JsonPlace& place, std::initializer_list<std::string_view> known) {
    if (!place.json.is_object()) return place.expected("an object in braces");
    for (const auto& item : place.json.items()) {
        if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
        std::string list;
        for (const auto key : known) list += (list.empty() ? "" : ", ") + std::string(key);
        return place.wrong("the key " + shown(Json(item.key())) +
                           " is not known; expected one of " + list);
    }
    return {};
}

Result<double> read_number(const JsonPlace& place) {
    if (place.json.is_number()) return place.json.get<double>();
    if (place.json.is_string()) {
        const auto& text = place.json.get_ref<const std::string&>();
        if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
        if (text == "Infinity") return std::numeric_limits<double>::infinity();
        if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    }
    return place.expected(R"(a number, "NaN", "Infinity" or "-Infinity")");
}

Result<std::int64_t> read_integer(const JsonPlace& place, std::int64_t least, std::int64_t most) {
    const auto wanted = fmt::format("a whole number from {} to {}", least, most);
    if (!place.json.is_number_integer()) return place.expected(wanted);
    // Larger than int64 holds: nlohmann keeps it unsigned.
    if (place.json.is_number_unsigned() &&
        place.json.get<std::uint64_t>() >
            static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0)))
        return place.expected(wanted);
    const auto value = place.json.get<std::int64_t>();
    if (value < least || value > most) return place.expected(wanted);
    return value;
}

Result<Index> read_index(const JsonPlace& place) {
    return read_integer(place, 0, std::numeric_limits<std::int32_t>::max());
}

Result<std::uint64_t> read_seed(const JsonPlace& place) {
    return read_integer(place, 0, std::numeric_limits<std::int64_t>::max()).map([](std::int64_t v) {
        return static_cast<std::uint64_t>(v);
    });
}

Result<std::string> read_string(const JsonPlace& place) {
    if (!place.json.is_string()) return place.expected("text in quotation marks");
    return place.json.get<std::string>();
}

Result<FaderRange> read_range(const JsonPlace& place) {
    if (place.json.is_array() && place.json.size() == 2 && place.json[0].is_number() &&
        place.json[1].is_number()) {
        const FaderRange range{place.json[0].get<double>(), place.json[1].get<double>()};
        if (range.lo < range.hi) return range;
        return place.wrong(fmt::format("expected two numbers, the lower first, found {} and {}",
                                       shown(place.json[0]), shown(place.json[1])));
    }
    return place.expected("two numbers, the lower first");
}

} // namespace normscope
