#include "app/lessons/column.h"

#include "app/language/language.h"
#include "app/widgets/paragraph.h"

namespace normscope {

void LessonColumn::heading(std::string_view words) {
    next(paragraph(ui, rest(), words, TextRole::title, ui.theme.ink));
    space(4);
}

void LessonColumn::text(const std::string& words, TextRole role) {
    text(words, rest(), role);
}

void LessonColumn::text(const std::string& words, Rect r, TextRole role) {
    next(rich_paragraph(ui, r, lesson_text(words, scope_), ui.theme.ink, role));
}

void LessonColumn::verdict(const std::string& words, bool right) {
    space(4);
    const float bar = ui.px(4);
    const Rect all = rest();
    Rect r = all;
    cut_left(r, ui.px(14));
    text(std::string(right ? tr("**Right.** ") : tr("**Not this.** ")) + words, r, TextRole::label);
    ui.canvas.fill_rect({all.x, all.y, bar, rest().y - all.y},
                        right ? ui.theme.ink_of(Stage::y) : ui.theme.error, bar / 2);
}

} // namespace normscope
