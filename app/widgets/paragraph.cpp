#include "app/widgets/paragraph.h"

#include "app/language/language.h"

#include <ranges>

namespace normscope {
namespace {

float line_height(const Ui& ui, TextRole role) {
    return ui.canvas.line_height(role) + ui.px(3);
}

} // namespace

void wrapped(const Ui& ui, float width, std::string_view words, TextRole role,
             const std::function<void(const std::string&)>& line) {
    const AsTyped words_as_they_are(ui.canvas);
    std::string text;
    for (const auto part : std::views::split(tr(words), ' ')) {
        const std::string word(part.begin(), part.end());
        const std::string longer = text.empty() ? word : text + ' ' + word;
        if (!text.empty() && ui.canvas.text_size(longer, role).w > width) {
            line(text);
            text = word;
        } else {
            text = longer;
        }
    }
    if (!text.empty()) line(text);
}

float paragraph(Ui& ui, Rect r, std::string_view words, TextRole role, Color color) {
    const float line_h = line_height(ui, role);
    float y = r.y;
    wrapped(ui, r.w, words, role, [&](const std::string& line) {
        ui.label({r.x, y, r.w, line_h}, line, role, color);
        y += line_h;
    });
    return y - r.y;
}

float paragraph_height(const Ui& ui, float width, std::string_view words, TextRole role) {
    int lines = 0;
    wrapped(ui, width, words, role, [&](const std::string&) { ++lines; });
    return static_cast<float>(lines) * line_height(ui, role);
}

std::string sentence(const Error& error) {
    std::string words = error_text(error);
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    if (!words.ends_with('.')) words += '.';
    return words;
}

} // namespace normscope
