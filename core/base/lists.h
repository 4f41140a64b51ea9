#pragma once
#include <algorithm>
#include <cstddef>
#include <fmt/ranges.h>
#include <functional>
#include <ranges>
#include <string>

namespace normscope {

// The places of a list, from the first to the last.
auto indices(const auto& list) {
    return std::views::iota(std::size_t{0}, list.size());
}

// The first entry that is the value, or whose `part` is; null: there is none.
template<std::ranges::borrowed_range List, class Value, class Part = std::identity>
auto* find_in(List&& list, const Value& value, Part part = {}) {
    const auto at = std::ranges::find(list, value, part);
    return at == std::ranges::end(list) ? nullptr : &*at;
}

// Puts the entries of the one list behind those of the other.
void add_all(auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
}

// "a, b, c": the entries, or a part of each.
template<class Part = std::identity>
std::string joined(const auto& list, Part part = {}) {
    return fmt::format("{}", fmt::join(std::views::transform(list, part), ", "));
}

} // namespace normscope
