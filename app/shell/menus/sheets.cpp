#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/widgets/ui.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <span>
#include <utility>

namespace normscope {
namespace {

constexpr float k_sheet_line = 25;

// Keys and what they do; no keys: a heading.
using HelpLines = std::vector<std::pair<std::string, std::string>>;

constexpr Gesture k_everywhere[] = {
    {"", "Everywhere"},
    {"Point", "the same token and feature light up in every panel"},
    {"Click a token", "pin it; click again to let it go"},
    {"Tab, Shift+Tab", "go to the next or the previous control"},
    {"Enter, Space", "press it"},
    {"Esc", "take back what is being dragged"},
    {"F5", "present panels, scenes or a lesson full screen"},
    {"Page keys, ← →, clicker", "then: the next panel, scene or step, the one before"},
    {"↑ ↓", "then: another panel of the workspace"},
    {"R, N", "then: the answer, the teacher's notes"},
    {"A to D, Shift+A to D", "then: one hand more for this answer, one fewer"},
    {"., S, Esc", "then: black, a spotlight, the end"},
    {"L, Home", "then: all panels, everything as it was when I began"},
    {"Ctrl+← →, F2, Del on a scene", "move it, tell it, remove it"},
    {"Page Up and Down, Home, End", "scroll; from a fader or a cell Ctrl+Page Up and Down"},
    {"F10, Alt+F, E, V, L, H", "open the menus"},
    {"", "In a lesson"},
    {"Alt+Enter", "check the prediction"},
    {"Alt+→, Alt+←", "next and previous step"},
};

void collect_chords(const std::vector<MenuItem>& items, HelpLines& lines) {
    for (const MenuItem& item : items) {
        std::string keys;
        for (const Chord& chord : item.chords) {
            const std::string text = chord_text(chord);
            if (keys == text) continue; // + with and without Shift
            keys += (keys.empty() ? "" : ", ") + text;
        }
        if (!keys.empty() && !item.of_widget) lines.emplace_back(keys, item.label);
        collect_chords(item.children, lines);
    }
}

class HelpSheet final : public Dialog {
  public:
    explicit HelpSheet(App::State& s) {
        const auto tell = [&](std::span<const Gesture> gestures) {
            for (const auto& [hand, what] : gestures) lines_.emplace_back(hand, what);
        };
        for (const Workspace& workspace : workspace_table()) tell(workspace.gestures);
        tell(k_everywhere);
        lines_.emplace_back("", "Commands");
        collect_chords(find_menu(s, k_all_menus)->items, lines_);
    }

    std::string title() const override { return "Keyboard and mouse"; }
    Size wanted(const Ui&, float) const override {
        return {780, static_cast<float>(lines_.size()) * k_sheet_line + 24 + k_answer_height};
    }

    void draw(Ui& ui, Rect r, App::State& s) override {
        const Rect row = cut_bottom(r, k_answer_height, 12);
        const float content = static_cast<float>(lines_.size()) * k_sheet_line;
        {
            const auto end = scrolled(ui, "##help", r);
            const float line = k_sheet_line, page = r.h * 0.9f;
            for (const auto& [key, step] : {std::pair(Key::down, line),
                                            {Key::up, -line},
                                            {Key::page_down, page},
                                            {Key::page_up, -page}})
                if (key_pressed(key, true)) ui.scroll_to(ui.scroll() + step);
            ScreenCanvas canvas(s);
            Ui inner(canvas, ui.theme, ui.state);
            const float bar =
                content > r.h ? ui.from_pixels(ImGui::GetStyle().ScrollbarSize) + 4 : 0;
            float y = r.y - ui.scroll();
            for (const auto& [hand, what] : lines_) {
                Rect at{r.x, y, r.w - bar, line};
                y += line;
                if (at.bottom() < r.y || at.y > r.bottom()) continue;
                if (hand.empty()) {
                    inner.label(at, what, TextRole::title);
                    continue;
                }
                const Rect keys = cut_left(at, std::min(250.0f, at.w * 0.45f), 10.0f);
                inner.label(keys, hand);
                inner.label(at, what, TextRole::label, ui.theme.ink_soft);
            }
            ui.scroll_room({r.x, r.y - ui.scroll()}, content);
        }
        constexpr ChoiceName k_answers[] = {{"close", "Close"}};
        if (answer_buttons(ui, row, k_answers) == 0) close();
    }

  private:
    HelpLines lines_;
};

} // namespace

void show_help_sheet(App::State& state) {
    state.show(std::make_unique<HelpSheet>(state));
}

void show_about_sheet(App::State& state) {
    const std::string_view purpose =
        tr("See, touch and check what the Transformer's Add & Norm does: to "
           "the numbers, to their distribution, and to the gradient.");
    const std::string_view by = tr("Everything on the screen is computed by its own library, whose "
                                   "values are tested against PyTorch. Free software under the MIT "
                                   "licence.");
    state.show(ask("NormScope " NORMSCOPE_VERSION, fmt::format("{} {}", purpose, by),
                   {{"close", "Close", {}}}));
}

} // namespace normscope
