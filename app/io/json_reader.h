#pragma once
#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Sessions, examples, lessons and the headers of tensors share JSON values with a place, so
// that every message can name it. What reads a value throws the Error that says so; reading() makes
// it a Result again.
namespace normscope {

// A value somewhere in a file. `file` and `json` outlive it.
struct JsonPlace {
    const nlohmann::json& json;
    const std::string& file;
    std::string pointer = {}; // "/x/3"; empty: the whole file
    bool lenient = false;     // a member that is wrong counts as missing, others are passed over

    // The member `key` of this object.
    std::optional<JsonPlace> find(std::string_view key) const;
    JsonPlace at(std::size_t index) const;

    // "FILE: at /x/3: expected …, found …".
    [[noreturn]] void expected(std::string_view what) const;
    // "FILE: at /x/3: message".
    [[noreturn]] void wrong(const std::string& message) const;
    // Throws the error of a value that was read here, with this place.
    void check(const Result<void>& ok) const;
};

// A value as a message shows it: short, whatever it is.
std::string shown(const nlohmann::json& json);

// The result's value; its error is thrown.
template<class T>
T or_throw(Result<T> result) {
    if (!result) throw std::move(result).error();
    return std::move(result).value();
}

// The result of `read`, or the Error that `read` throws.
template<class Read>
Result<std::invoke_result_t<Read&>> reading(Read&& read) {
    try {
        return read();
    } catch (const Error& error) {
        return tl::unexpected(error);
    }
}

// Limits above any document's size. Without limits a small file could take gigabytes: each bracket
// of "[[[[" is a value with memory of its own.
inline constexpr std::size_t k_max_json_depth = 64;
inline constexpr std::size_t k_max_json_lists = std::size_t{1} << 17; // and objects, and keys
inline constexpr std::size_t k_max_json_values = (std::size_t{1} << 26) + (1 << 20);

// The file's JSON value. Errors name the line and column, or which limit the file exceeds.
Result<nlohmann::json> parse_json(std::string_view bytes, const std::string& file);

// The result of `read` for a file's JSON value, or the Error of either reading.
template<class Read>
auto read_json(std::string_view bytes, const std::string& file, Read&& read) {
    return reading([&] {
        const nlohmann::json json = or_throw(parse_json(bytes, file));
        return read(JsonPlace{json, file});
    });
}

// Every *.json of a folder, by name.
std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder,
                                              std::error_code& code);

// The object in a file that the program keeps for its user. Empty: there is no file, or no object
// in it.
nlohmann::json kept_json(const std::filesystem::path& file);

// Writes a file for kept_json(). A failure is no reason to interrupt anyone. The file may be a link
// of the user's.
void keep_json(const std::filesystem::path& file, const nlohmann::ordered_json& json);

// A number, or one of "NaN", "-NaN", "Infinity", "-Infinity".
double read_number(const JsonPlace& place);
std::int64_t read_integer(const JsonPlace& place, std::int64_t least, std::int64_t most);
Index read_index(const JsonPlace& place);        // 0 … 2³¹−1
std::uint64_t read_seed(const JsonPlace& place); // 0 … 2⁶³−1
std::string read_string(const JsonPlace& place);

// Reads a list; `read` takes a place in the file, and an entry's number if it wants it.
template<class Read>
auto list_of(Read read) {
    return [read](const JsonPlace& at) {
        if (!at.json.is_array()) at.expected("a list");
        const auto entry = [&](std::size_t i) {
            if constexpr (std::is_invocable_v<Read, JsonPlace, std::size_t>)
                return read(at.at(i), i);
            else
                return read(at.at(i));
        };
        std::vector<decltype(entry(0))> out;
        for (const auto i : indices(at.json)) out.push_back(entry(i));
        return out;
    };
}

} // namespace normscope
