#include "app/shell/status_line.h"

#include "app/widgets/controls.h"

namespace normscope {

void draw_status_line(Ui& ui, Rect& window, App::State& s) {
    if (s.status.empty()) return;
    const Theme& t = ui.theme;
    Rect strip = cut_bottom(window, ui.px(32));
    ui.canvas.fill_rect(strip, t.panel);
    ui.canvas.line({strip.x, strip.y}, {strip.right(), strip.y}, t.border, ui.px(1));
    cut_left(strip, ui.px(16));
    cut_right(strip, ui.px(8));
    const Rect dismiss = cut_right(strip, ui.px(28)).inset(0, ui.px(2));
    if (button(ui, "dismiss", dismiss,
               {.label = "×", .look = ButtonLook::quiet, .hint = "Dismiss the message"}))
        s.defer([](App::State& app) { app.status.clear(); });
    if (s.status_is_error) { // by shape too, not by colour alone
        const Rect mark = cut_left(strip, ui.px(16));
        const Point c = mark.center();
        const float half = ui.px(7);
        ui.canvas.fill_triangle({c.x, c.y - half}, {c.x + half, c.y + half},
                                {c.x - half, c.y + half}, t.error);
        cut_left(strip, ui.px(8));
    }
    ui.label(strip, s.status, TextRole::label, s.status_is_error ? t.error : t.ink);
}

void draw_busy_note(Ui& ui, Rect window, const App::State& s) {
    std::string words = s.files.busy_note();
    if (words.empty() && (s.deriver.slow() || s.followers.slow()))
        words = "Computing… The numbers are those of before.";
    if (words.empty()) return;
    const float w =
        std::min(ui.canvas.text_size(words, TextRole::label).w + ui.px(28), window.w - ui.px(16));
    const Rect pill{window.right() - w - ui.px(8), window.bottom() - ui.px(38), w, ui.px(30)};
    ui.canvas.fill_rect(pill, ui.theme.accent, ui.px(6));
    ui.label(pill.inset(ui.px(12), 0), words, TextRole::label, ui.theme.on_accent, Align::center);
}

} // namespace normscope
