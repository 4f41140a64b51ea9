#include "app/widgets/controls.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

namespace normscope {
namespace {

void navigate_by_keys(bool on) {
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    flags = on ? flags | ImGuiConfigFlags_NavEnableKeyboard
               : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
}

} // namespace

bool popup_menu(Ui& ui, const char* name, bool asked, bool was_open, std::optional<Point> at,
                const std::function<void()>& items) {
    if (asked) {
        ImGui::OpenPopup(name);
        navigate_by_keys(true);
    }
    if (at) ImGui::SetNextWindowPos({at->x, at->y}, ImGuiCond_Appearing);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(14), ui.px(10)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(14), ui.px(9)});
    const AtEnd end_style([] { ImGui::PopStyleVar(2); });
    if (!ImGui::BeginPopup(name)) {
        if (was_open) {
            // Esc closed the popup: the page below must not hear the key too.
            if (key_pressed(Key::escape)) take_key(Key::escape);
            navigate_by_keys(false);
        }
        return false;
    }
    const AtEnd end(ImGui::EndPopup);
    if (key_pressed(Key::escape)) ImGui::CloseCurrentPopup();
    items();
    return true;
}

bool menu_item(Ui& ui, NamePart part, const std::string& label, const char* shortcut,
               bool enabled) {
    const std::string words(tr(label));
    const bool chosen = ImGui::MenuItem(words.c_str(), shortcut, false, enabled);
    const ImVec2 lo = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    ui.name(part, {lo.x, lo.y, size.x, size.y}, PartKind::button, enabled);
    if (ui.state.texts) ui.state.texts->push_back({words});
    if (chosen) return true;
    if (!enabled || !ImGui::IsItemFocused() || !key_pressed(Key::enter)) return false;
    ImGui::CloseCurrentPopup();
    return true;
}

void note_below(const Ui& ui, Rect r, const std::string& lines) {
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float wanted = ImGui::CalcTextSize(lines.c_str()).x + ui.px(24);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float x = std::max(0.0f, std::min(r.x, display.x - wanted));
    const bool above = r.bottom() + 5 * line > display.y;
    ImGui::SetNextWindowPos({x, above ? r.y - ui.px(4) : r.bottom() + ui.px(4)}, ImGuiCond_Always,
                            {0, above ? 1.0f : 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(7)});
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(lines.c_str());
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

std::optional<ValueCommand> value_menu(Ui& ui, const Hit& hit, Rect r, double reset,
                                       std::optional<double> value) {
    const bool was_open = ui.state.menu == hit.id;
    const bool by_key =
        hit.focused && (key_pressed(Key::menu) || (shift_down() && key_pressed(Key::f10)));
    const bool asked = !was_open && (hit.right_clicked || by_key);
    if (!asked && !was_open) return std::nullopt;
    std::optional<ValueCommand> chosen;
    const IdScope scope(ui, "menu");
    const bool open =
        popup_menu(ui, "value menu", asked, was_open,
                   by_key ? std::optional(Point{r.x, r.bottom()}) : std::nullopt, [&] {
                       if (menu_item(ui, "reset", worded("Reset to {}", short_text(reset)), "Del"))
                           chosen = ValueCommand::reset;
                       if (menu_item(ui, "type", "Type a value…")) chosen = ValueCommand::type;
                       if (value && menu_item(ui, "copy", "Copy the value"))
                           ImGui::SetClipboardText(fmt::format("{}", *value).c_str());
                   });
    ui.state.menu = open ? hit.id : 0;
    return chosen;
}

} // namespace normscope
