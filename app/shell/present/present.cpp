#include "app/shell/present/present.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/present/notes.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <variant>

namespace normscope {
namespace {

constexpr float k_footer = 26;     // at the bar's scale
constexpr float k_question_h = 30; // the line above a panel
constexpr float k_hands_w = 420;   // a narrower bar has no room for hands
constexpr float k_panel_margin = 4;
constexpr float k_words_margin = 14;
constexpr float k_notes_share = 0.7f; // the notes take at most this of the window's height
constexpr float k_largest_scale = 5;
constexpr float k_stretch = 1.4f; // a panel is at most this much higher than usual
constexpr float k_step = 0.05f;   // of scales; each needs fonts of its own
constexpr float k_spot = 0.16f;   // the spotlight's radius, of the window's height
constexpr float k_dim = 0.82f;
constexpr float k_spot_strip = 2; // the height of the strips that make the spotlight's edge
// The height of a capital at scale 1: on a slide it is a fortieth of the window's.
constexpr float k_label_capital = 0.62f * text_role_spec(TextRole::label).size;
constexpr float k_less_words = 0.9f, k_least_words = 0.5f;

using Kind = Slide::Kind;

void end_presenting(App::State& s) {
    if (!s.present.on) return;
    if (s.lesson) s.lesson->player.face_class(false);
    // A presentation that only showed scenes, without an edit, gives the earlier document back.
    History back = s.history;
    const auto shows = [](const Change* change) {
        return change && (std::holds_alternative<ShowScene>(change->edit) ||
                          std::holds_alternative<GoBack>(change->edit));
    };
    if (s.present.of_scenes) {
        const Document& before = s.present.began;
        while (!(back.document() == before) && shows(back.to_undo())) back.undo();
        if (back.document() == before) {
            s.history = std::move(back);
            look_anew(s.view, &s.present.view_before);
            s.view.own = s.present.view_before.own;
            s.view.workspace = s.present.view_before.workspace;
            s.scene.reset();
        }
    }
    s.present.on = false;
    s.services.full_screen(false);
    s.frames_wanted = 2;
}

// The scene as it was kept, or the document as it stood when the presentation began: one step.
void as_it_began(App::State& s) {
    if (!s.present.on || s.lesson) return;
    if (const auto scene = present_scene(s); scene && s.present.of_scenes)
        return show_scene(s, *scene);
    if (s.document() == s.present.began) return;
    s.history.settle(false);
    s.apply_edits({GoBack{s.present.began}});
    s.history.settle(false);
    s.view.own = s.present.view_before.own;
    s.frames_wanted = 2;
}

// The bar at the bottom of the window: as high on every page.
class PresenterBar {
  public:
    PresenterBar(Ui& ui, Rect row, App::State& s) : ui_(ui), s_(s), row_(row.inset(8, 1)) {}

    void draw(bool with_hands) {
        const Rect all = row_;
        for (const bool on : {false, true})
            if (pressed(on ? "next" : "previous", cut_left(row_, 28, 4), on ? "▸" : "◂",
                        "Page keys or arrows")
                    .clicked)
                s_.defer(given(turn_slide, on));
        if (pressed("panels", cut_left(row_, 28, 8), "☰", "L: all panels").clicked)
            s_.defer(show_panel_list);
        const std::string_view began = "As it began";
        const float began_w = ui_.text_width(began, TextRole::bar) + 12;
        if (!s_.lesson && all.w >= k_hands_w &&
            pressed("as-it-began", cut_left(row_, began_w, 8), began,
                    "Home: everything as it was when the presentation began")
                .clicked)
            s_.defer(as_it_began);
        if (pressed("end", cut_right(row_, 40, 8), "Esc", "Ends the presentation").clicked)
            s_.defer(end_presenting);
        s_.present.minutes_drawn =
            static_cast<int>((s_.services.clock() - s_.present.began_at) / 60);
        words(cut_right(row_, 60, 6), worded("{} min", s_.present.minutes_drawn),
              ui_.theme.ink_soft, Align::right);
        if (with_hands && all.w >= k_hands_w) hands();
        const bool wrong = s_.status_is_error && !s_.status.empty();
        words(row_, wrong ? s_.status : slide_title(s_),
              wrong ? ui_.theme.error : ui_.theme.ink_soft, Align::left);
    }

  private:
    void words(Rect r, const std::string& text, Color color, Align align) {
        ui_.label(r, text, TextRole::bar, color, align);
    }

    Hit pressed(std::string_view id, Rect r, std::string_view label, std::string_view hint,
                float share = 0) {
        const Hit hit = ui_.hit(id, r, {.kind = PartKind::button});
        const Theme& t = ui_.theme;
        draw_plate(ui_, hit, r);
        draw_votes(ui_, r, share);
        ui_.canvas.text_in(r, label, TextRole::bar, t.ink);
        ui_.focus_ring(hit, r, 5);
        ui_.tooltip(hit, hint, r);
        return hit;
    }

    void hands() {
        for (std::size_t i = answers_of(s_); i-- > 0;) {
            const std::string label =
                worded("{} {}", static_cast<char>('A' + i), s_.present.hands[i]);
            const Hit hit = pressed(fmt::format("hands-{}", static_cast<char>('a' + i)),
                                    cut_right(row_, 52, 4), label,
                                    "Hands raised for this answer: its letter or a click for one "
                                    "more, Shift+letter or right-click for one fewer",
                                    share_of_hands(s_, i));
            if (hit.clicked) raise_hand(s_, i, 1);
            if (hit.right_clicked) raise_hand(s_, i, -1);
        }
    }

    Ui& ui_;
    App::State& s_;
    Rect row_;
};

// Words that have no room are smaller in the next frame.
void draw_words_page(Ui& ui, Rect area, App::State& s, bool answer) {
    const IdScope scope(ui, "presenter");
    area = area.inset(k_words_margin);
    const float height = draw_words_slide(ui, area, s, answer);
    if (height <= area.h || s.present.words_scale < k_least_words) return;
    s.present.words_scale *= k_less_words;
    s.frames_wanted = 2;
}

void draw_presented_panel(Turn turn, App::State& s, bool ready) {
    Rect& area = turn.rect;
    const FigureEntry figure = shown_panel(s).looked_at(s.view);
    if (const std::string question = slide_question(s); !question.empty()) {
        const Rect row = cut_top(area, k_question_h);
        turn.label(row.inset(10, 0), Text::typed(question), TextRole::title, turn.theme.ink,
                   Align::center);
    }
    const IdScope scope(turn, s.workspace().id);
    turn.name("", area, PartKind::panel);
    s.ui.page_begins = s.ui.next_order.size();
    area = area.inset(k_panel_margin);
    // Cells stay flat enough to be read as rows.
    const float highest = k_stretch * area.w * figure.size.h / figure.size.w;
    if (highest < area.h) area = {area.x, area.center().y - highest / 2, area.w, highest};
    if (ready) figure.draw(turn);
    // The covers of answers too.
    if (s.lesson) draw_lesson_marks(turn, area, s.lesson->player, *s.ui.parts);
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
    s.present.began_at = s.services.clock();
    s.present.began = s.document();
    s.present.view_before = s.view;
    if (s.lesson) {
        s.lesson->player.face_class(true);
    } else if (!s.own && !s.document().scenes->empty()) {
        s.present.of_scenes = true;
        if (!present_scene(s)) show_scene(s, 0);
    }
    s.present.workspace = s.view.workspace;
    s.ui.keys_lead = true; // the mouse rests where the page was
    s.services.full_screen(true);
    s.frames_wanted = 2;
}

float presenter_bar_scale() {
    constexpr float k_usual = 800; // pixels: the height of a window with letters of scale 1
    const float scale = std::floor(ImGui::GetIO().DisplaySize.y / k_usual / k_step) * k_step;
    return std::clamp(scale, k_least_ui_scale, k_largest_scale);
}

FontSet bar_fonts(const App::State& s) {
    FontSet fonts = s.fonts;
    fonts.scale = fonts.bar;
    return fonts;
}

float presented_scale(const App::State& s) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    if (s.present.list) return panel_list_scale(s);
    if (shown_slide(s).kind != Kind::panel) {
        const float large = std::ceil(window.y / 40 / k_label_capital / k_step) * k_step;
        return std::clamp(large * s.present.words_scale, 0.5f, k_largest_scale);
    }
    const FigureEntry figure = shown_panel(s).looked_at(s.view);
    const float usual = FigureEntry::k_usual_least;
    const Size least{std::max(figure.least.w, figure.size.w * usual),
                     std::max(figure.least.h, figure.size.h * usual)};
    const float question = slide_question(s).empty() ? 0 : k_question_h;
    const float room = window.y - k_footer * presenter_bar_scale();
    const float fits = std::min(window.x / (least.w + 2 * k_panel_margin),
                                room / (least.h + 2 * k_panel_margin + question));
    return std::clamp(std::floor(fits / k_step) * k_step, 0.5f, k_largest_scale);
}

void draw_presented(Turn turn, App::State& s, bool ready) {
    Rect& window = turn.rect;
    if (s.present.workspace != s.view.workspace) { // a key opened another workspace
        s.present.workspace = s.view.workspace;
        s.present.panel.reset();
        if (!s.lesson && !s.present.of_scenes) s.present.slide = 0; // the workspace's first panel
        s.frames_wanted = 2;
    }
    const Rect whole = window;
    const Slide slide = shown_slide(s);
    {
        const IdScope scope(turn, "presenter");
        const float larger = s.fonts.bar / s.fonts.scale;
        const Rect bar = cut_bottom(window, turn.canvas.whole(k_footer * larger));
        const FontSet fonts = bar_fonts(s);
        ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), fonts, &s.textures, s.drawing, s.ui.texts);
        Ui in_bar(canvas, turn.theme, s.ui);
        PresenterBar(in_bar, bar.times(1 / larger), s).draw(!options_in_sight(s));
        if (s.present.notes) {
            const NotesPage page = *notes_page(s);
            const float most = window.h * k_notes_share;
            const Rect r = cut_bottom(window, std::min(notes_height(turn, window.w, page), most));
            turn.name("notes", r, PartKind::place);
            draw_notes(turn, r, page);
        }
    }
    if (s.present.list && ready)
        draw_panel_list({turn, window, turn.frame, turn.actions}, s);
    else if (slide.kind == Kind::panel)
        draw_presented_panel(turn, s, ready);
    else
        draw_words_page(turn, window, s, slide.kind == Kind::answer);
    if (s.present.black)
        turn.canvas.fill_rect(whole, {0, 0, 0});
    else if (s.present.spotlight)
        draw_spotlight(turn, whole);
}

void run_presenter_keys(App::State& s) {
    if (s.menu.is_open() || !s.dialogs.empty() || s.ui.text_edit != 0 || s.ui.key_taken) return;
    if (key_pressed(Key::f5)) return s.defer(s.present.on ? end_presenting : begin_presenting);
    if (!s.present.on || ImGui::GetIO().WantTextInput || ctrl_down() || alt_down()) return;
    // A widget that the user reached by key takes the arrows, and so do the tiles of the list.
    const bool arrows = !s.present.list && (s.ui.focus == 0 || !s.ui.focus_visible);
    for (const bool on : {true, false}) {
        if (key_pressed(on ? Key::page_down : Key::page_up) ||
            (arrows && key_pressed(on ? Key::right : Key::left)))
            s.defer(given(turn_slide, on));
        if (arrows && key_pressed(on ? Key::down : Key::up)) s.defer(given(turn_panel, on));
    }
    if (key_pressed(Key::r)) s.defer(reveal_answer);
    if (key_pressed(Key::home)) s.defer(as_it_began);
    for (const auto i : indices(answers_of(s)))
        if (key_pressed(static_cast<Key>('A' + i))) raise_hand(s, i, shift_down() ? -1 : 1);
    const auto turn = [&](bool& what) {
        what = !what;
        s.frames_wanted = 2;
    };
    if (key_pressed(Key::n)) turn(s.present.notes);
    if (key_pressed(Key::period)) turn(s.present.black);
    if (key_pressed(Key::s)) turn(s.present.spotlight);
    if (key_pressed(Key::l)) show_panel_list(s);
    if (key_pressed(Key::escape)) s.defer(s.present.list ? show_panel_list : end_presenting);
}

} // namespace normscope
