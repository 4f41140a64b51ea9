#pragma once
#include "app/widgets/controls.h"
#include "core/norm/definitions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace normscope {

// Sizes that four heads divide.
inline constexpr std::array<double, 13> k_widths = {4,  8,  12,  16,  24,  32, 48,
                                                    64, 96, 128, 192, 256, 512};
inline constexpr std::array<double, 13> k_token_counts = {1,  2,  4,  8,   12,  16, 24,
                                                          32, 48, 64, 128, 256, 512};

// Tracks: whole numbers, one of several, linear, logarithmic. What was typed may lie between.
SliderSpec counted(double value, int lo, int hi, int reset, std::string_view hint);
SliderSpec listed(double value, std::span<const double> steps, double reset, std::string_view hint);
SliderSpec linear(double value, double lo, double hi, double reset, std::string_view hint);
SliderSpec logarithmic(double value, double lo, double hi, double reset, std::string_view hint);

// slider(), of which only the value is wanted.
std::optional<double> slide(Ui& ui, NamePart part, Rect r, const SliderSpec& spec);

// Small words beside what they are about.
inline void soft_label(Ui& ui, Rect r, std::string_view words) {
    ui.label(r, words, TextRole::small, ui.theme.ink_soft);
}
// Words at the left end of `row`, which they and a gap of so many pixels at scale 1 are cut from.
inline void left_words(Ui& ui, Rect& row, std::string_view words, TextRole role, Color ink,
                       float gap) {
    const float w = ui.canvas.text_size(words, role).w + ui.px(gap);
    ui.label(cut_left(row, w), words, role, ink);
}
inline void soft_label(Ui& ui, Rect r, std::string_view words, Align align) {
    ui.label(r, words, TextRole::small, ui.theme.ink_soft, align);
}
inline float small_width(const Ui& ui, std::string_view words) {
    return ui.canvas.text_size(words, TextRole::small).w;
}
inline float soft_paragraph(Ui& ui, Rect r, std::string_view words) {
    return paragraph(ui, r, words, TextRole::small, ui.theme.ink_soft);
}

// The next of buttons in a row, as wide as its words need.
inline bool button(Ui& ui, FlowLayout& flow, NamePart part, const ButtonSpec& spec) {
    return button(ui, part, flow.next(button_width(ui, spec.label)), spec);
}

// The same, which sets `into`.
template<class T>
void slide_into(Ui& ui, NamePart part, Rect r, const SliderSpec& spec, T& into) {
    if (const auto value = slide(ui, part, r, spec)) into = static_cast<T>(*value);
}

// Of a width: as many hidden features a feature as before, as many heads and groups as divide it.
template<class Config>
Config with_width(Config c, Index width, Index most_ffn) {
    const Index times = std::max<Index>(1, c.ffn / c.width);
    c.width = width;
    c.ffn = std::min(times * width, most_ffn);
    while (c.width % c.heads != 0) --c.heads;
    c.norm.groups = fitting_groups(c.norm.groups, width);
    return c;
}

inline bool has_groups(const Norm& norm) {
    return norm_entry(norm).shares == Shares::group;
}
// Of a norm's groups, which divide the width.
std::optional<Index> group_stepper(Ui& ui, NamePart part, Rect r, Index groups, Index width);

// A seed to be typed, and a button for the next one.
std::optional<std::uint64_t> seed_row(Ui& ui, NamePart part, Rect r, std::uint64_t seed,
                                      std::string_view hint, std::string_view next_hint);

} // namespace normscope
