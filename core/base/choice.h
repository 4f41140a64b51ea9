#pragma once
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace normscope {

// A value of an enumeration, with its id for the command line and session files and its label for
// the screen.
template<class E>
struct Choice {
    E value;
    std::string_view id;
    std::string_view label;
};

// The table of an enumeration's values, in the order the screen shows them: specialized beside the
// enumeration.
template<class E>
inline constexpr std::array<Choice<E>, 0> k_choices{};
template<class E>
requires(!k_choices<E>.empty()) constexpr std::span<const Choice<E>> choices(E) {
    return k_choices<E>;
}

// The place of a value in the table.
template<class E>
std::size_t choice_place(E value) {
    return place_in(choices(value), value, &Choice<E>::value);
}
template<class E>
const auto& choice_of(E value) {
    return choices(value)[choice_place(value)];
}
template<class E>
std::string_view id_of(E value) {
    return choice_of(value).id;
}
template<class E>
std::string_view label_of(E value) {
    return choice_of(value).label;
}

} // namespace normscope
