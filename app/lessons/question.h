#pragma once
#include "app/lessons/lesson_text.h"
#include "app/lessons/player.h"
#include "app/widgets/ui.h"

#include <span>
#include <string>
#include <string_view>

namespace normscope {

// Words and controls of a lesson one below the other, from the top of an area.
class LessonColumn {
  public:
    LessonColumn(Ui& on, Rect area, LessonScope scope)
        : ui(on), area_(area), top_(area.y), scope_(scope) {}

    Ui& ui;

    float width() const { return area_.w; }
    float height() const { return area_.y - top_; } // of what stands in it so far

    // The place of the next part, `height` high; the rest of the area begins below it.
    Rect next(float height) {
        const Rect r{area_.x, area_.y, area_.w, height};
        area_.y += height;
        return r;
    }
    void space(float logical) { next(logical); }
    Rect rest() const { return {area_.x, area_.y, area_.w, 1e6f}; }

    void heading(std::string_view words);
    void text(const std::string& words, TextRole role = TextRole::label) {
        text(words, rest(), role);
    }
    // Feedback on an answer, with a bar in its colour.
    void verdict(const std::string& words, bool right);

  private:
    void text(const std::string& words, Rect r, TextRole role);

    Rect area_;
    float top_;
    LessonScope scope_;
};

// The person's acts on a prediction.
struct QuestionWish {
    bool changed = false; // the answer
    bool go_on = false;   // asks for the answer to be checked, or where it is, for the next step
};

// Draws a step's prediction: the question, the controls that answer it, and the feedback once the
// answer is checked. `check`: the button that has the keyboard once a number is typed.
QuestionWish draw_question(LessonColumn& column, LessonPlayer& player, ImGuiID check);

// Draws the chart on which the person draws a curve: with the mouse, or point by point with the
// arrow keys. True where the person changed the answer.
bool draw_sketch(LessonColumn& column, LessonPlayer& player);

// The chart of a sketch in `area`: the person's curve and, where `values` are given, the program's.
// Returns the rectangle that the curves stand in.
Rect draw_sketch_chart(Canvas& canvas, const Theme& theme, Rect area,
                       const LessonPrediction& predict, std::span<const double> drawn,
                       std::span<const double> values = {});

} // namespace normscope
