#include "app/lessons/panel.h"

#include "app/language/language.h"
#include "app/lessons/question.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

namespace normscope {
namespace {

constexpr float k_edge = 16;
constexpr float k_feet_h = 56;
constexpr float k_dots_h = 26;
constexpr float k_button_h = 32;
constexpr float k_space = 12; // between the parts of the panel

// The part of the panel that scrolls, from top to bottom.
class Body {
  public:
    Body(Ui& ui, Rect area, LessonPlayer& player, LessonWish& wish, ImGuiID check,
         std::optional<Key>& keyed)
        : ui_(ui), column_(ui, area, player.scope()), player_(player), wish_(wish), check_(check),
          keyed_(keyed) {}

    float height() const { return column_.height(); }

    void draw(const std::string& elsewhere) {
        const LessonStep& step = player_.step();
        column_.heading(step.title);
        column_.text(step.text);
        if (!elsewhere.empty()) way_back(elsewhere);
        if (step.predict) {
            column_.space(k_space);
            const QuestionWish asked = draw_question(column_, player_, check_);
            wish_.acted |= asked.changed;
            if (asked.go_on) keyed_ = Key::enter;
        }
        if (player_.asks()) return;
        if (step.task) task(*step.task);
        if (!player_.complete()) return;
        if (!step.reveal.empty()) {
            column_.space(k_space);
            if (player_.task_holds())
                column_.text(step.reveal);
            else
                column_.text(worded("Do it again to see the numbers of this step."),
                             TextRole::small);
        }
        if (!step.principle.empty()) principle(step.principle);
        if (player_.last()) score();
    }

  private:
    void way_back(const std::string& tab) {
        column_.space(8);
        const std::string label = worded("Show {}", tab);
        Rect r = column_.next(k_button_h);
        r.w = std::min(button_width(ui_, label), r.w);
        if (button(ui_, "to-workspace", r, {label, "This step is about it"}))
            wish_.to_workspace = true;
    }

    void task(const LessonTask& task) {
        column_.space(k_space);
        column_.heading(tr("Do"));
        const auto spans = lesson_text(task.text, player_.scope());
        const auto now = lesson_text(task.now, player_.scope());
        const float text_w = column_.width() - 46;
        const float text_h = rich_paragraph_height(ui_, text_w, spans);
        const float now_h = task.now.empty() ? 0 : rich_paragraph_height(ui_, text_w, now);
        const Rect box = column_.next(text_h + now_h + 14);
        const bool done = player_.task_done();
        const Theme& t = ui_.theme;
        ui_.name("task", box, PartKind::place);
        ui_.canvas.stroke_rect(box, done ? t.of(Stage::y) : t.focus, 1.5f, 5);
        const Point mark{box.x + 20, box.y + 7 + 11};
        if (!done) {
            ui_.canvas.stroke_circle(mark, 9, t.ink_soft, 1.5f);
        } else {
            ui_.canvas.fill_circle(mark, 9, t.of(Stage::y));
            const Point low{mark.x - 1, mark.y + 3.5f};
            ui_.canvas.line({mark.x - 4, mark.y}, low, t.panel, 1.7f);
            ui_.canvas.line(low, {mark.x + 4.5f, mark.y - 3.5f}, t.panel, 1.7f);
        }
        Rect inside{box.x + 38, box.y + 7, text_w, text_h};
        rich_paragraph(ui_, inside, spans);
        inside.y += text_h;
        if (now_h > 0) rich_paragraph(ui_, inside, now, t.ink_soft);
        hints(task);
    }

    void hints(const LessonTask& task) {
        const std::size_t shown = std::min(player_.answer().hints, task.hints.size());
        for (const auto i : indices(shown)) {
            column_.space(6);
            column_.text(task.hints[i], TextRole::small);
        }
        if (player_.task_done()) return;
        column_.space(6);
        if (player_.shown_act)
            return column_.text(
                worded("Watch the page: {} of {}.", *player_.shown_act + 1, task.solution.size()),
                TextRole::small);
        const bool again = player_.shows_solution();
        if (again) column_.text("The page shows what to do, in order.", TextRole::small);
        const std::string label = again ? "Show me again"
                                  : shown == task.hints.size()
                                      ? "Show me"
                                      : worded("Hint {} of {}", shown + 1, task.hints.size());
        Rect row = column_.next(28);
        if (button(ui_, "hint", cut_left(row, button_width(ui_, label)), {label})) {
            player_.show_hint();
            wish_.acted = true;
            wish_.show_solution = player_.shows_solution();
        }
        if (player_.last()) return; // Finish asks about what is not done
        const std::string_view skip = "Skip the task";
        if (button(ui_, "skip", cut_right(row, button_width(ui_, skip)),
                   {skip, "The step stays open", true, ButtonLook::quiet}))
            wish_.go = player_.at() + 1;
    }

    void principle(const std::string& words) {
        column_.space(k_space);
        const auto spans = lesson_text(words, player_.scope());
        const float w = column_.width() - 24;
        const float h = rich_paragraph_height(ui_, w, spans);
        const Rect box = column_.next(h + 18);
        ui_.name("principle", box, PartKind::place);
        ui_.canvas.fill_rect(box, ui_.theme.background, 5);
        rich_paragraph(ui_, {box.x + 12, box.y + 9, w, h}, spans);
    }

    void score() {
        const auto [right, made] = player_.score();
        if (made == 0) return;
        column_.space(k_space);
        column_.text(worded("Right at the first try: {} of {} predictions.", right, made));
    }

    Ui& ui_;
    LessonColumn column_;
    LessonPlayer& player_;
    LessonWish& wish_;
    ImGuiID check_;
    std::optional<Key>& keyed_; // LessonPanelState
};

// Draws a dot a step, filled where the step is complete; a click on a dot goes to its step.
void draw_dots(Ui& ui, Rect row, const LessonPlayer& player, LessonWish& wish) {
    const std::size_t steps = player.lesson().steps.size();
    const int minutes = player.lesson().minutes;
    std::string where = worded("step {} of {}", player.at() + 1, steps);
    const auto width = [&](const std::string& text) {
        return ui.text_width(text, TextRole::small) + 1;
    };
    const std::string with_minutes = worded("{} · {} min", where, minutes);
    if (minutes > 0 && width(with_minutes) < row.w / 2) where = with_minutes;
    const float where_w = width(where);
    ui.label(cut_right(row, where_w, 8), where, TextRole::small, ui.theme.ink_soft, Align::right);
    const float pitch = std::min(22.0f, row.w / static_cast<float>(steps));
    const Theme& t = ui.theme;
    const float y = row.center().y;
    const float radius = std::min(4.5f, pitch * 0.35f);
    for (const auto i : indices(steps)) {
        const Rect place{row.x + pitch * static_cast<float>(i), row.y, pitch, row.h};
        const Point c{place.x + radius + 2, y};
        const bool passed = i < player.at();
        if (i + 1 < steps)
            ui.canvas.line({c.x + radius, y}, {c.x + pitch - radius, y}, passed ? t.ink : t.border,
                           1.5f);
        const Hit hit = ui.hit(fmt::format("step-{}", i + 1), place,
                               {.kind = PartKind::button, .focusable = false});
        if (player.complete(i))
            ui.canvas.fill_circle(c, radius, t.ink);
        else
            ui.canvas.stroke_circle(c, radius, hit.hovered ? t.ink : t.ink_soft, 1.5f);
        if (i == player.at()) ui.canvas.stroke_circle(c, radius + 3, t.ink, 1.5f);
        ui.tooltip(hit, worded("Go to step {}: {}", i + 1, player.lesson().steps[i].title));
        if (hit.clicked && i != player.at()) wish.go = i;
    }
}

void draw_head(Ui& ui, Rect& r, const LessonPlayer& player, LessonPanelState& state,
               std::size_t number, bool folds, LessonWish& wish) {
    Rect row = cut_top(r, 28);
    if (button(
            ui, "close", cut_right(row, 28),
            {"×", "Close the lesson; your own document is there again", true, ButtonLook::quiet}))
        wish.close = true;
    if (folds) {
        cut_right(row, 6);
        const std::string_view label = "Page ▾";
        if (button(ui, "fold", cut_right(row, button_width(ui, label)),
                   {label, "Look at the page; the lesson waits below it"}))
            wish.acted = state.folded = true;
    }
    const std::string& title = player.lesson().title;
    ui.label(row, number > 0 ? worded("Lesson {} · {}", number, title) : title, TextRole::small,
             ui.theme.ink_soft);
    draw_dots(ui, cut_top(r, k_dots_h), player, wish);
    if (folds) return; // the question has no room beside the page
    cut_top(r, paragraph(ui, r, player.lesson().question, TextRole::title));
}

void draw_feet(Ui& ui, Rect row, LessonPlayer& player, LessonPanelState& state, LessonWish& wish) {
    const std::optional<Key> keyed = std::exchange(state.keyed, std::nullopt);
    const float gap = 8;
    const float side = std::floor(row.w * 0.27f);
    const bool has_back = player.at() > 0;
    if (button(ui, "back", cut_left(row, side, gap), {"◂ Back", "Alt+←", has_back}) ||
        (has_back && keyed == Key::left))
        wish.go = player.at() - 1;
    const bool open = !player.asks();
    const bool can = player.can_check();
    const bool complete = player.complete();
    const bool leads_on = complete || (open && player.last());
    const std::string_view label = player.last() ? "Finish" : "Next ▸";
    const ButtonLook look = complete ? ButtonLook::primary : ButtonLook::plain;
    const Rect right = player.step().predict ? cut_right(row, side) : row;
    if (player.step().predict) {
        cut_right(row, gap);
        if (button(ui, "check", row,
                   {"Check",
                    can    ? "Alt+Enter"
                    : open ? "Checked; another answer can be tried"
                           : "Give an answer first",
                    can, can || !open ? ButtonLook::primary : ButtonLook::plain}) ||
            (can && keyed == Key::enter)) {
            player.check();
            wish.acted = state.to_the_end = true;
            // The next Enter goes on; where a task waits on the page, Tab goes there.
            if (ui.state.focus == NamePart("check").id())
                ui.state.focus = player.complete() ? NamePart("next").id() : 0;
            take_key(Key::enter);
        }
    }
    const std::string_view hint = !open      ? "Make a prediction first: a wrong one helps too"
                                  : leads_on ? "Alt+→"
                                             : "Do the task first, or skip it beside its hint";
    const bool pressed = button(ui, "next", right, {label, hint, leads_on, look});
    const bool entered = complete && !can && keyed == Key::enter;
    if (pressed || entered || (leads_on && keyed == Key::right)) {
        wish.finish = player.last();
        if (!player.last()) wish.go = player.at() + 1;
    }
}

} // namespace

LessonWish draw_lesson_panel(Ui& ui, Rect r, LessonPlayer& player, LessonPanelState& state,
                             std::size_t number, const std::string& elsewhere, bool folds) {
    LessonWish wish;
    const IdScope scope(ui, "lesson");
    ui.name("", r, PartKind::panel);
    ui.canvas.fill_rect(r, ui.theme.panel);
    ui.canvas.down(r, r.x, ui.theme.border);
    Rect inside = r.inset(k_edge, 10);
    draw_head(ui, inside, player, state, number, folds, wish);
    cut_top(inside, 8);
    Rect feet = cut_bottom(inside, k_feet_h - 10);
    ui.canvas.across(r, inside.y, ui.theme.border);
    ui.canvas.across(r, feet.y, ui.theme.border);
    cut_top(feet, 12);
    cut_top(inside, 2);

    const ImGuiID check = NamePart("check").id(); // as draw_feet() names it, outside the child
    // The words scroll; their scroll bar stands at the panel's edge.
    const Rect page{inside.x, inside.y, r.right() - inside.x, inside.h - 2};
    {
        const auto end = scrolled(ui, "##lesson", page);
        if (std::exchange(state.to_the_top, false)) ui.scroll_to(0);
        const float scroll = ui.scroll();
        Body body(ui, {page.x, page.y - scroll + 10, inside.w, 0}, player, wish, check,
                  state.keyed);
        ui.canvas.push_clip(page);
        body.draw(elsewhere);
        ui.canvas.pop_clip();
        const float before = std::exchange(state.content_h, body.height() + 20);
        if (state.to_the_end && before < state.content_h) {
            ui.scroll_to(std::max(0.0f, state.content_h - page.h));
            state.to_the_end = false;
        }
        if (before != state.content_h) wish.acted = true;
        if (state.content_h > page.h) ui.scroll_room({page.x, page.y - scroll}, state.content_h);
    }
    draw_feet(ui, feet, player, state, wish);
    return wish;
}

LessonWish draw_folded_lesson(Ui& ui, Rect r, const LessonPlayer& player, LessonPanelState& state) {
    LessonWish wish;
    const IdScope scope(ui, "lesson");
    ui.name("", r, PartKind::panel);
    ui.canvas.fill_rect(r, ui.theme.panel);
    ui.canvas.across(r, r.y, ui.theme.border);
    Rect row = r.inset(k_edge, 6);
    const std::string_view label = "Lesson ▴";
    if (button(ui, "unfold", cut_right(row, button_width(ui, label)),
               {label, "The lesson's step", true,
                player.complete() ? ButtonLook::primary : ButtonLook::plain}) ||
        state.keyed) {
        state.folded = false;
        wish.acted = true;
    }
    state.keyed.reset();
    cut_right(row, 8);
    ui.label(row, (player.complete() ? "✓ " : "") + player.step().title);
    return wish;
}

} // namespace normscope
