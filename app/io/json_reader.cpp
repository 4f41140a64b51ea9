#include "app/io/json_reader.h"

#include "app/io/file.h"
#include "core/base/printable.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace normscope {

namespace {

using Json = nlohmann::json;

constexpr std::size_t k_longest_quote = 40;

std::string line_and_column(std::string_view bytes, std::size_t at) {
    const std::string_view before = bytes.substr(0, std::min(at, bytes.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column =
        count_characters(before.substr(before.rfind('\n') + 1)); // npos + 1: 0
    return worded("line {}, column {}", line, std::max<std::size_t>(column, 1));
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

// Makes the value of what the library reads, within the limits.
class Builder final : public nlohmann::json_sax<Json> {
  public:
    explicit Builder(std::string_view bytes) : bytes_(bytes) {}

    Json root;
    std::string error, pointer; // after a parse that failed

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; } // not in text
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        const auto [member, is_new] =
            open_.back()->get_ref<Json::object_t&>().try_emplace(std::move(name));
        if (!is_new) return stands_twice(member->first);
        member_ = &member->second;
        return ++lists_ <= k_max_json_lists ||
               too_many("lists, objects and keys", k_max_json_lists);
    }
    bool parse_error(std::size_t at, const std::string& token,
                     const nlohmann::detail::exception& e) override {
        constexpr int k_out_of_range = 406;
        if (e.id == k_out_of_range)
            error = worded("{}: expected a number within ±1.8e308, or \"Infinity\", found {}",
                           line_and_column(bytes_, at - std::min(at, token.size()) + 1),
                           token.substr(0, k_longest_quote));
        else
            error = worded("{}: not valid JSON: {}", line_and_column(bytes_, at), reason(e.what()));
        return false;
    }

  private:
    bool too_many(std::string_view what, std::size_t most) {
        error = worded("there are more than {} {}: such a file is not read", most, what);
        return false;
    }

    bool stands_twice(const std::string& name) {
        for (std::size_t i = 1; i < open_.size(); ++i)
            for (const auto& item : open_[i - 1]->items())
                if (&item.value() == open_[i]) pointer += "/" + item.key();
        error = worded("the key {} stands twice: take one of them out", shown(name));
        return false;
    }

    // Puts a value in its place and returns that place; null: the file has too many values.
    Json* put(Json value) {
        if (++values_ > k_max_json_values) {
            too_many("values", k_max_json_values);
            return nullptr;
        }
        if (open_.empty()) return &(root = std::move(value));
        if (open_.back()->is_array())
            return &open_.back()->get_ref<Json::array_t&>().emplace_back(std::move(value));
        return &(*member_ = std::move(value));
    }

    bool open(Json list) {
        if (open_.size() == k_max_json_depth)
            return too_many("lists within each other", k_max_json_depth);
        if (++lists_ > k_max_json_lists)
            return too_many("lists, objects and keys", k_max_json_lists);
        Json* place = put(std::move(list));
        if (place) open_.push_back(place);
        return place;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view bytes_;
    std::vector<Json*> open_; // lists and objects, the innermost last
    Json* member_ = nullptr;  // of the innermost object, for its next value
    std::size_t values_ = 0, lists_ = 0;
};

} // namespace

std::string shown(const Json& json) {
    if (json.is_object()) return "an object";
    if (json.is_array()) return worded("a list of {}", json.size());
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace); // ASCII
    if (text.size() > k_longest_quote) text = text.substr(0, k_longest_quote) + "…";
    return text;
}

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const {
    const auto it = json.find(key);
    if (it == json.end()) return std::nullopt;
    return JsonPlace{*it, file, fmt::format("{}/{}", pointer, key), lenient};
}

JsonPlace JsonPlace::at(std::size_t index) const {
    return {json[index], file, pointer + "/" + std::to_string(index), lenient};
}

void JsonPlace::expected(std::string_view what) const {
    wrong(worded("expected {}, found {}", what, shown(json)));
}

void JsonPlace::wrong(const std::string& message) const {
    throw Error{pointer.empty() ? file + ": " + message
                                : worded("{}: at {}: {}", file, pointer, message)};
}

void JsonPlace::check(const Result<void>& ok) const {
    if (!ok) wrong(error_text(ok.error()));
}

Result<Json> parse_json(std::string_view bytes, const std::string& file) {
    if (bytes.empty()) return fail("{}: the file is empty; expected JSON", file);
    Builder builder(bytes);
    return reading([&] {
        if (!Json::sax_parse(bytes, &builder))
            JsonPlace{builder.root, file, builder.pointer}.wrong(builder.error);
        return std::move(builder.root);
    });
}

std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder,
                                              std::error_code& code) {
    std::vector<std::filesystem::path> paths;
    for (std::filesystem::directory_iterator it(folder, code), end; !code && it != end;
         it.increment(code))
        if (it->path().extension() == ".json") paths.push_back(it->path());
    std::ranges::sort(paths);
    return paths;
}

Json kept_json(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return Json::object();
    const auto bytes = read_file(file);
    auto json = bytes ? parse_json(*bytes, file.string()) : tl::unexpected(bytes.error());
    return json && json->is_object() ? std::move(*json) : Json::object();
}

void keep_json(const std::filesystem::path& file, const nlohmann::ordered_json& json) {
    if (file.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    (void)write_file_atomically(std::filesystem::weakly_canonical(file, error),
                                json.dump(2, ' ', false, Json::error_handler_t::replace));
}

double read_number(const JsonPlace& place) {
    if (place.json.is_number()) return place.json.get<double>();
    constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    constexpr std::pair<const char*, double> k_spelled[] = {
        {"NaN", k_nan}, {"-NaN", -k_nan}, {"Infinity", k_infinity}, {"-Infinity", -k_infinity}};
    for (const auto& [text, value] : k_spelled)
        if (place.json == text) return value;
    place.expected(R"(a number, "NaN", "Infinity" or "-Infinity")");
}

std::int64_t read_integer(const JsonPlace& place, std::int64_t least, std::int64_t most) {
    const Json& json = place.json;
    // Larger than int64 holds: nlohmann keeps it unsigned.
    const bool fits =
        !json.is_number_unsigned() || std::cmp_less_equal(json.get<std::uint64_t>(), most);
    if (!json.is_number_integer() || !fits || json.get<std::int64_t>() < least ||
        json.get<std::int64_t>() > most)
        place.expected(worded("a whole number from {} to {}", least, most));
    return json.get<std::int64_t>();
}

Index read_index(const JsonPlace& place) {
    return read_integer(place, 0, std::numeric_limits<std::int32_t>::max());
}

std::uint64_t read_seed(const JsonPlace& place) {
    return static_cast<std::uint64_t>(
        read_integer(place, 0, std::numeric_limits<std::int64_t>::max()));
}

std::string read_string(const JsonPlace& place) {
    if (!place.json.is_string()) place.expected("text in quotation marks");
    return place.json.get<std::string>();
}

} // namespace normscope
