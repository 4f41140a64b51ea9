#pragma once
#include "app/widgets/controls.h"

#include <algorithm>
#include <cmath>
#include <string_view>

// Words beside what they are about, and buttons as wide as their words.
namespace normscope {

inline void soft_label(Ui& ui, Rect r, Text words, Align align = Align::left) {
    ui.label(r, words, TextRole::small, ui.theme.ink_soft, align);
}
inline float soft_paragraph(Ui& ui, Rect r, Text words) {
    return paragraph(ui, r, words, TextRole::small, ui.theme.ink_soft);
}
inline float error_paragraph(Ui& ui, Rect r, Text words) {
    return paragraph(ui, r, words, TextRole::small, ui.theme.error);
}
inline float small_width(const Ui& ui, Text words) {
    return ui.text_width(words, TextRole::small);
}

// The height of small words that would take `one_line` in one line, wrapped.
inline float lines_height(const Ui& ui, float width, float one_line) {
    const float lines = std::ceil(one_line / std::max(width, 100.0f));
    return std::clamp(lines, 1.0f, 8.0f) * (ui.canvas.line_height(TextRole::small) + 3.0f);
}

// Words at the left end of `row`, which they and a gap are cut from.
inline void left_words(Ui& ui, Rect& row, Text words, TextRole role, Color ink, float gap) {
    const float w = ui.text_width(words, role) + gap;
    ui.label(cut_left(row, w), words, role, ink);
}

// The next of buttons in a row, as wide as its words need.
inline bool button(Ui& ui, FlowLayout& flow, NamePart part, const ButtonSpec& spec) {
    return button(ui, part, flow.next(button_width(ui, spec.label)), spec);
}

// A button as wide as its words, at the left or the right end of `row`, which it and a gap are
// cut from.
inline bool left_button(Ui& ui, NamePart part, Rect& row, const ButtonSpec& spec, float gap = 0) {
    return button(ui, part, cut_left(row, button_width(ui, spec.label), gap), spec);
}
inline bool right_button(Ui& ui, NamePart part, Rect& row, const ButtonSpec& spec, float gap = 0) {
    return button(ui, part, cut_right(row, button_width(ui, spec.label), gap), spec);
}

inline float more_width(const Ui& ui) {
    return std::max(button_width(ui, "More ▾"), button_width(ui, "Less ▴"));
}
// The button at the left end of `row` that folds rows away, or brings them back, as a lesson does
// that needs one of them. Returns whether they are there: `open` in this frame; `next` takes what
// becomes of it. A picture has no button.
struct FoldWords {
    std::string_view part, closed, opened, hint; // `hint`: of what comes
};
inline bool fold(Ui& ui, Rect row, const FoldWords& words, bool open, bool& next) {
    if (ui.state.picture) return open;
    if (!ui.state.missed.empty()) next = true;
    const std::string_view label = open ? words.opened : words.closed;
    const std::string_view hint = open ? "Folds the rows below away" : words.hint;
    if (left_button(ui, words.part, row, {label, hint, true, ButtonLook::quiet})) next = !open;
    return open;
}
inline constexpr FoldWords k_more{"more", "More ▾", "Less ▴", "What is seldom changed"};
inline bool more(Ui& ui, Rect row, bool open, bool& next) {
    return fold(ui, row, k_more, open, next);
}

} // namespace normscope
