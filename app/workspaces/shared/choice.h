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

float wrapped_choice_height(const Ui& ui, float width, std::span<const ChoiceName> choices);

} // namespace normscope
