#pragma once
#include <algorithm>
#include <concepts>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace normscope {

// A failure, as one plain sentence for a person: what was wrong, where, what to do. Every Result
// has one: result.cpp alone copies and destroys it.
struct Error {
    std::string message;
    // The message's pattern and values, for a translation; empty where the message came ready.
    std::string pattern;
    std::vector<Error> values;

    explicit Error(std::string text = {}, std::string form = {}, std::vector<Error> filling = {});
    Error(const Error&);
    Error(Error&&) noexcept;
    Error& operator=(const Error&);
    Error& operator=(Error&&) noexcept;
    ~Error();
    bool operator==(const Error& other) const { return message == other.message; }
};

} // namespace normscope

template<>
struct fmt::formatter<normscope::Error> {
    constexpr auto parse(fmt::format_parse_context& context) const { return context.begin(); }
    auto format(const normscope::Error& error, fmt::format_context& context) const {
        return std::ranges::copy(error.message, context.out()).out;
    }
};

namespace normscope {

// A value of a pattern: an error and a literal or view have words, all else is as it is.
template<class T>
Error error_value(const T& value) {
    if constexpr (std::same_as<T, Error>) return value;
    std::string text = fmt::format("{}", value);
    const bool words =
        std::is_convertible_v<const T&, std::string_view> && !std::same_as<T, std::string>;
    return Error(text, words ? text : std::string());
}

template<class... T>
Error error_of(fmt::format_string<const T&...> pattern, const T&... values) {
    const fmt::string_view text = pattern;
    return Error(fmt::format(pattern, values...), {text.data(), text.size()},
                 {error_value(values)...});
}

// An error as a Result: of a pattern and its values, or a message that is ready.
template<class... T>
tl::unexpected<Error> fail(fmt::format_string<const T&...> pattern, const T&... values) {
    return tl::unexpected<Error>(error_of(pattern, values...));
}
tl::unexpected<Error> fail(std::same_as<std::string> auto message) {
    return tl::unexpected<Error>(Error{std::move(message)});
}

// A value, or the reason there is none. Exceptions do not cross a target's edge.
template<class T>
using Result = tl::expected<T, Error>;

// For TRY(): the value of a Result, nothing of a Result<void>.
template<class R>
decltype(auto) value_of(R&& result) {
    if constexpr (!std::is_void_v<typename std::remove_cvref_t<R>::value_type>)
        return *std::forward<R>(result);
}

// The value of a Result, moved out; where it holds an error, the function returns that error. Use
// one in an expression and make no object before it there: an early return would leak that object.
#define TRY(...) TRY_COUNTED(__COUNTER__, __VA_ARGS__)
#define TRY_COUNTED(count, ...) TRY_NUMBERED(count, __VA_ARGS__)
#define TRY_NUMBERED(number, ...)                                                                  \
    ({                                                                                             \
        auto&& tried_##number = __VA_ARGS__;                                                       \
        using Tried = decltype(tried_##number);                                                    \
        if (!tried_##number) return tl::unexpected(std::forward<Tried>(tried_##number).error());   \
        normscope::value_of(std::forward<Tried>(tried_##number));                                  \
    })

} // namespace normscope
