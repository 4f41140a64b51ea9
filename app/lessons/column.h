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
    float height() const { return area_.y - top_; } // of what stands in it so far
    const LessonScope& scope() const { return scope_; }

    // The place of the next part, `height` high; the rest of the area begins below it.
    Rect next(float height) {
        const Rect r{area_.x, area_.y, area_.w, height};
        area_.y += height;
        return r;
    }
    void space(float logical) { next(ui.px(logical)); }
    Rect rest() const { return {area_.x, area_.y, area_.w, 1e6f}; }

    void heading(std::string_view words);
    void text(const std::string& words, TextRole role = TextRole::label);
    // Feedback on an answer, with a bar in its colour.
    void verdict(const std::string& words, bool right);

  private:
    void text(const std::string& words, Rect r, TextRole role);

    Rect area_;
    float top_;
    LessonScope scope_;
};

} // namespace normscope
