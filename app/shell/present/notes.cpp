#include "app/shell/present/notes.h"

#include "app/charts/cairo_canvas.h"
#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/lessons/lesson_text.h"
#include "app/shell/files/figure.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "core/base/lists.h"

#include <algorithm>
#include <ranges>
#include <string_view>

namespace normscope {
namespace {

constexpr float k_notes_margin = 18, k_notes_margin_y = 11;
constexpr float k_between_lines = 5;
constexpr float k_largest_notes = 1.0f / 320, k_least_notes = 1.0f / 1400; // of the page's height
constexpr float k_smaller_notes = 0.88f;

void add_line(std::string& lines, const std::string& line) {
    if (line.empty()) return;
    lines += (lines.empty() ? "" : "\n") + line;
}

// The step's answer and what the step reveals: the teacher knows both before the class does.
std::string notes_of_step(const LessonPlayer& player) {
    const LessonScope scope = player.scope();
    const auto words = [&](const std::string& text) { return plain_words(text, scope); };
    std::string lines;
    const LessonStep& step = player.step();
    if (const auto& predict = step.predict) {
        for (const auto i : indices(predict->options))
            if (const LessonOption& option = predict->options[i]; option.right)
                add_line(lines, worded("{}: {}. {}", static_cast<char>('A' + i), words(option.text),
                                       words(option.feedback)));
        if (predict->kind == LessonPrediction::Kind::number)
            if (const auto value = evaluate_number(predict->value, scope))
                add_line(lines, number_text(*value, 5));
        add_line(lines, words(predict->right));
    }
    if (step.task) add_line(lines, worded("Do: {}", words(step.task->text)));
    if (player.task_holds()) add_line(lines, words(step.reveal));
    add_line(lines, words(step.principle));
    return lines;
}

std::string titled(const std::string& title, const std::string& question) {
    return question.empty() ? title : worded("{} — {}", title, question);
}

std::string next_of_step(const LessonPlayer& player) {
    if (player.last()) return {};
    const LessonStep& next = player.lesson().steps[player.at() + 1];
    return titled(next.title, next.predict ? next.predict->question : "");
}

std::string hands_raised(const App::State& s) {
    std::string text;
    for (const auto i : indices(answers_of(s)))
        text += fmt::format("{}{} {}", i == 0 ? "" : "   ", static_cast<char>('A' + i),
                            s.present.hands[i]);
    return text;
}

auto lines_of(const NotesPage& page) {
    const std::string_view notes =
        page.notes.empty() ? tr("No notes.") : std::string_view(page.notes);
    return notes | std::views::split('\n') | std::views::transform([](auto line) {
               return std::string_view(line.begin(), line.end());
           });
}

// The height of the line above the notes, and of the line below them.
float edge_height(const Ui& ui) {
    return ui.canvas.line_height(TextRole::title) + 4;
}

} // namespace

std::optional<NotesPage> notes_page(const App::State& s) {
    if (!s.present.on) return std::nullopt;
    NotesPage page{s.view.theme, slide_title(s), {}, {}, {}, hands_raised(s)};
    page.time = worded("{} min", s.present.minutes_drawn);
    if (s.lesson) {
        page.notes = notes_of_step(s.lesson->player);
        page.next = next_of_step(s.lesson->player);
    } else if (const auto scene = present_scene(s); scene && s.present.of_scenes) {
        const Scenes& scenes = *s.document().scenes;
        const std::size_t next = *scene + 1;
        page.notes = scenes[*scene].notes;
        if (next < scenes.size())
            page.next = titled(scene_title(scenes, next), scenes[next].question);
    }
    return page;
}

float notes_height(const Ui& ui, float width, const NotesPage& page) {
    float h = 2 * (edge_height(ui) + k_notes_margin_y);
    for (const std::string_view line : lines_of(page))
        h += paragraph_height(ui, width - 2 * k_notes_margin, Text::typed(line)) + k_between_lines;
    return h;
}

void draw_notes(Ui& ui, Rect r, const NotesPage& page) {
    const Theme& t = ui.theme;
    ui.canvas.fill_rect(r, t.panel);
    const bool fits = notes_height(ui, r.w, page) <= r.h + 1;
    const TextRole role = fits ? TextRole::label : TextRole::small;
    Rect rest = r.inset(k_notes_margin, k_notes_margin_y);
    Rect head = cut_top(rest, edge_height(ui));
    const float time_w = ui.text_width(page.time, TextRole::title) + 8;
    ui.canvas.text_in(cut_right(head, time_w), page.time, TextRole::title, t.ink, Align::right);
    ui.label(head, page.heading, TextRole::label, t.ink_soft);
    Rect feet = cut_bottom(rest, edge_height(ui));
    const float hands_w = std::min(ui.text_width(page.hands, TextRole::label) + 12.0f, feet.w / 2);
    ui.label(cut_right(feet, hands_w), page.hands, TextRole::label, t.ink, Align::right);
    ui.label(feet, page.next.empty() ? "Nothing comes then" : worded("Next: {}", page.next),
             TextRole::label, t.ink_soft);
    ui.canvas.across(rest, feet.y, t.border);
    const Color ink = page.notes.empty() ? t.ink_soft : t.ink;
    for (const std::string_view line : lines_of(page)) {
        const float h = paragraph_height(ui, rest.w, Text::typed(line), role) + k_between_lines;
        if (h <= rest.h + 1) paragraph(ui, rest, Text::typed(line), role, ink);
        cut_top(rest, h);
    }
}

Result<std::vector<std::uint32_t>> notes_picture(const NotesPage& page, int w, int h) {
    const Size size{static_cast<float>(w), static_cast<float>(h)};
    float wanted = 0;
    const auto draw = [&](Canvas& canvas) {
        const UnseenFrame unseen(size);
        UiState state;
        state.picture = true;
        Ui ui(canvas, theme(page.theme), state);
        const Rect area = canvas.from_pixels({0, 0, size.w, size.h});
        wanted = notes_height(ui, area.w, page) * canvas.scale();
        draw_notes(ui, area, page);
    };
    float scale = size.h * k_largest_notes;
    auto pixels = draw_pixels(size, scale, draw);
    while (pixels && wanted > size.h && scale > size.h * k_least_notes) {
        scale *= k_smaller_notes;
        pixels = draw_pixels(size, scale, draw);
    }
    return pixels;
}

} // namespace normscope
