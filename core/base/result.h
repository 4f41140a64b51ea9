#pragma once
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace normscope {

// What went wrong, as one plain sentence for a person: what was wrong, where, what to do.
struct Error {
    std::string message;
    bool operator==(const Error&) const = default;
};

// A value, or the reason there is none. Exceptions do not cross a target's edge.
template<class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string message) {
    return tl::unexpected<Error>(Error{std::move(message)});
}

// A T as fill(T&) leaves it, or why it could not be filled.
template<class T, class Fill>
Result<T> filled(const Fill& fill) {
    T out;
    if (auto ok = fill(out); !ok) return tl::unexpected(std::move(ok.error()));
    return out;
}

} // namespace normscope
