#include "app/widgets/paragraph.h"

namespace normscope {

float paragraph(Ui& ui, Rect r, std::string_view words, TextRole role, Color color) {
    const float line_h = ui.canvas.line_height(role) + ui.px(3);
    float y = r.y;
    std::string line;
    const auto flush = [&] {
        if (line.empty()) return;
        ui.label({r.x, y, r.w, line_h}, line, role, color);
        y += line_h;
        line.clear();
    };
    while (!words.empty()) {
        const std::size_t space = words.find(' ');
        const std::string_view word = words.substr(0, space);
        const std::string longer =
            line.empty() ? std::string(word) : line + ' ' + std::string(word);
        if (!line.empty() && ui.canvas.text_size(longer, role).w > r.w) {
            flush();
            line = word;
        } else {
            line = longer;
        }
        if (space == std::string_view::npos) break;
        words.remove_prefix(space + 1);
    }
    flush();
    return y - r.y;
}

} // namespace normscope
