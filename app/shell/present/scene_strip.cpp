#include "app/language/language.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <numeric>
#include <ranges>

namespace normscope {
namespace {

constexpr float k_chip_gap = 4;
constexpr float k_least_chip = 22;
constexpr float k_widest_chip = 220;
constexpr float k_least_chip_name = 60; // a cut name needs so much

std::string chip_id(std::size_t i) {
    return fmt::format("scene-{}", i + 1);
}

std::string chip_text(const Scenes& scenes, std::size_t i) {
    return worded("{} {}", i + 1, scenes[i].name);
}

// The widths of the chips: chips have their names, or where these have no room, their numbers.
std::vector<float> chip_widths(const Ui& ui, const Scenes& scenes, float room) {
    std::vector<float> widths;
    float all = 0;
    for (const auto i : indices(scenes)) {
        widths.push_back(std::min(button_width(ui, chip_text(scenes, i)), k_widest_chip));
        all += widths.back() + k_chip_gap;
    }
    if (all <= room) return widths;
    const float share = room / static_cast<float>(scenes.size()) - k_chip_gap;
    for (float& w : widths) w = std::min(w, share);
    return widths;
}

// The keys of the chip that has the keyboard.
void chip_keys(Ui& ui, App::State& s, std::size_t i, std::size_t count) {
    const auto move = [&](std::size_t to) {
        s.defer(given(move_scene_to, i, to));
        ui.state.focus = NamePart(chip_id(to)).id();
        ui.state.focus_visible = true;
    };
    // The key is taken: the chip where the scene stands next must not hear it again.
    const auto pressed = [](Key key) {
        const bool now = ctrl_down() && key_pressed(key);
        if (now) take_key(key);
        return now;
    };
    if (i > 0 && pressed(Key::left))
        move(i - 1);
    else if (i + 1 < count && pressed(Key::right))
        move(i + 1);
    if (key_pressed(Key::f2)) s.defer(given(ask_scene_words, i));
    if (key_pressed(Key::del)) s.defer(given(remove_scene_at, i));
}

void chips(Ui& ui, Rect row, App::State& s, const std::vector<float>& widths) {
    const Scenes& scenes = *s.document().scenes;
    std::vector<Rect> places;
    for (const float w : widths) places.push_back(cut_left(row, w, k_chip_gap));
    const auto now = present_scene(s);
    for (const auto i : indices(scenes)) {
        const Rect r = places[i];
        const Hit hit = ui.hit(chip_id(i), r, {.kind = PartKind::choice});
        const Theme& t = ui.theme;
        const bool chosen = now == i;
        draw_plate(ui, hit, r);
        ui.canvas.stroke_rect(r, chosen ? t.ink : t.border, chosen ? 2 : 1, 5);
        const bool whole = r.w >= std::floor(button_width(ui, chip_text(scenes, i)));
        const bool has_name = whole || r.w >= k_least_chip_name;
        ui.canvas.text_in(r,
                          has_name
                              ? ui.canvas.elide(chip_text(scenes, i), TextRole::label, r.w - 8.0f)
                              : std::to_string(i + 1),
                          has_name ? TextRole::label : TextRole::small, t.ink);
        ui.focus_ring(hit, r, 5);
        const std::string& question = scenes[i].question;
        ui.tooltip(hit, question.empty() ? "Click shows it; drag moves it; F2: question and notes"
                                         : question);
        if (hit.focused) chip_keys(ui, s, i, scenes.size());
        if (hit.right_clicked) s.defer(given(ask_scene_words, i));
        // A dragged scene would stand at the first chip whose middle is behind the mouse.
        std::size_t to = i;
        const float x = ui.mouse().x;
        while (to > 0 && x < places[to - 1].center().x) --to;
        while (to + 1 < places.size() && x > places[to + 1].center().x) ++to;
        if (to == i) {
            if (hit.clicked) s.defer(given(show_scene, i));
            continue;
        }
        const float edge = to < i ? places[to].x : places[to].right();
        if (hit.held) ui.canvas.fill_rect({edge - 2, r.y, 4, r.h}, t.focus);
        if (hit.released) s.defer(given(move_scene_to, i, to));
    }
}

constexpr float k_words_row = 34;
constexpr float k_words_label = 90;
constexpr float k_right_row = 22; // about the letters

class SceneSheet final : public Dialog {
  public:
    SceneSheet(std::size_t index, Scene scene) : index_(index), scene_(std::move(scene)) {
        std::ranges::copy(scene_.options | std::views::take(k_most_options), options_.begin());
    }

    std::string title() const override { return worded("Scene {}", index_ + 1); }
    Size wanted(const Ui&, float) const override {
        return {640, 9 * k_words_row + k_right_row + 170 + k_answer_height};
    }

    void draw(Ui& ui, Rect r, App::State& s) override {
        const Rect answers = cut_bottom(r, k_answer_height, 12);
        bool entered = field(ui, "name", "Name", cut_top(r, k_words_row), scene_.name, false);
        entered |=
            field(ui, "question", "Question", cut_top(r, k_words_row), scene_.question, false);
        for (const auto i : indices(options_))
            entered |= option_row(ui, cut_top(r, k_words_row), i);
        Rect told = cut_top(r, k_right_row);
        cut_left(told, k_words_label);
        ui.label(told, "Press the letter of the right answer: the presenter tells it.",
                 TextRole::small, ui.theme.ink_soft);
        panel_row(ui, cut_top(r, k_words_row));
        field(ui, "notes", "Notes", r, scene_.notes, true);
        constexpr ChoiceName k_answers[] = {{"cancel", "Cancel"}, {"take", "OK"}};
        const int chosen = answer_buttons(ui, answers, k_answers);
        if (chosen < 0 && !entered) return;
        close();
        if (chosen == 0) return;
        s.defer(given(change_scene_words, index_, with_options()));
    }

  private:
    // True where Enter ended a field of one line.
    bool field(Ui& ui, const char* id, std::string_view label, Rect r, std::string& text,
               bool lines) {
        Rect row = lines ? r : r.inset(0, 2);
        const Rect words = cut_left(row, k_words_label);
        ui.label({words.x, words.y, words.w, 28}, label, TextRole::label, ui.theme.ink_soft);
        ImGui::PushID(id);
        const AtEnd end(ImGui::PopID);
        const float padding = lines ? 6.0f : line_padding(ui, row);
        return text_field(ui, id, "##text", row, padding, take_keyboard_, [&] {
            if (lines) {
                ImGui::InputTextMultiline("##text", &text, ui.pixels(Size{row.w, row.h}));
                return false;
            }
            return ImGui::InputText("##text", &text, ImGuiInputTextFlags_EnterReturnsTrue);
        });
    }

    // An option of the question; its letter marks it as the right one.
    bool option_row(Ui& ui, Rect r, std::size_t i) {
        const std::string letter(1, static_cast<char>('A' + i));
        const std::string id = "option-" + std::string(1, static_cast<char>('a' + i));
        const bool right = scene_.right == i;
        Rect mark = r.inset(0, 2);
        mark.w = k_words_label - 8;
        if (button(ui, id + "-right", mark,
                   {.label = right ? letter + " ✓" : letter,
                    .look = right ? ButtonLook::primary : ButtonLook::plain}))
            scene_.right = right ? std::nullopt : std::optional(i);
        return field(ui, id.c_str(), "", r, options_[i], false);
    }

    // Chooses the panel of the scene's workspace that the presenter shows.
    void panel_row(Ui& ui, Rect r) {
        r = r.inset(0, 3);
        ui.label(cut_left(r, k_words_label), "Panel", TextRole::label, ui.theme.ink_soft);
        const auto workspace = workspace_index(scene_.workspace);
        if (!workspace) return;
        const auto figures = workspace_table()[*workspace].figures;
        const FigureEntry* const found = find_in(figures, scene_.panel, &FigureEntry::id);
        const FigureEntry& shown = found ? *found : figures.front();
        const bool asked =
            button(ui, "panel", cut_left(r, 320),
                   {fmt::format("{} ▾", tr(shown.label)), "The panel that the presenter shows"});
        std::vector<MenuItem> all;
        for (const FigureEntry& figure : figures)
            all.push_back({.id = std::string(figure.id),
                           .label = std::string(figure.label),
                           .run = [this, &figure] { scene_.panel = figure.id; },
                           .checked = &figure == &shown});
        (void)page_menu(ui, "panels", asked, Point{r.x - 320, r.bottom()}, std::move(all));
    }

    Scene with_options() const {
        Scene scene = scene_;
        scene.options.assign(options_.begin(), options_.end());
        while (!scene.options.empty() && scene.options.back().empty()) scene.options.pop_back();
        if (scene.right >= scene.options.size()) scene.right.reset();
        return scene;
    }

    std::size_t index_;
    Scene scene_;
    std::array<std::string, k_most_options> options_;
    bool take_keyboard_ = true;
};

} // namespace

bool shows_scene_strip(const App::State& s) {
    if (s.lesson || s.own) return false; // the scenes are of a document that waits
    return s.scene_strip.value_or(!s.document().scenes->empty());
}

void draw_scene_strip(Ui& ui, Rect& line, App::State& s, float room) {
    if (!shows_scene_strip(s)) return;
    const Scenes& scenes = *s.document().scenes;
    const std::string_view title = "Scenes:", keep = "+ Keep";
    const float title_w = ui.text_width(title, TextRole::small) + 10;
    const float keep_w = button_width(ui, keep), gap = k_chip_gap;
    const float apart = 12;
    const float least = static_cast<float>(scenes.size()) * (k_least_chip + gap);
    const float free = std::max(room - title_w - keep_w - apart, least);
    const std::vector<float> widths = chip_widths(ui, scenes, free);
    const float all = std::accumulate(widths.begin(), widths.end(), 0.0f) +
                      gap * static_cast<float>(widths.size());
    Rect strip = cut_left(line, title_w + all + keep_w, apart);
    const IdScope scope(ui, "scenes");
    ui.name("", strip, PartKind::panel);
    ui.label(cut_left(strip, title_w), title, TextRole::small, ui.theme.ink_soft);
    if (button(ui, "keep", cut_right(strip, keep_w).inset(0, 2),
               {keep, "Ctrl+K: what is on the screen becomes a scene"}))
        s.defer(keep_scene_now);
    chips(ui, strip.inset(0, 2), s, widths);
}

void ask_scene_words(App::State& s, std::size_t index) {
    const Scenes& scenes = *own_document(s).scenes;
    if (index < scenes.size()) s.show(std::make_unique<SceneSheet>(index, scenes[index]));
}

} // namespace normscope
