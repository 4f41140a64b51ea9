#pragma once
#include "app/model/fader_range.h"
#include "core/base/matrix.h"
#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// What session and example files share: JSON values with a place, so that every message can name
// it.
namespace normscope {

// A value somewhere in a file. `file` and `json` outlive it.
struct JsonPlace {
    const nlohmann::json& json;
    const std::string& file;
    std::string pointer = {}; // "/x/3"; empty: the whole file

    // What is called `key` in this object.
    std::optional<JsonPlace> find(const std::string& key) const;
    JsonPlace at(std::size_t index) const;

    // "FILE: at /x/3: expected …, found …".
    tl::unexpected<Error> expected(const std::string& what) const;
    // "FILE: at /x/3: message".
    tl::unexpected<Error> wrong(const std::string& message) const;
};

// More than any document has. What stands for a thousandth of this in a file would otherwise take
// gigabytes: each of "[[[[" is a value with memory of its own.
inline constexpr std::size_t k_max_json_depth = 64;
inline constexpr std::size_t k_max_json_lists = std::size_t{1} << 17; // and objects, and keys
inline constexpr std::size_t k_max_json_values = (std::size_t{1} << 26) + (1 << 20);

// The file's JSON value. Errors name the line and column, or which limit the file exceeds.
Result<nlohmann::json> parse_json(std::string_view bytes, const std::string& file,
                                  const Progress& progress = {});

// Every *.json of a folder, by name.
std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder,
                                              std::error_code& code);

// An object with no other keys than these.
Result<void> check_keys(const JsonPlace& place, const std::vector<std::string_view>& known);

// A number, or one of "NaN", "-NaN", "Infinity", "-Infinity".
Result<double> read_number(const JsonPlace& place);
Result<std::int64_t> read_integer(const JsonPlace& place, std::int64_t least, std::int64_t most);
Result<int> read_small(const JsonPlace& place);          // 0 … 1,000,000
Result<Index> read_index(const JsonPlace& place);        // 0 … 2³¹−1
Result<std::uint64_t> read_seed(const JsonPlace& place); // 0 … 2⁶³−1
Result<std::string> read_string(const JsonPlace& place);
Result<bool> read_flag(const JsonPlace& place);
Result<FaderRange> read_range(const JsonPlace& place); // two numbers, the lower first

// `into` takes the value under `key`, if it is there.
template<class T, class Read>
Result<void> read_optional(const JsonPlace& place, const std::string& key, T& into, Read&& read) {
    const auto found = place.find(key);
    if (!found) return {};
    auto value = read(*found);
    if (!value) return tl::unexpected(value.error());
    into = std::move(*value);
    return {};
}

// A key of an object: where its value goes, and how it is read.
struct Member {
    template<class T, class Read>
    Member(const char* name, T& into, Read how)
        : key(name), read([&into, how](const JsonPlace& place, const std::string& at) {
              return read_optional(place, at, into, how);
          }) {}

    std::string key;
    std::function<Result<void>(const JsonPlace&, const std::string&)> read;
    bool needed = false;
};

template<class T, class Read>
Member needed(const char* name, T& into, Read how) {
    Member out(name, into, how);
    out.needed = true;
    return out;
}

// The members that are there, from first to last. Errors: one that is needed and not there.
Result<void> read_some(const JsonPlace& place, std::initializer_list<Member> members);

// The same of an object with no other keys.
Result<void> read_members(const JsonPlace& place, std::initializer_list<Member> members);

// Reads a list; `read` takes a place in the file, and an entry's number if it wants it.
template<class T, class Read>
auto list_of(Read read) {
    return [read](const JsonPlace& at) -> Result<std::vector<T>> {
        if (!at.json.is_array()) return at.expected("a list");
        std::vector<T> out;
        for (std::size_t i = 0; i < at.json.size(); ++i) {
            auto value = [&] {
                if constexpr (std::is_invocable_v<Read, JsonPlace, std::size_t>)
                    return read(at.at(i), i);
                else
                    return read(at.at(i));
            }();
            if (!value) return tl::unexpected(value.error());
            out.push_back(std::move(*value));
        }
        return out;
    };
}

} // namespace normscope
