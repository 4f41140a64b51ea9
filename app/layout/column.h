#pragma once
#include "app/widgets/controls.h"

#include <algorithm>
#include <span>

namespace normscope {

inline constexpr float k_row_line = 28;    // of a row
inline constexpr float k_row_gap = 2;      // below it
inline constexpr float k_row_label_w = 80; // in front of its control

// As segmented(), over as many lines as the words need and `area` has room for: one, or all.
std::optional<int> wrapped_choice(Ui& ui, NamePart part, Rect area,
                                  std::span<const ChoiceName> choices, int current,
                                  std::span<const std::string_view> hints = {});
float wrapped_choice_height(const Ui& ui, float width, std::span<const ChoiceName> choices);

// The rows of a panel, one below the other. When the column ends, it says the panel's height:
// `needed`.
class Column {
  public:
    // The panel `part` in `room`.
    Column(Ui& ui, NamePart part, Rect room, const PanelSpec& spec, float& needed);
    ~Column();
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    Ui& ui() const { return ui_; }
    float width() const { return area_.w; }
    float control_width() const { return area_.w - k_row_label_w; }

    // The next strip, and a gap behind it.
    Rect next(float height, float gap = 0);
    // The place of a control behind its label.
    Rect row(std::string_view label) { return row_of(label, k_row_line); }
    Rect row_of(std::string_view label, float height);
    Rect row_of(std::string_view label, std::span<const ChoiceName> choices) {
        return row_of(label, wrapped_choice_height(ui_, control_width(), choices));
    }
    // Small words on the row above; their place is kept where there are none.
    void note(std::string_view words);
    // Small words, wrapped.
    void says(std::string_view words, float gap = 0);
    // Draws something that says in the end how high it was: draw(a rectangle without a bottom).
    template<class Draw>
    void measured(Draw&& draw, float gap = 0) {
        next(draw(area_), gap);
    }

    // Buttons and fields in lines so high: draw(a FlowLayout). A picture has none.
    template<class Draw>
    void flow(Draw&& draw, float gap = 0, float height = k_control_height) {
        if (ui_.state.picture) return;
        FlowLayout lines(area_, height);
        draw(lines);
        next(lines.bottom() - area_.y, gap);
    }
    // The part of the panel below the rows.
    Rect rest() const { return {area_.x, area_.y, area_.w, std::max(0.0f, bottom_ - area_.y)}; }

  private:
    Ui& ui_;
    IdScope scope_;
    Rect area_; // what is left, without a bottom
    float top_, used_, bottom_;
    float& needed_;
};

} // namespace normscope
