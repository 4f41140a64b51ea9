#include "app/widgets/controls.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/add_norm/view.h"
#include "app/workspaces/shared/focus.h"

#include <fmt/format.h>
#include <imgui.h>

namespace normscope {

Index worked_group(const Frame& f) {
    if (!f.view.of<AddNormView>().playing) return group_in_focus(f);
    return f.derived.sets().set_of(pinned_token(f).value_or(0), pinned_feature(f).value_or(0));
}

void play_keys(const Ui& ui, const Frame& f, Actions& a) {
    const auto playing = f.view.of<AddNormView>().playing;
    auto& next = a.view.of<AddNormView>().playing;
    if (!playing || ImGui::GetIO().WantTextInput) return;
    if (f.view.menu || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return; // that has them
    const auto pressed = [](Key key) {
        const bool down = key_pressed(key);
        if (down) take_key(key);
        return down;
    };
    const bool widget_has_arrows = ui.state.focus != 0 && ui.state.focus_visible;
    const int at = *playing;
    const bool space = pressed(Key::space);
    if (space || (!widget_has_arrows && pressed(Key::right))) {
        if (at + 1 < k_worked_steps)
            next = at + 1;
        else if (space) // an arrow stays, so that the other one leads back
            next.reset();
    }
    if (!widget_has_arrows && pressed(Key::left) && at > 0) next = at - 1;
    if (pressed(Key::escape)) next.reset();
}

void play_buttons(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const auto playing = f.view.of<AddNormView>().playing;
    auto& next = a.view.of<AddNormView>().playing;
    if (ui.state.picture) return;
    FlowLayout flow(ui, area);
    if (!playing) {
        const std::string_view label = "Play the five steps ▸";
        if (button(ui, "play", flow.next(button_width(ui, label)),
                   {label, ButtonLook::primary, true,
                    "Walk through the worked steps; Space and arrows move, Esc ends"})) {
            next = 0;
            // For whom they were shown: what the mouse comes to lie over is another matter.
            ui.state.keys_lead = true;
            pin_set(a.view, f.derived.sets(), worked_group(f));
            ui.scroll_to_top(); // where the cells that light up are
        }
        return;
    }
    const int at = *playing;
    if (button(ui, "back", flow.next(ui.px(34)), {"◂", ButtonLook::plain, at > 0, "Left arrow"}))
        next = at - 1;
    const std::string now = fmt::format("Step {} of {}", at + 1, k_worked_steps);
    ui.label(flow.next(button_width(ui, now)), now, TextRole::label, ui.theme.ink, Align::center);
    const bool last = at + 1 == k_worked_steps;
    if (button(ui, "forward", flow.next(ui.px(34)), {"▸", ButtonLook::primary, !last, "Space"}))
        next = at + 1;
    if (button(ui, "done", flow.next(button_width(ui, "Done")),
               {"Done", ButtonLook::plain, true, "Esc"}))
        next.reset();
}

} // namespace normscope
