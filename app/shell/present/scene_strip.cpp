
#include "app/language/language.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_scene_strip_h = 36; // pixels at scale 1
constexpr float k_chip_gap = 4;
constexpr float k_widest_chip = 220, k_chip_with_name = 60;
constexpr float k_wide_strip = 700; // a wider strip shows all buttons

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
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        widths.push_back(std::min(button_width(ui, chip_text(scenes, i)), ui.px(k_widest_chip)));
        all += widths.back() + ui.px(k_chip_gap);
    }
    if (all <= room) return widths;
    const float share = room / static_cast<float>(scenes.size()) - ui.px(k_chip_gap);
    for (float& w : widths) w = std::min(w, share);
    return widths;
}

// The keys of the chip that has the keyboard.
void chip_keys(Ui& ui, App::State& s, std::size_t i, std::size_t count) {
    const auto move = [&](std::size_t to) {
        s.defer([i, to](App::State& app) { move_scene_to(app, i, to); });
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
    if (key_pressed(Key::f2)) s.defer([i](App::State& app) { ask_scene_words(app, i); });
    if (key_pressed(Key::del)) s.defer([i](App::State& app) { remove_scene_at(app, i); });
}

void chips(Ui& ui, Rect row, App::State& s) {
    const Scenes& scenes = s.document().scenes;
    const std::vector<float> widths = chip_widths(ui, scenes, row.w);
    std::vector<Rect> places;
    for (const float w : widths) {
        places.push_back(cut_left(row, w, ui.px(k_chip_gap)));
    }
    const auto now = present_scene(s);
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Rect r = places[i];
        const Hit hit = ui.hit(chip_id(i), r, {.kind = PartKind::choice});
        const Theme& t = ui.theme;
        const bool chosen = now == i;
        ui.canvas.fill_rect(r, hit.hovered ? t.control_hover : t.control, ui.px(5));
        ui.canvas.stroke_rect(r, chosen ? t.ink : t.border, ui.px(chosen ? 2 : 1), ui.px(5));
        const bool has_name = r.w >= ui.px(k_chip_with_name);
        ui.canvas.text_in(
            r,
            has_name ? ui.canvas.elide(chip_text(scenes, i), TextRole::label, r.w - ui.px(8))
                     : std::to_string(i + 1),
            has_name ? TextRole::label : TextRole::small, t.ink);
        ui.focus_ring(hit, r, ui.px(5));
        const std::string& question = scenes[i].question;
        ui.tooltip(hit, question.empty() ? "Click shows it; drag moves it; F2: question and notes"
                                         : question);
        if (hit.focused) chip_keys(ui, s, i, scenes.size());
        if (hit.right_clicked) s.defer([i](App::State& app) { ask_scene_words(app, i); });
        // A dragged scene would stand at the first chip whose middle is behind the mouse.
        std::size_t to = i;
        const float x = ui.mouse().x;
        while (to > 0 && x < places[to - 1].center().x) --to;
        while (to + 1 < places.size() && x > places[to + 1].center().x) ++to;
        if (to == i) {
            if (hit.clicked) s.defer([i](App::State& app) { show_scene(app, i); });
            continue;
        }
        const float edge = to < i ? places[to].x : places[to].right();
        if (hit.held) ui.canvas.fill_rect({edge - ui.px(2), r.y, ui.px(4), r.h}, t.focus);
        if (hit.released) s.defer([i, to](App::State& app) { move_scene_to(app, i, to); });
    }
}

} // namespace

bool shows_scene_strip(const App::State& s) {
    if (s.lesson || s.own) return false; // the scenes are of a document that waits
    return s.scene_strip.value_or(!s.document().scenes.empty());
}

void draw_scene_strip(Ui& ui, Rect& window, App::State& s) {
    if (!shows_scene_strip(s)) return;
    Rect strip = cut_bottom(window, ui.px(k_scene_strip_h));
    ui.canvas.fill_rect(strip, ui.theme.panel);
    ui.canvas.line({strip.x, strip.y}, {strip.right(), strip.y}, ui.theme.border, ui.px(1));
    const IdScope scope(ui, "scenes");
    ui.name("", strip, PartKind::panel);
    strip = strip.inset(ui.px(12), ui.px(4));
    const std::string_view words = "Scenes:";
    ui.label(cut_left(strip, ui.canvas.text_size(words, TextRole::small).w + ui.px(10)), words,
             TextRole::small, ui.theme.ink_soft);
    const auto at_right = [&](std::string_view id, std::string_view label, std::string_view hint,
                              bool enabled) {
        const Rect r = cut_right(strip, button_width(ui, label), ui.px(6));
        return button(ui, id, r, {label, ButtonLook::plain, enabled, hint});
    };
    const auto now = present_scene(s);
    const bool wide = strip.w >= ui.px(k_wide_strip);
    if (wide && at_right("present", "Present", "F5: the scenes over the whole screen",
                         !s.document().scenes.empty()))
        s.defer(begin_presenting);
    if (wide && at_right("words", "Notes…", "Name, question, notes and panel of the scene",
                         now.has_value()))
        s.defer([at = *now](App::State& app) { ask_scene_words(app, at); });
    if (at_right("keep", "+ Keep", "Ctrl+K: what is on the screen becomes a scene", true))
        s.defer(keep_scene_now);
    if (s.document().scenes.empty())
        ui.label(strip, "None yet. A scene is a state that you come back to before a class.",
                 TextRole::small, ui.theme.ink_soft);
    else
        chips(ui, strip, s);
}

} // namespace normscope
