#pragma once
#include "app/lessons/lesson_text.h"
#include "app/widgets/ui.h"

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
    float height() const { return area_.y - top_; } // so far
    const LessonScope& scope() const { return scope_; }

    // What comes next, so high; the rest begins below it.
    Rect next(float height) {
        const Rect r{area_.x, area_.y, area_.w, height};
        area_.y += height;
        return r;
    }
    void space(float logical) { next(ui.px(logical)); }
    Rect rest() const { return {area_.x, area_.y, area_.w, 1e6f}; }

    void heading(std::string_view words);
    // A text of the lesson, with its numbers.
    void text(const std::string& words, TextRole role = TextRole::label);
    // What is said of an answer, with a bar in its colour.
    void verdict(const std::string& words, bool right);

  private:
    void text(const std::string& words, Rect r, TextRole role);

    Rect area_;
    float top_;
    LessonScope scope_;
};

} // namespace normscope
