#include "app/study/add_norm/play.h"
#include "app/workspaces/add_norm/panels.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr double k_seconds_a_played_step = 4; // a sentence of speech
constexpr double k_longest_pause = 0.1;       // the first frame after a rest counts as no more
constexpr double k_next_instant = 1e-4;       // less: the same frame, drawn again
constexpr std::string_view k_pause = "Pause", k_go_on = "Go on", k_stop_play = "End the play";

// The step before or after the one that is lit, as it is at its end.
void walk(View& view, int steps) {
    const int at = view.of<AddNormView>().playing.value_or(0) + steps;
    go_to(view, std::clamp(at, 0, k_worked_steps - 1) + 1);
}

void end(View& view) {
    view.of<AddNormView>().playing.reset();
    view.of<AddNormView>().play_runs = false;
}

bool at_the_end(const AddNormView& v) {
    return v.playing == k_worked_steps - 1 && v.played >= 1;
}

// Space: on from here, or a rest.
void go_on(View& view) {
    AddNormView& v = view.of<AddNormView>();
    if (at_the_end(v)) return end(view);
    if (view.reduce_motion) return walk(view, 1);
    v.play_runs = !v.play_runs;
}

} // namespace

double played_time(const Frame& f) {
    const AddNormView& v = f.view.of<AddNormView>();
    return v.playing ? *v.playing + v.played : 0;
}

void go_to(View& view, double time) {
    AddNormView& v = view.of<AddNormView>();
    const int step = std::clamp(static_cast<int>(std::ceil(time)) - 1, 0, k_worked_steps - 1);
    v.playing = step;
    v.played = std::clamp(time - step, 0.0, 1.0);
    v.play_runs = false;
}

void run_play(const Frame& f, Actions& a) {
    const AddNormView& v = f.view.of<AddNormView>();
    const auto passed = static_cast<double>(ImGui::GetIO().DeltaTime);
    if (!v.playing || !v.play_runs || passed < k_next_instant) return;
    go_to(a.view, played_time(f) + std::min(passed, k_longest_pause) / k_seconds_a_played_step);
    a.view.of<AddNormView>().play_runs = !at_the_end(a.view.of<AddNormView>());
}

Index worked_group(const Frame& f) {
    if (!f.view.of<AddNormView>().playing) return group_in_focus(f);
    return f.derived.sets().set_of(pinned(f, Axis::token).value_or(0),
                                   pinned(f, Axis::feature).value_or(0));
}

void play_keys(const Ui& ui, const Frame& f, Actions& a) {
    if (!f.view.of<AddNormView>().playing || ImGui::GetIO().WantTextInput) return;
    if (f.view.menu || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return; // that has them
    const auto pressed = [](Key key) {
        const bool down = key_pressed(key);
        if (down) take_key(key);
        return down;
    };
    const bool widget_has_arrows = ui.state.focus != 0 && ui.state.focus_visible;
    if (pressed(Key::space)) go_on(a.view);
    if (!widget_has_arrows && pressed(Key::right)) walk(a.view, 1);
    if (!widget_has_arrows && pressed(Key::left)) walk(a.view, -1);
    if (pressed(Key::escape)) end(a.view);
}

float play_controls_width(const Ui& ui) {
    return 2 * ui.px(34) + std::max(button_width(ui, k_pause), button_width(ui, k_go_on)) +
           button_width(ui, "Step 5 of 5") + button_width(ui, "Done") + 5 * ui.px(8);
}

void play_button(Ui& ui, Rect area, const Frame& f, Actions& a) {
    if (ui.state.picture) return;
    FlowLayout flow(ui, area);
    if (f.view.of<AddNormView>().playing) {
        if (button(ui, flow, "stop", {k_stop_play, ButtonLook::plain, true, "Esc"})) end(a.view);
        return;
    }
    if (!button(ui, flow, "play",
                {"Play the five steps ▸", ButtonLook::primary, true,
                 "The worked steps in motion; Space rests and goes on, arrows walk, Esc ends"}))
        return;
    go_to(a.view, a.view.reduce_motion ? 1 : 0);
    a.view.of<AddNormView>().play_runs = !a.view.reduce_motion;
    // For whom they were shown: what the mouse comes to lie over is another matter.
    ui.state.keys_lead = true;
    pin_set(a.view, f.derived.sets(), worked_group(f));
    ImGui::SetScrollY(0); // where the cells that light up are
}

void play_controls(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const AddNormView& v = f.view.of<AddNormView>();
    if (ui.state.picture || !v.playing) return;
    FlowLayout flow(ui, area);
    const int at = *v.playing;
    if (button(ui, "back", flow.next(ui.px(34)), {"◂", ButtonLook::plain, at > 0, "Left arrow"}))
        walk(a.view, -1);
    if (!f.view.reduce_motion) {
        const float w = std::max(button_width(ui, k_pause), button_width(ui, k_go_on));
        if (button(ui, "pause", flow.next(w),
                   {v.play_runs ? k_pause : k_go_on, ButtonLook::primary, !at_the_end(v), "Space"}))
            go_on(a.view);
    }
    const bool last = at + 1 == k_worked_steps;
    if (button(ui, "forward", flow.next(ui.px(34)),
               {"▸", f.view.reduce_motion ? ButtonLook::primary : ButtonLook::plain,
                !last || v.played < 1, f.view.reduce_motion ? "Space" : "Right arrow"}))
        walk(a.view, 1);
    const std::string now = worded("Step {} of {}", at + 1, k_worked_steps);
    ui.label(flow.next(button_width(ui, now)), now, TextRole::label, ui.theme.ink, Align::center);
    if (button(ui, flow, "done", {"Done", ButtonLook::plain, true, "Esc"})) end(a.view);
}

} // namespace normscope
