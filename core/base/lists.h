#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

namespace normscope {

// The places of a list, or 0 to n − 1 for a number n.
template<class List>
constexpr auto indices(const List& list) {
    if constexpr (std::integral<List>)
        return std::views::iota(List{0}, std::max(list, List{0}));
    else
        return std::views::iota(std::size_t{0}, std::size(list));
}

// The entry at a place: a whole number of any type, or an enumerator.
constexpr decltype(auto) entry_at(auto&& list, auto place) {
    return list[static_cast<std::size_t>(place)];
}

// 0, 1, … count − 1: an order to begin with.
template<class Place = std::size_t>
std::vector<Place> first_places(Place count) {
    std::vector<Place> places(static_cast<std::size_t>(count));
    std::iota(places.begin(), places.end(), Place{0});
    return places;
}

// The first entry that is the value, or whose `part` is; null: there is none.
template<std::ranges::borrowed_range List, class Value, class Part = std::identity>
auto* find_in(List&& list, const Value& value, Part part = {}) {
    const auto at = std::ranges::find(list, value, part);
    return at == std::ranges::end(list) ? nullptr : &*at;
}

// The place of the first entry that is the value, or whose `part` is; the end: there is none.
template<class Value, class Part = std::identity>
std::size_t place_in(const auto& list, const Value& value, Part part = {}) {
    return static_cast<std::size_t>(std::ranges::find(list, value, part) -
                                    std::ranges::begin(list));
}

// Leaves the last entries of the list, at most `most`.
void keep_last(auto& list, std::size_t most) {
    if (list.size() > most)
        list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(most));
}

// Appends the entries of `more` to the list.
void add_all(auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
}

// "a, b, c": the entries, or a part of each.
template<class Part = std::identity>
std::string joined(const auto& list, Part part = {}) {
    return fmt::format("{}", fmt::join(std::views::transform(list, part), ", "));
}

} // namespace normscope
