#include "app/shell/present/present.h"

#include "app/language/language.h"
#include "app/lessons/marks.h"
#include "app/widgets/controls.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <vector>

namespace normscope {

namespace {

constexpr float k_footer = 26;   // pixels at scale 1
constexpr float k_hands_w = 260; // of the footer, with the name of the panel
constexpr float k_panel_margin = 4;
constexpr float k_largest_scale = 5;
constexpr float k_stretch = 1.4f; // of a panel's usual height
constexpr float k_step = 0.05f;   // fonts are made anew for each
constexpr float k_spot = 0.16f;   // of the window's height
constexpr float k_dim = 0.82f;
constexpr float k_spot_strip = 2; // pixels: of so many the spotlight's edge is made

std::span<const FigureEntry> panels(const App::State& s) {
    return workspace_table()[s.view.workspace].figures;
}

const FigureEntry& shown_panel(const App::State& s) {
    return panels(s)[std::min(s.present.panel, panels(s).size() - 1)];
}

Size least_of(const FigureEntry& figure) {
    return {std::max(figure.least.w, figure.size.w * k_usual_least),
            std::max(figure.least.h, figure.size.h * k_usual_least)};
}

int minutes(const App::State& s) {
    return static_cast<int>((ImGui::GetTime() - s.present.began) / 60);
}

void go(App::State& s, std::size_t to) {
    s.present.panel = std::min(to, panels(s).size() - 1);
    s.frames_wanted = 2;
}

// Counted by clicking; a click of the other button takes one back.
void hands(Ui& ui, Rect& row, App::State& s) {
    if (row.w < ui.px(k_hands_w)) return; // a narrow panel fills the window
    for (std::size_t i = s.present.hands.size(); i-- > 0;) {
        int& count = s.present.hands[i];
        const std::string letter(1, static_cast<char>('A' + i));
        const std::string label = worded("{} {}", letter, count);
        const Rect r = cut_right(row, std::max(ui.px(36), button_width(ui, label)));
        cut_right(row, ui.px(4));
        const Hit hit = ui.hit(fmt::format("hands-{}", static_cast<char>('a' + i)), r,
                               {.kind = PartKind::button});
        ui.canvas.fill_rect(r, hit.hovered ? ui.theme.control_hover : ui.theme.control, ui.px(5));
        ui.canvas.text_in(r, label, TextRole::label, ui.theme.ink);
        ui.tooltip(hit,
                   "Hands raised for this answer: click for one more, right-click for one "
                   "fewer",
                   r);
        if (hit.clicked) ++count;
        if (hit.right_clicked) count = std::max(0, count - 1);
    }
}

void footer(Ui& ui, Rect row, App::State& s) {
    const IdScope scope(ui, "presenter");
    row = row.inset(ui.px(8), ui.px(1));
    const FigureEntry& panel = shown_panel(s);
    const std::size_t at = s.present.panel, count = panels(s).size();
    const auto step = [&](std::string_view id, std::string_view sign, bool there, std::size_t to) {
        const Rect r = cut_left(row, ui.px(28));
        cut_left(row, ui.px(4));
        if (button(ui, id, r, {sign, ButtonLook::plain, there, "Page keys or arrows"})) go(s, to);
    };
    step("previous", "◂", at > 0, at - 1);
    step("next", "▸", at + 1 < count, at + 1);
    if (button(ui, "end", cut_right(row, button_width(ui, "Esc")),
               {"Esc", ButtonLook::plain, true, "Ends the presentation"}))
        s.defer(end_presenting);
    cut_right(row, ui.px(8));
    s.present.minutes_drawn = minutes(s);
    const std::string time = worded("{} min", s.present.minutes_drawn);
    ui.label(cut_right(row, ui.canvas.text_size(time, TextRole::small).w + ui.px(8)), time,
             TextRole::small, ui.theme.ink_soft, Align::right);
    cut_right(row, ui.px(6));
    hands(ui, row, s);
    ui.label(row, s.status_is_error ? s.status : worded("{}/{}  {}", at + 1, count, panel.label),
             TextRole::small, s.status_is_error ? ui.theme.error : ui.theme.ink_soft);
}

// A dark cover with a hole of the mouse's.
void draw_spotlight(Ui& ui, Rect window) {
    const Point mouse = ui.mouse();
    const float radius = k_spot * window.h;
    std::vector<Rect> cover;
    for (float y = window.y; y < window.bottom(); y += k_spot_strip) {
        const float dy = y + k_spot_strip / 2 - mouse.y;
        const float half = std::sqrt(std::max(0.0f, radius * radius - dy * dy));
        const float left = std::clamp(mouse.x - half, window.x, window.right());
        const float right = std::clamp(mouse.x + half, window.x, window.right());
        if (half <= 0) {
            cover.push_back({window.x, y, window.w, k_spot_strip});
            continue;
        }
        cover.push_back({window.x, y, left - window.x, k_spot_strip});
        cover.push_back({right, y, window.right() - right, k_spot_strip});
    }
    ui.canvas.fill_rects(cover, Color{0, 0, 0}.with_alpha(k_dim));
}

} // namespace

void begin_presenting(App::State& s) {
    s.present = {.on = true, .workspace = s.view.workspace, .began = ImGui::GetTime()};
    s.services.full_screen(true);
    s.frames_wanted = 2;
}

void end_presenting(App::State& s) {
    if (!s.present.on) return;
    s.present.on = false;
    s.services.full_screen(false);
    s.frames_wanted = 2;
}

float presented_scale(const App::State& s) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const Size least = least_of(shown_panel(s));
    const float fits = std::min(window.x / (least.w + 2 * k_panel_margin),
                                window.y / (least.h + 2 * k_panel_margin + k_footer));
    return std::clamp(std::floor(fits / k_step) * k_step, 0.5f, k_largest_scale);
}

void draw_presented(Ui& ui, Rect window, App::State& s, const Frame& frame, Actions& actions,
                    bool ready) {
    if (s.present.workspace != s.view.workspace) { // another one was chosen by its key
        s.present.workspace = s.view.workspace;
        go(s, 0);
    }
    const Rect whole = window;
    footer(ui, cut_bottom(window, ui.px(k_footer)), s);
    const IdScope scope(ui, workspace_table()[s.view.workspace].id);
    ui.name("", window, PartKind::panel);
    s.ui.page_begins = s.ui.next_order.size();
    Rect area = window.inset(ui.px(k_panel_margin));
    const Size usual = shown_panel(s).size;
    const float highest = k_stretch * area.w * usual.h / usual.w; // a row of cards stays one
    if (highest < area.h) area = {area.x, area.center().y - highest / 2, area.w, highest};
    if (ready) shown_panel(s).draw(ui, area, frame, actions);
    if (s.lesson) draw_lesson_marks(ui, area, s.lesson->player, *s.ui.parts); // covers answers
    if (s.present.black)
        ui.canvas.fill_rect(whole, {0, 0, 0});
    else if (s.present.spotlight)
        draw_spotlight(ui, whole);
}

void run_presenter_keys(App::State& s) {
    if (s.menu.is_open() || !s.dialogs.empty() || s.ui.text_edit != 0) return;
    if (key_pressed(Key::f5)) return s.defer(s.present.on ? end_presenting : begin_presenting);
    if (!s.present.on || ImGui::GetIO().WantTextInput || ctrl_down() || alt_down()) return;
    // A widget that was reached by key has the arrows.
    const bool arrows = s.ui.focus == 0 || !s.ui.focus_visible;
    if (key_pressed(Key::page_down) || (arrows && key_pressed(Key::right)))
        go(s, s.present.panel + 1);
    if ((key_pressed(Key::page_up) || (arrows && key_pressed(Key::left))) && s.present.panel > 0)
        go(s, s.present.panel - 1);
    if (key_pressed(Key::b) || key_pressed(Key::period)) s.present.black = !s.present.black;
    if (key_pressed(Key::s)) s.present.spotlight = !s.present.spotlight;
    if (key_pressed(Key::escape)) s.defer(end_presenting);
}

std::optional<double> next_minute_in(const App::State& s) {
    if (!s.present.on) return std::nullopt;
    return 60.0 * (s.present.minutes_drawn + 1) - (ImGui::GetTime() - s.present.began);
}

} // namespace normscope
