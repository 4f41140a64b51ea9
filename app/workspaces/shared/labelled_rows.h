#pragma once
#include "app/layout/column.h"
#include "app/layout/small_words.h"

#include <algorithm>

namespace normscope {

// One of the choices of an enumeration, over as many lines as the words need.
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

inline constexpr float k_row_step = 30; // pixels at scale 1, from row to row
inline constexpr float k_row_note = 16, k_below_row_note = 4;

// The width of a row's control in a panel.
inline float row_control_w(const Ui& ui, float panel_w) {
    return panel_w - ui.px(20 + k_row_label_w);
}

// Rows of a label and a control, one below the other.
class LabelledRows {
  public:
    LabelledRows(Ui& ui, Rect area) : ui_(ui), area_(area) {}

    Rect next(std::string_view label, float height) {
        Rect r = cut_top(area_, height, ui_.px(k_row_step - k_row_line));
        Rect name = cut_left(r, ui_.px(k_row_label_w));
        name.h = std::min(name.h, ui_.px(k_row_line));
        const bool fits = ui_.canvas.text_size(label, TextRole::label).w <= name.w;
        ui_.label(name, label, fits ? TextRole::label : TextRole::small, ui_.theme.ink_soft);
        return r;
    }
    Rect next(std::string_view label) { return next(label, ui_.px(k_row_line)); }
    // As many lines as the choices of an enumeration need.
    template<class E>
    Rect of(std::string_view label, float width) {
        return next(label, wrapped_choice_height(ui_, width, names_of<E>()));
    }
    // Small words on the row above; their place is kept where there are none.
    void note(std::string_view words) {
        Rect r = cut_top(area_, ui_.px(k_row_note), ui_.px(k_below_row_note));
        cut_left(r, ui_.px(k_row_label_w));
        ui_.label(r, words, TextRole::small, ui_.theme.ink_soft);
    }
    Rect rest() const { return area_; }

  private:
    Ui& ui_;
    Rect area_;
};

} // namespace normscope
