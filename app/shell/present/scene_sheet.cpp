// The words of a scene.
#include "app/language/language.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/at_end.h"
#include "app/widgets/controls.h"
#include "app/widgets/imgui_compat.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace normscope {

namespace {

constexpr float k_words_row = 34;
constexpr float k_words_label = 90;

class SceneSheet final : public Dialog {
  public:
    SceneSheet(std::size_t index, Scene scene) : index_(index), scene_(std::move(scene)) {}

    std::string title() const override { return worded("Scene {}", index_ + 1); }
    Size wanted() const override { return {640, 6 * k_words_row + 190 + k_answer_height}; }

    void draw(Ui& ui, Rect r, App::State& s) override {
        const Rect answers = cut_bottom(r, ui.px(k_answer_height), ui.px(12));
        bool entered =
            field(ui, "name", "Name", cut_top(r, ui.px(k_words_row)), scene_.name, false);
        entered |= field(ui, "question", "Question", cut_top(r, ui.px(k_words_row)),
                         scene_.question, false);
        panel_row(ui, cut_top(r, ui.px(k_words_row)));
        field(ui, "notes", "Notes", r, scene_.notes, true);
        constexpr ChoiceName k_answers[] = {{"cancel", "Cancel"}, {"take", "OK"}};
        const int chosen = answer_buttons(ui, answers, k_answers);
        if (chosen < 0 && !entered) return;
        close();
        if (chosen == 0) return;
        s.defer([index = index_, scene = scene_](App::State& app) {
            change_scene_words(app, index, scene);
        });
    }

  private:
    // True where Enter ended a field of one line.
    bool field(Ui& ui, const char* id, std::string_view label, Rect r, std::string& text,
               bool lines) {
        Rect row = lines ? r : r.inset(0, ui.px(2));
        const Rect words = cut_left(row, ui.px(k_words_label));
        ui.label({words.x, words.y, words.w, ui.px(28)}, label, TextRole::label, ui.theme.ink_soft);
        ImGui::SetCursorScreenPos({row.x, row.y});
        ImGui::SetNextItemWidth(row.w);
        const float padding = lines ? ui.px(6) : std::max(0.0f, (row.h - ImGui::GetFontSize()) / 2);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), padding});
        ImGui::PushID(id);
        const AtEnd end([] {
            ImGui::PopID();
            ImGui::PopStyleVar();
        });
        const ImGuiID item = ImGui::GetID("##text");
        ui.tab_stop(item);
        ui.name(id, row, PartKind::field, true, item);
        if (std::exchange(take_keyboard_, false)) ui.state.focus = item;
        if (ui.state.focus == item && !ImGui::IsAnyItemActive()) activate_field(item);
        const bool entered =
            lines ? ImGui::InputTextMultiline("##text", &text, {row.w, row.h})
                  : ImGui::InputText("##text", &text, ImGuiInputTextFlags_EnterReturnsTrue);
        if (ImGui::IsItemActivated()) ui.state.focus = item;
        if (ImGui::IsItemActive() && key_pressed(Key::tab))
            ui.end_text_edit(); // Tab goes on to the next field
        return entered && !lines;
    }

    // Chooses the panel of the scene's workspace that the presenter shows.
    void panel_row(Ui& ui, Rect r) {
        r = r.inset(0, ui.px(3));
        ui.label(cut_left(r, ui.px(k_words_label)), "Panel", TextRole::label, ui.theme.ink_soft);
        const auto workspace = workspace_index(scene_.workspace);
        if (!workspace) return;
        const auto figures = workspace_table()[*workspace].figures;
        const auto found = std::ranges::find(figures, scene_.panel, &FigureEntry::id);
        const std::size_t at =
            found == figures.end() ? 0 : static_cast<std::size_t>(found - figures.begin());
        const auto turn = [&](std::string_view id, std::string_view sign, bool there,
                              std::size_t to) {
            const Rect place = cut_left(r, ui.px(28), ui.px(4));
            if (button(ui, id, place, {sign, ButtonLook::plain, there, "Another panel"}))
                scene_.panel = figures[to].id;
        };
        turn("panel-before", "◂", at > 0, at - 1);
        turn("panel-after", "▸", at + 1 < figures.size(), at + 1);
        cut_left(r, ui.px(6));
        ui.label(r, worded("{} ({} of {})", figures[at].label, at + 1, figures.size()),
                 TextRole::label, ui.theme.ink);
    }

    std::size_t index_;
    Scene scene_;
    bool take_keyboard_ = true;
};

} // namespace

void ask_scene_words(App::State& s, std::size_t index) {
    if (const Scene* const scene = own_scene(s, index))
        s.show(std::make_unique<SceneSheet>(index, *scene));
}

} // namespace normscope
