#pragma once
#include "app/layout/small_words.h"
#include "app/model/choices.h"
#include "app/widgets/controls.h"

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>

namespace normscope {

// Tracks: whole numbers, one of several, linear, logarithmic, the same in steps of two significant
// digits, and with 0 at the left end in steps of one. A typed value may lie between.
SliderSpec counted(double value, int lo, int hi, int reset, std::string_view hint);
SliderSpec listed(double value, std::span<const double> steps, double reset, std::string_view hint);
SliderSpec linear(double value, double lo, double hi, double reset, std::string_view hint);
SliderSpec logarithmic(double value, double lo, double hi, double reset, std::string_view hint);
SliderSpec two_digits(double value, double lo, double hi, double reset, std::string_view hint);
SliderSpec from_zero(double value, double lo, double hi, double reset, std::string_view hint);

// slider(), of which only the new value is wanted. A T of whole numbers takes no other that is
// typed.
template<class T = double>
std::optional<T> slide(Ui& ui, NamePart part, Rect r, SliderSpec spec) {
    if constexpr (std::is_integral_v<T>)
        if (!spec.accepted) spec.accepted = k_counts;
    const auto value = slider(ui, part, r, spec).value;
    return value && *value != spec.value ? std::optional(static_cast<T>(*value)) : std::nullopt;
}

// slide() that sets `into`.
template<class T>
void slide_into(Ui& ui, NamePart part, Rect r, const SliderSpec& spec, T& into) {
    if (const auto value = slide<T>(ui, part, r, spec)) into = *value;
}

// A stepper through a norm's numbers of groups, which divide the width.
std::optional<Index> group_stepper(Ui& ui, NamePart part, Rect r, Index groups, Index width);

// A seed to be typed, and a button for the next one.
std::optional<std::uint64_t> seed_row(Ui& ui, NamePart part, Rect r, std::uint64_t seed,
                                      std::string_view hint, std::string_view next_hint);

} // namespace normscope
