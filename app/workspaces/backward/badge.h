#pragma once
#include "app/study/backward/backward.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"

#include <optional>
#include <string>

namespace normscope {

// What a badge says of a gradient.
struct Checked {
    const SampledCheck& check;
    std::string where;             // the entry that is named
    std::optional<NotANumber> why; // it is NaN, where it is
};

// A gradient's badge: analytic against central differences, with the largest difference, or why it
// is NaN. Takes its room off the right of `head`.
void check_badge(Ui& ui, NamePart part, Rect& head, const Backward& backward,
                 const Checked& checked);

// A panel with a title and, at the right of its head, a badge. Returns the inside below.
Rect checked_panel(Ui& ui, Rect r, const PanelSpec& spec, const Backward& backward,
                   const Checked& checked);

// "0.364", "3e-12", "NaN": a number in few characters.
std::string short_number(double value);

// The most decimals of a gradient, in cells as below bars.
inline constexpr int k_gradient_decimals = 4;

} // namespace normscope
