#include "app/shell/present/present.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/present/notes.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <variant>

namespace normscope {
namespace {

constexpr float k_footer = 26;     // pixels at scale 1
constexpr float k_question_h = 30; // the line above a panel
constexpr float k_hands_w = 260;   // a narrower footer has no room for hands
constexpr float k_panel_margin = 4;
constexpr float k_words_margin = 14;
constexpr float k_notes_share = 0.7f; // the notes take at most this of the window's height
constexpr float k_largest_scale = 5;
constexpr float k_stretch = 1.4f; // a panel is at most this much higher than usual
constexpr float k_step = 0.05f;   // of scales; each needs fonts of its own
constexpr float k_spot = 0.16f;   // the spotlight's radius, of the window's height
constexpr float k_dim = 0.82f;
constexpr float k_spot_strip = 2; // pixels: the height of the strips that make the spotlight's edge
// The height of a capital at scale 1: on a slide it is a fortieth of the window's.
constexpr float k_label_capital = 0.62f * text_role_spec(TextRole::label).size;
constexpr float k_less_words = 0.9f, k_least_words = 0.5f;

using Kind = Slide::Kind;

// Counts raised hands: a click adds a hand, a right-click takes one back.
void hands(Ui& ui, Rect& row, App::State& s) {
    if (row.w < ui.px(k_hands_w)) return; // a narrow panel fills the window
    for (std::size_t i = answers_of(s); i-- > 0;) {
        int& count = s.present.hands[i];
        const std::string letter(1, static_cast<char>('A' + i));
        const std::string label = worded("{} {}", letter, count);
        const Rect r = cut_right(row, std::max(ui.px(36), button_width(ui, label)), ui.px(4));
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

void footer(Ui& ui, Rect row, App::State& s, const Slide& slide) {
    row = row.inset(ui.px(8), ui.px(1));
    for (const bool on : {false, true})
        if (button(ui, on ? "next" : "previous", cut_left(row, ui.px(28), ui.px(4)),
                   {on ? "▸" : "◂", ButtonLook::plain, true, "Page keys or arrows"}))
            s.defer([on](App::State& app) { turn_slide(app, on); });
    if (button(ui, "end", cut_right(row, button_width(ui, "Esc"), ui.px(8)),
               {"Esc", ButtonLook::plain, true, "Ends the presentation"}))
        s.defer(end_presenting);
    s.present.minutes_drawn = static_cast<int>((s.services.clock() - s.present.began) / 60);
    const std::string time = worded("{} min", s.present.minutes_drawn);
    ui.label(cut_right(row, ui.canvas.text_size(time, TextRole::small).w + ui.px(8), ui.px(6)),
             time, TextRole::small, ui.theme.ink_soft, Align::right);
    const bool on_slide = s.lesson && slide.kind != Kind::panel && s.lesson->player.step().predict;
    if (!on_slide) hands(ui, row, s);
    ui.label(row, s.status_is_error ? s.status : slide_title(s), TextRole::small,
             s.status_is_error ? ui.theme.error : ui.theme.ink_soft);
}

// Words that have no room are smaller in the next frame.
void draw_words_page(Ui& ui, Rect area, App::State& s, bool answer) {
    const IdScope scope(ui, "presenter");
    area = area.inset(ui.px(k_words_margin));
    const float height = draw_words_slide(ui, area, s, answer);
    if (height <= area.h || s.present.words_scale < k_least_words) return;
    s.present.words_scale *= k_less_words;
    s.frames_wanted = std::max(s.frames_wanted, 2);
}

void draw_presented_panel(Turn turn, App::State& s, bool ready) {
    Ui& ui = turn.ui;
    Rect& area = turn.rect;
    const FigureEntry& figure = shown_panel(s);
    if (const std::string question = slide_question(s); !question.empty()) {
        const Rect row = cut_top(area, ui.px(k_question_h));
        ui.name_label(row.inset(ui.px(10), 0), question, TextRole::title, ui.theme.ink,
                      Align::center);
    }
    const IdScope scope(ui, workspace_table()[s.view.workspace].id);
    ui.name("", area, PartKind::panel);
    s.ui.page_begins = s.ui.next_order.size();
    area = area.inset(ui.px(k_panel_margin));
    // Cells stay flat enough to be read as rows.
    const float highest = k_stretch * area.w * figure.size.h / figure.size.w;
    if (highest < area.h) area = {area.x, area.center().y - highest / 2, area.w, highest};
    if (ready) figure.draw(turn);
    // The covers of answers too.
    if (s.lesson) draw_lesson_marks(ui, area, s.lesson->player, *s.ui.parts);
}

// A dark cover with a round hole at the mouse.
void draw_spotlight(Ui& ui, Rect window) {
    const Point mouse = ui.mouse();
    const float radius = k_spot * window.h;
    const Color cover = Color{0, 0, 0}.with_alpha(k_dim);
    for (float y = window.y; y < window.bottom(); y += k_spot_strip) {
        const float dy = y + k_spot_strip / 2 - mouse.y;
        const float half = std::sqrt(std::max(0.0f, radius * radius - dy * dy));
        const float left = std::clamp(mouse.x - half, window.x, window.right());
        const float right = std::clamp(mouse.x + half, window.x, window.right());
        ui.canvas.fill_rect({window.x, y, left - window.x, k_spot_strip}, cover);
        ui.canvas.fill_rect({right, y, window.right() - right, k_spot_strip}, cover);
    }
}

} // namespace

void begin_presenting(App::State& s) {
    s.history.settle(false);
    s.present = {};
    s.present.on = true;
    s.present.words_scale = k_large_words;
    s.present.began = s.services.clock();
    if (s.lesson) {
        s.lesson->player.face_class(true);
    } else if (!s.own && !s.document().scenes.empty()) {
        s.present.before_scenes = s.document();
        s.present.view_before = s.view;
        if (!present_scene(s)) show_scene(s, 0);
    }
    s.present.workspace = s.view.workspace;
    s.services.full_screen(true);
    s.frames_wanted = 2;
}

void end_presenting(App::State& s) {
    if (!s.present.on) return;
    if (s.lesson) s.lesson->player.face_class(false);
    // Where the user showed scenes and edited nothing, the document of before comes back.
    History back = s.history;
    const auto shows = [](const Change* change) {
        return change && std::holds_alternative<ShowScene>(change->edit);
    };
    if (const auto& before = s.present.before_scenes) {
        while (!(back.document() == *before) && shows(back.to_undo())) back.undo();
        if (back.document() == *before) {
            s.history = std::move(back);
            look_anew(s.view, &s.present.view_before);
            s.view.workspace = s.present.view_before.workspace;
            s.scene.reset();
        }
    }
    s.present.on = false;
    s.services.full_screen(false);
    s.frames_wanted = 2;
}

float presented_scale(const App::State& s) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    if (shown_slide(s).kind != Kind::panel) {
        const float large = std::ceil(window.y / 40 / k_label_capital / k_step) * k_step;
        return std::clamp(large * s.present.words_scale, 0.5f, k_largest_scale);
    }
    const FigureEntry& figure = shown_panel(s);
    const Size least{std::max(figure.least.w, figure.size.w * k_usual_least),
                     std::max(figure.least.h, figure.size.h * k_usual_least)};
    const float question = slide_question(s).empty() ? 0 : k_question_h;
    const float fits = std::min(window.x / (least.w + 2 * k_panel_margin),
                                window.y / (least.h + 2 * k_panel_margin + k_footer + question));
    return std::clamp(std::floor(fits / k_step) * k_step, 0.5f, k_largest_scale);
}

void draw_presented(Turn turn, App::State& s, bool ready) {
    Ui& ui = turn.ui;
    Rect& window = turn.rect;
    if (s.present.workspace != s.view.workspace) { // a key opened another workspace
        s.present.workspace = s.view.workspace;
        s.present.panel.reset();
        if (!s.lesson && !s.present.before_scenes)
            s.present.slide = 0; // the workspace's first panel
        s.frames_wanted = std::max(s.frames_wanted, 2);
    }
    const Rect whole = window;
    const Slide slide = shown_slide(s);
    {
        const IdScope scope(ui, "presenter");
        footer(ui, cut_bottom(window, ui.px(k_footer)), s, slide);
        if (s.present.notes) {
            const NotesPage page = *notes_page(s);
            const float most = window.h * k_notes_share;
            const Rect r = cut_bottom(window, std::min(notes_height(ui, window.w, page), most));
            ui.name("notes", r, PartKind::place);
            draw_notes(ui, r, page);
        }
    }
    if (slide.kind == Kind::panel)
        draw_presented_panel(turn, s, ready);
    else
        draw_words_page(ui, window, s, slide.kind == Kind::answer);
    if (s.present.black)
        ui.canvas.fill_rect(whole, {0, 0, 0});
    else if (s.present.spotlight)
        draw_spotlight(ui, whole);
}

void run_presenter_keys(App::State& s) {
    if (s.menu.is_open() || !s.dialogs.empty() || s.ui.text_edit != 0) return;
    if (key_pressed(Key::f5)) return s.defer(s.present.on ? end_presenting : begin_presenting);
    if (!s.present.on || ImGui::GetIO().WantTextInput || ctrl_down() || alt_down()) return;
    // A widget that the user reached by key takes the arrows.
    const bool arrows = s.ui.focus == 0 || !s.ui.focus_visible;
    for (const bool on : {true, false}) {
        if (key_pressed(on ? Key::page_down : Key::page_up) ||
            (arrows && key_pressed(on ? Key::right : Key::left)))
            s.defer([on](App::State& app) { turn_slide(app, on); });
        if (arrows && key_pressed(on ? Key::down : Key::up))
            s.defer([on](App::State& app) { turn_panel(app, on); });
    }
    if (key_pressed(Key::r)) s.defer(reveal_answer);
    const auto turn = [&](bool& what) {
        what = !what;
        s.frames_wanted = std::max(s.frames_wanted, 2);
    };
    if (key_pressed(Key::n)) turn(s.present.notes);
    if (key_pressed(Key::b) || key_pressed(Key::period)) turn(s.present.black);
    if (key_pressed(Key::s)) turn(s.present.spotlight);
    if (key_pressed(Key::escape)) s.defer(end_presenting);
}

} // namespace normscope
