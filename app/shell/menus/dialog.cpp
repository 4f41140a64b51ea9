#include "app/shell/menus/dialog.h"

#include "app/shell/frame/state.h"
#include "app/widgets/controls.h"
#include "app/widgets/imgui_compat.h"
#include "core/base/lists.h"

#include <cmath>
#include <utility>

namespace normscope {
namespace {

constexpr float k_margin = 20;
constexpr float k_title = 30;

// The sheet in the middle of the window; returns its inside.
Rect draw_sheet(Ui& ui, const Dialog& dialog, Size window) {
    const Theme& t = ui.theme;
    const float margin = std::min(k_margin, 0.04f * window.w / ui.canvas.scale());
    const float widest = window.w - 16 - 2 * margin;
    const Size wanted = dialog.wanted(ui, widest);
    const Size size{std::min(wanted.w, widest) + 2 * margin,
                    std::min(wanted.h + k_title + 2 * margin, window.h - 16.0f)};
    Rect sheet{std::round((window.w - size.w) / 2), std::round((window.h - size.h) / 2), size.w,
               size.h};
    ui.name("", sheet, PartKind::panel);
    ui.canvas.fill_rect({0, 0, window.w, window.h},
                        t.dark_ground() ? Color{0, 0, 0, 150} : t.ink.with_alpha(0.35f));
    draw_ground(ui, sheet);
    Rect inside = sheet.inset(margin);
    const Rect title = cut_top(inside, k_title);
    ui.label({title.x, title.y, title.w, 22}, dialog.title(), TextRole::title);
    return inside;
}

} // namespace

void draw_dialogs(App::State& s) {
    if (s.dialogs.empty()) return;
    if (!begin_cover("##dialog")) return; // opened anew in the next pass
    const AtEnd end(ImGui::EndPopup);
    s.texts.clear(); // what lies below is not told
    ScreenCanvas canvas(s);
    s.dialog_ui.modal = true;
    s.dialog_ui.parts = s.ui.parts;
    Ui ui(canvas, theme(s.view.theme), s.dialog_ui);
    const IdScope scope(ui, "dialog");
    Dialog& front = *s.dialogs.front();
    const Rect inside = draw_sheet(ui, front, {ui.window().w, ui.window().h});
    const bool escape = key_pressed(Key::escape); // before a field in the dialog takes it
    front.draw(ui, inside, s);
    if (escape && !front.closed()) front.cancel(s);
    if (front.closed()) {
        s.dialogs.pop_front();
        s.dialog_ui = {};
        s.frames_wanted = 2;
        ImGui::CloseCurrentPopup();
    }
}

bool text_field(Ui& ui, NamePart part, const char* label, Rect r, float padding,
                bool& takes_keyboard, const std::function<bool()>& input) {
    ui.place_item({r.x, r.y});
    ImGui::SetNextItemWidth(ui.pixels(r.w));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ui.pixels(Size{8, padding}));
    const AtEnd end([] { ImGui::PopStyleVar(); });
    const ImGuiID id = ImGui::GetID(label);
    ui.tab_stop(id);
    ui.name(part, r, PartKind::field, true, id);
    if (std::exchange(takes_keyboard, false)) ui.state.focus = id;
    if (ui.state.focus == id && !ImGui::IsAnyItemActive()) activate_field(id);
    const bool entered = input();
    if (ImGui::IsItemActivated()) {
        ui.state.focus = id;
        forget_typing();
    }
    if (ImGui::IsItemActive() && key_pressed(Key::tab)) ui.end_text_edit(); // on to the next
    return entered;
}

int answer_buttons(Ui& ui, Rect row, std::span<const ChoiceName> answers) {
    const float gap = 8;
    float wanted = -gap;
    for (const ChoiceName& answer : answers) wanted += button_width(ui, answer.words()) + gap;
    const float gaps = gap * static_cast<float>(answers.size() - 1);
    const float squeeze = std::min(1.0f, (row.w - gaps) / (wanted - gaps));
    float x = row.right() - std::min(wanted, row.w);
    int chosen = -1;
    bool focused = false;
    for (const auto i : indices(answers)) {
        const std::string_view id = answers[i].id;
        const Text label = answers[i].words();
        const bool last = i + 1 == answers.size();
        const float w = std::floor(button_width(ui, label) * squeeze);
        if (button(ui, id, {x, row.y, w, row.h},
                   {.label = label, .look = last ? ButtonLook::primary : ButtonLook::plain}))
            chosen = static_cast<int>(i);
        focused |= ui.state.focus == NamePart(id).id();
        x += w + gap;
    }
    if (!focused && !ImGui::GetIO().WantTextInput && key_pressed(Key::enter))
        chosen = static_cast<int>(answers.size()) - 1;
    return chosen;
}

} // namespace normscope
