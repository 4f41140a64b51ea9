#include "app/shell/menus/menus.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/tensor_style.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <imgui.h>

namespace normscope {
namespace {

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
        const float w = ui.canvas.text_size(text, role).w;
        if (w > strip.w) return false;
        ui.canvas.text_in(cut_left(strip, w), text, role, color);
        cut_left(strip, std::min(strip.w, ui.px(gap)));
        return true;
    };
    const auto token = static_cast<std::size_t>(*at.token);
    const auto feature = static_cast<std::size_t>(*at.feature);
    put((*document.tokens)[token] + ", " + (*document.features)[feature], TextRole::label,
        ui.theme.ink_soft, 20);
    constexpr int k_digits = 7; // about those of float32
    const auto put_value = [&](std::string_view name, Stage stage, double value) {
        return put(std::string(name), TextRole::label, ui.theme.of(stage), 6) &&
               put(number_text(value, k_digits), TextRole::number, ui.theme.ink, 20);
    };
    const Workspace& workspace = workspace_table()[s.view.workspace];
    for (const CellValue& own : workspace.values(s.memory, *at.token, *at.feature))
        put_value(own.name, own.stage, own.value);
    for (const auto& [tensor, id, name] : k_tensor_names) {
        const MatrixView values = derived.view(tensor);
        if (values.rows() == 0) continue; // the norm was refused
        if (!put_value(name, stage_of(tensor), values(*at.token, *at.feature))) return;
    }
    if (document.precision == Precision::float32 && workspace.in_float64)
        put("X to Y in float32, this workspace in float64", TextRole::small, ui.theme.ink_soft, 0);
}

// What the last edit changed and what came of it.
std::optional<std::string> effect_of_edit(App::State& s) {
    const Derived* const before = (s.ghost ? s.ghost : s.before).get();
    if (!before) {
        s.effect = {}; // another may come to stand at the same address
        return std::nullopt;
    }
    return s.effect.of({before, s.derived.get(), s.view.workspace}, [&] {
        return workspace_table()[s.view.workspace].effect(*before, *s.derived);
    });
}

} // namespace

void draw_status_line(Ui& ui, Rect& window, App::State& s) {
    const Theme& t = ui.theme;
    Rect strip = cut_bottom(window, ui.px(32));
    const IdScope scope(ui, "status");
    ui.name("", strip, PartKind::panel);
    std::string words = s.status;
    bool is_error = s.status_is_error;
    bool leaves_room = false; // for the values under the mouse
    if (words.empty())
        if (const auto note = workspace_table()[s.view.workspace].warning(*s.derived)) {
            words = *note;
            is_error = true;
            leaves_room = s.view.hover.token && s.view.hover.feature;
        }
    if (const auto effect = effect_of_edit(s); effect && !is_error) {
        leaves_room = words.empty() && s.view.hover.token && s.view.hover.feature;
        words += (words.empty() ? "" : " · ") + *effect;
    }
    if (words.empty()) return draw_values_under_mouse(ui, strip.inset(ui.px(16), 0), s);
    ui.canvas.fill_rect(strip, t.panel);
    ui.canvas.line({strip.x, strip.y}, {strip.right(), strip.y}, t.border, ui.px(1));
    cut_left(strip, ui.px(16));
    cut_right(strip, ui.px(8));
    const Rect dismiss = cut_right(strip, ui.px(28)).inset(0, ui.px(2));
    // What the numbers themselves say stays as long as they do.
    if (!s.status.empty() &&
        button(ui, "dismiss", dismiss,
               {.label = "×", .look = ButtonLook::quiet, .hint = "Dismiss the message"}))
        s.defer([](App::State& app) { app.status.clear(); });
    if (!s.status.empty() && s.status_action) {
        const std::string& label = s.status_action->label;
        cut_right(strip, ui.px(8));
        const Rect place =
            cut_right(strip, std::min(button_width(ui, label), strip.w / 2), ui.px(12));
        if (button(ui, "action", place.inset(0, ui.px(2)), {.label = label}))
            s.defer([run = s.status_action->run](App::State& app) {
                app.status.clear();
                run(app);
            });
    }
    if (is_error) { // by shape too, not by colour alone
        const Rect mark = cut_left(strip, ui.px(16));
        const Point c = mark.center();
        const float half = ui.px(7);
        ui.canvas.fill_triangle({c.x, c.y - half}, {c.x + half, c.y + half},
                                {c.x - half, c.y + half}, t.error);
        cut_left(strip, ui.px(8));
    }
    const float w = ui.canvas.text_size(words, TextRole::label).w + 1;
    const Rect place = cut_left(strip, std::min(w, strip.w));
    ui.label(place, words, TextRole::label, is_error ? t.error : t.ink);
    if (place.w < w) ui.tooltip(ui.hit("message", place, {.focusable = false}), words);
    cut_left(strip, std::min(ui.px(20), strip.w));
    if (leaves_room) draw_values_under_mouse(ui, strip, s);
}

void draw_busy_note(Ui& ui, Rect window, App::State& s) {
    if (!s.memory.slow()) return;
    const std::string_view words = "Computing… The numbers are those of before.";
    const float w =
        std::min(ui.canvas.text_size(words, TextRole::label).w + ui.px(28), window.w - ui.px(16));
    const Rect pill{window.right() - w - ui.px(8), window.bottom() - ui.px(38), w, ui.px(30)};
    ui.canvas.fill_rect(pill, ui.theme.accent, ui.px(6));
    ui.label(pill.inset(ui.px(12), 0), words, TextRole::label, ui.theme.on_accent, Align::center);
}

} // namespace normscope
