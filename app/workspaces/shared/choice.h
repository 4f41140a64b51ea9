#pragma once
#include "app/widgets/controls.h"

namespace normscope {

// As segmented(), over as many lines as the words need.
std::optional<int> wrapped_choice(Ui& ui, NamePart part, Rect area,
                                  std::span<const ChoiceName> choices, int current,
                                  std::span<const std::string_view> hints = {});

// The same of the choices of an enumeration.
template<class E>
std::optional<E> wrapped_choice(Ui& ui, NamePart part, Rect area, E now,
                                std::span<const std::string_view> hints = {}) {
    return choose_by(now, [&](const auto& names, int current) {
        return wrapped_choice(ui, part, area, names, current, hints);
    });
}

// The same, which sets `into`.
template<class E>
void choose_into(Ui& ui, NamePart part, Rect area, E& into,
                 std::span<const std::string_view> hints = {}) {
    if (const auto chosen = wrapped_choice(ui, part, area, into, hints)) into = *chosen;
}

float wrapped_choice_height(const Ui& ui, float width, std::span<const ChoiceName> choices);

// A button as wide as its words, at the left or the right end of `row`, which it is cut from.
inline bool left_button(Ui& ui, NamePart part, Rect& row, const ButtonSpec& spec, float gap = 0) {
    return button(ui, part, cut_left(row, button_width(ui, spec.label), gap), spec);
}
inline bool right_button(Ui& ui, NamePart part, Rect& row, const ButtonSpec& spec, float gap = 0) {
    return button(ui, part, cut_right(row, button_width(ui, spec.label), gap), spec);
}

} // namespace normscope
