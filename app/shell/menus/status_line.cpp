#include "app/shell/menus/menus.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/tensor_style.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

namespace normscope {
namespace {

constexpr float k_for_numbers = 0.45f; // of the line
constexpr float k_between = 12;        // what leads somewhere, and what is said
constexpr float k_mark = 24;           // of an error
constexpr float k_dismiss = 28, k_action_gap = 12;
constexpr float k_moved = 24;      // so far the mouse has to go to point elsewhere
constexpr float k_in_sight = 0.5f; // of a panel
constexpr float k_above = 12;      // so much of what is above a panel stays in sight

// More digits than a cell has room for.
void draw_values_under_mouse(Ui& ui, Rect strip, App::State& s) {
    if (s.lesson && s.lesson->player.asks()) return; // they would tell the answer
    const Hover& at = s.view.hover;
    const Derived& derived = *s.derived;
    const Document& document = derived.document();
    if (!at.token || !at.feature || *at.token >= document.token_count() ||
        *at.feature >= document.feature_count())
        return;
    const auto put = [&](const std::string& text, TextRole role, Color color, float gap) {
        const float w = ui.text_width(text, role);
        if (w > strip.w) return false;
        ui.canvas.text_in(cut_left(strip, w), text, role, color);
        cut_left(strip, gap);
        return true;
    };
    const auto token = static_cast<std::size_t>(*at.token);
    const auto feature = static_cast<std::size_t>(*at.feature);
    put((*document.tokens)[token] + ", " + (*document.features)[feature], TextRole::label,
        ui.theme.ink_soft, 20);
    constexpr int k_digits = 7; // about those of float32
    // A name with its number, or dots in place of this and all that follow.
    const auto put_value = [&](std::string_view name, Stage stage, double value) {
        const std::string number = number_text(value, k_digits), dots = "…";
        const auto width = [&](std::string_view text, TextRole role) {
            return ui.text_width(text, role);
        };
        if (width(name, TextRole::label) + 6 + width(number, TextRole::number) + 20 +
                width(dots, TextRole::label) >
            strip.w) {
            put(dots, TextRole::label, ui.theme.ink_soft, 0);
            return false;
        }
        return put(std::string(name), TextRole::label, ui.theme.of(stage), 6) &&
               put(number, TextRole::number, ui.theme.ink, 20);
    };
    const Workspace& workspace = s.workspace();
    for (const CellValue& own : workspace.values(s.memory, *at.token, *at.feature))
        if (!put_value(own.name, own.stage, own.value)) return;
    for (const auto& [tensor, id, name] : k_tensor_names) {
        const MatrixView values = derived.view(tensor);
        if (values.rows() == 0) continue; // the norm was refused
        if (!put_value(name, stage_of(tensor), values(*at.token, *at.feature))) return;
    }
    if (document.precision == Precision::float32 && workspace.in_float64)
        put("X to Y in float32, this workspace in float64", TextRole::small, ui.theme.ink_soft, 0);
}

// The last edit and its effect, in the workspace's words.
std::optional<std::string> effect_of_edit(App::State& s) {
    const Derived* const before = (s.ghost ? s.ghost : s.before).get();
    if (!before) {
        s.effect = {}; // another may come to stand at the same address
        return std::nullopt;
    }
    return s.effect.of({before, s.derived.get(), s.view.workspace},
                       [&] { return s.workspace().effect(*before, *s.derived); });
}

// The words of the status line: a message, a warning of the workspace, the effect of an edit.
struct Said {
    std::string words;
    bool is_error = false;
    bool is_message = false;  // which can be put away
    bool leaves_room = false; // for the values under the mouse

    float width(const Ui& ui, const App::State& s) const {
        if (words.empty()) return 0;
        float w = ui.text_width(words, TextRole::label) + 1;
        if (is_error) w += k_mark;
        if (is_message) w += k_dismiss;
        if (is_message && s.status_action)
            w += button_width(ui, s.status_action->label) + k_action_gap;
        return w;
    }
};

// The mouse has gone to a cell since the message came.
bool points_elsewhere(const Ui& ui, const App::State& s) {
    const Point mouse = ui.mouse();
    return s.view.hover.token && s.view.hover.feature &&
           std::hypot(mouse.x - s.said_at.x, mouse.y - s.said_at.y) > k_moved;
}

// A plain message goes when something else is pointed at; an error, or one that something can be
// done about, gives way to the numbers as long.
Said said_now(const Ui& ui, App::State& s) {
    Said said;
    const bool away = points_elsewhere(ui, s);
    if (away && !s.status_is_error && !s.status_action) s.status.clear();
    const bool on_cell = s.view.hover.token && s.view.hover.feature;
    if (!away) said.words = s.status;
    said.is_message = !said.words.empty();
    said.is_error = said.is_message && s.status_is_error;
    if (said.words.empty())
        if (const auto note = s.workspace().warning(*s.derived)) {
            said.words = *note;
            said.is_error = true;
            said.leaves_room = on_cell;
        }
    if (const auto effect = effect_of_edit(s); effect && !said.is_error) {
        said.leaves_room = said.words.empty() && on_cell;
        said.words += (said.words.empty() ? "" : " · ") + *effect;
    }
    return said;
}

void draw_said(Ui& ui, Rect strip, App::State& s, const Said& said) {
    const Theme& t = ui.theme;
    const IdScope scope(ui, "status");
    ui.name("", strip, PartKind::panel);
    if (said.words.empty()) return draw_values_under_mouse(ui, strip, s);
    const Rect dismiss = said.is_message ? cut_right(strip, k_dismiss) : Rect{};
    if (said.is_message && button(ui, "dismiss", dismiss.inset(0, 2),
                                  {"×", "Dismiss the message", true, ButtonLook::quiet}))
        s.defer([](App::State& app) { app.status.clear(); });
    if (said.is_message && s.status_action) {
        const std::string& label = s.status_action->label;
        const Rect place =
            cut_right(strip, std::min(button_width(ui, label), strip.w / 2), k_action_gap);
        if (button(ui, "action", place.inset(0, 2), {.label = label}))
            s.defer([run = s.status_action->run](App::State& app) {
                app.status.clear();
                run(app);
            });
    }
    if (said.is_error) { // by shape too, not by colour alone
        const Rect mark = cut_left(strip, 16, k_mark - 16);
        const Point c = mark.center();
        const float half = 7;
        ui.canvas.fill_triangle({c.x, c.y - half}, {c.x + half, c.y + half},
                                {c.x - half, c.y + half}, t.error);
    }
    const float w = ui.text_width(said.words, TextRole::label) + 1;
    const Rect place = cut_left(strip, w);
    ui.label(place, said.words, TextRole::label, said.is_error ? t.error : t.ink);
    if (place.w < w) ui.tooltip(ui.hit("message", place, k_by_mouse), said.words);
    cut_left(strip, 20);
    if (said.leaves_room) draw_values_under_mouse(ui, strip, s);
}

// The panels of a page that is longer than its window, from top to bottom, as many as there is room
// for. A click leads to one; those in sight are chosen.
void draw_page_outline(Ui& ui, Rect& line, const PageOutline& page, App::State& s, float room) {
    const std::string_view title = "On this page:";
    const float title_w = ui.text_width(title, TextRole::small) + 10;
    if (!page.is_long || room < 2 * title_w) return;
    const IdScope scope(ui, "outline");
    const auto width = [&](const OutlinedPanel& panel) {
        return ui.text_width(panel.figure->label, TextRole::small) + 14;
    };
    room -= k_between;
    float all = title_w;
    for (const OutlinedPanel& panel : page.panels) all += width(panel);
    if (all <= room) { // else a panel has its place
        ui.label(cut_left(line, title_w), title, TextRole::small, ui.theme.ink_soft);
        room -= title_w;
    }
    for (const OutlinedPanel& panel : page.panels) {
        const float w = width(panel);
        if (w > room) break; // what has no room is reached through the last one that has
        room -= w;
        const Rect r = cut_left(line, w).inset(0, 1);
        const bool seen = panel.seen.h > k_in_sight * panel.rect.h;
        const Hit hit = ui.hit(panel.figure->id, r, {.kind = PartKind::button});
        if (hit.hovered) ui.canvas.fill_rect(r, ui.theme.control_hover, 4);
        ui.canvas.text_in(r, panel.figure->label, TextRole::small,
                          seen ? ui.theme.ink : ui.theme.ink_soft);
        if (seen) ui.canvas.fill_rect({r.x + 7, r.bottom() - 3, r.w - 14, 2}, ui.theme.accent);
        ui.focus_ring(hit, r, 4);
        if (hit.clicked) s.scroll_by = panel.rect.y - page.top - k_above;
    }
    cut_left(line, k_between);
}

} // namespace

void draw_bottom_line(Ui& ui, Rect line, App::State& s, const PageOutline& page) {
    const Said said = said_now(ui, s);
    s.told = said.words;
    ui.canvas.fill_rect(line, ui.theme.panel);
    ui.canvas.across(line, line.y, ui.theme.border);
    line = line.inset(12, 1);
    // The numbers under the mouse come and go: their room is free all the time.
    const bool has_numbers = !s.workspace().hides_matrices;
    const float for_words = std::max(said.width(ui, s), has_numbers ? k_for_numbers * line.w : 0);
    draw_scene_strip(ui, line, s, line.w - for_words);
    draw_page_outline(ui, line, page, s, line.w - for_words);
    draw_said(ui, line, s, said);
}

void draw_busy_note(Ui& ui, Rect window, App::State& s) {
    if (!s.memory.lab.slow()) return;
    const std::string_view words = "Computing… The numbers are those of before.";
    const float w = std::min(ui.text_width(words, TextRole::label) + 28.0f, window.w - 16.0f);
    const Rect pill{window.right() - w - 8, window.bottom() - 38, w, 30};
    ui.canvas.fill_rect(pill, ui.theme.accent, 6);
    ui.label(pill.inset(12, 0), words, TextRole::label, ui.theme.on_accent, Align::center);
}

} // namespace normscope
