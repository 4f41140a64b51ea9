#include "app/shell/lessons/lessons.h"

#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/lesson/lesson.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/window_frame.h"
#include "app/shell/lessons/hand.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/workspaces/shared/panel.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>
#include <utility>

namespace normscope {
namespace {

// At scale 1: a page needs so much, or else the panel gets narrower, down to its least.
constexpr float k_least_page_w = 409;
constexpr float k_least_panel_w = 228;
constexpr float k_strip_h = 44; // of a lesson that is folded up
// A page can be scrolled no further than it was high in the pass before.
constexpr int k_scrolling_passes = 4;
constexpr float k_ring_margin = 56; // of what is ringed, to the page's edge
constexpr float k_title_h = 40;     // from a card's top to below its title

void look_at_start(App::State& s, const LessonStart& start) {
    s.view.workspace = workspace_index(start.workspace).value_or(s.view.workspace);
    const auto pin = [](std::optional<Index>& pinned, const Names& names, const std::string& name) {
        if (const std::string* const at = find_in(names, name)) pinned = at - names.data();
    };
    pin(s.view.pinned_token, *s.document().tokens, start.token);
    pin(s.view.pinned_feature, *s.document().features, start.feature);
    show_look(s.view, start.look);
}

void keep_record(App::State& s) {
    if (s.lesson->player.take_changed())
        s.progress.set(s.lesson->player.lesson().id, s.lesson->player.record());
}

// The workspace that the step is about.
std::optional<std::size_t> workspace_of_step(const LessonPlayer& player) {
    for (std::size_t i = player.at() + 1; i-- > 0;)
        if (const auto& start = player.lesson().steps[i].start)
            if (const auto index = workspace_index(start->workspace)) return index;
    return std::nullopt;
}

// The tab of the step's workspace where another workspace is open, else empty.
std::string elsewhere(const App::State& s) {
    const auto index = workspace_of_step(s.lesson->player);
    if (!index || *index == s.view.workspace) return {};
    const Workspace& entry = workspace_table()[*index];
    return worded("{} {}", entry.key, entry.label);
}

bool lesson_is_beside(const Ui& ui) {
    return ui.window().w >= k_least_page_w + k_least_panel_w;
}

void show_solution(App::State& s) {
    if (!s.lesson || !s.lesson->player.shows_solution()) return;
    end_show(s);
    s.lesson->panel.folded = true;
    s.lesson->show = std::make_shared<LessonShow>(s.lesson->player.step().task->solution);
    s.frames_wanted = 2;
}

// How far the page scrolls so that `r` is in sight, its top where it is too high.
float way_into(Rect page, Rect r, float margin) {
    const float above = r.y - margin - page.y;
    const float below = r.bottom() + margin - page.bottom();
    return above < 0 ? std::min(above + margin, 0.0f) : std::clamp(below, 0.0f, above);
}

// How much of the height of `wanted` is in sight once the page has scrolled down by `by`.
float seen_height(Rect page, const std::vector<Rect>& wanted, float by) {
    float h = 0;
    for (const Rect& r : wanted) h += page.shared_with({r.x, r.y - by, r.w, r.h}).h;
    return h;
}

// `by`, or where the page's edge would cut a card's title the nearest way that ends at the top of a
// card and leaves no less of `wanted` in sight.
float past_titles(const App::State& s, Rect page, const std::vector<Rect>& wanted, float by) {
    const float top = -s.scrolls.at(s.view.workspace).now; // the way to the top of the page
    std::vector<float> ways{top};
    bool cuts = false;
    for (const OutlinedPanel& panel : outline_of(s)) {
        const float way = panel.rect.y - page.y;
        cuts |= way < by && by < way + k_title_h;
        ways.push_back(std::max(top, way - k_page_margin));
    }
    const float seen = seen_height(page, wanted, by);
    std::erase_if(ways, [&](float way) { return seen_height(page, wanted, way) < seen - 1; });
    if (!cuts || ways.empty()) return by;
    return std::ranges::min(ways, {}, [by](float way) { return std::abs(way - by); });
}

// Above the page, whatever is scrolled.
bool stands_still(const App::State& s, Rect r, Rect page) {
    return r.bottom() + s.scrolls.at(s.view.workspace).now <= page.y;
}

// More of a part was drawn than its key and the button that brings it back.
bool is_there(const App::State& s, const std::string& name) {
    return std::ranges::any_of(*s.ui.parts, [&](const NamedPart& part) {
        return is_within(part.name, name) && !part.name.ends_with(".unfold") &&
               part.kind != PartKind::key;
    });
}

// The parts of the open workspace that the step points at and that were not drawn.
std::vector<std::string> missed_parts(const App::State& s) {
    const LessonStep& step = s.lesson->player.step();
    std::vector<std::string> names = step.show;
    add_all(names, step.ring);
    if (step.task)
        for (const LessonAct& act : step.task->solution) names.push_back(act.target);
    std::erase_if(names, [&](const std::string& name) {
        return !is_within(name, s.workspace().id) || is_there(s, name);
    });
    return names;
}

void take_changed_file(App::State& s) {
    LessonRun& run = *s.lesson;
    const std::string stamp = file_stamp(run.player.lesson().file);
    if (stamp.empty() || stamp == run.stamp) return;
    run.stamp = stamp;
    auto lesson = load_lesson(run.player.lesson().file);
    if (s.complains_of(lesson)) return;
    run.player.take(std::move(*lesson));
    s.defer(to_step(run.player.at()));
    s.say("The lesson was read again: its file has changed");
}

} // namespace

Command to_step(std::size_t step) {
    return [step](App::State& s) {
        if (s.lesson) s.complains_of(go_to_step(s, step));
    };
}

void load_lesson_menu(App::State& s) {
    LessonShelf shelf = load_lessons(s.assets / "lessons");
    s.lessons = std::move(shelf.lessons);
    for (const std::string& problem : shelf.problems) s.complain(problem);
}

void translate_lessons(App::State& s) {
    load_lesson_menu(s);
    if (!s.lesson) return;
    if (auto lesson = load_lesson(s.lesson->player.lesson().file))
        s.lesson->player.take(std::move(*lesson));
}

Result<void> begin_lesson(App::State& s, const std::string& wanted, int path) {
    const WantedLesson asked = wanted_lesson(wanted);
    const auto lesson =
        TRY(asked.is_file() ? load_lesson(asked.id) : find_lesson(s.lessons, asked.id));
    return begin_lesson(s, lesson, asked.step, path);
}

Result<void> begin_lesson(App::State& s, const Lesson& lesson, std::optional<std::size_t> step,
                          int path) {
    leave_lesson(s);
    leave_part(s);
    s.history.settle(false);
    LessonRecord record = s.progress.of(lesson.id);
    const std::size_t left_at = record.finished ? 0 : record.step;
    s.lesson = std::make_unique<LessonRun>(
        LessonRun{LessonPlayer(lesson, std::move(record),
                               [&memory = s.memory](const RaceSetup& setup) {
                                   return memory.race_ends.find(memory.lab, setup);
                               }),
                  {s.history, s.view, {}},
                  s.scrolls,
                  path});
    s.lesson->stamp = file_stamp(lesson.file);
    for (auto& [workspace, scroll] : s.scrolls) scroll.passes = 0;
    const std::size_t last = lesson.steps.size() - 1;
    auto begun = go_to_step(s, std::min(step.value_or(left_at), last));
    if (!begun) leave_lesson(s);
    return begun;
}

void resume_lesson(App::State& s, const std::string& id, Index step) {
    const auto lesson = find_lesson(s.lessons, id);
    if (!lesson) return;
    Document saved = s.document();
    if (s.complains_of(begin_lesson(s, *lesson, static_cast<std::size_t>(step)))) return;
    s.history = History(std::move(saved));
    *s.history.kept() = *s.lesson->before.history.kept();
}

Result<void> go_to_step(App::State& s, std::size_t index) {
    LessonRun& run = *s.lesson;
    const auto& steps = run.player.lesson().steps;
    std::size_t from = index; // the step whose beginning this one goes on from
    while (from > 0 && !steps[from].begins_anew()) --from;
    const bool goes_on =
        from != index && index == run.player.at() + 1 && s.document().x->size() > 0;
    if (!goes_on) {
        auto document = TRY(lesson_document(run.player.lesson(), from, s.examples));
        leave_part(s);
        s.history = History(std::move(document));
        View usual;
        usual.workspace = s.view.workspace;
        look_as(s, std::move(usual));
        s.view.pinned_token = lesson_token(*steps[from].start, s.examples);
        look_at_start(s, *steps[from].start);
        s.ghost.reset();
    }
    if (steps[index].start) look_at_start(s, *steps[index].start);
    run.player.go(index, s.document());
    keep_record(s);
    end_show(s);
    run.panel.to_the_top = true;
    run.into_sight = k_scrolling_passes;
    run.panel.to_the_end = false;
    s.ui.focus = 0;
    s.status.clear();
    s.frames_wanted = 2;
    return {};
}

void leave_lesson(App::State& s) {
    if (!s.lesson) return;
    end_show(s);
    leave_part(s);
    s.ui.locked.clear();
    s.ui.missed.clear();
    const std::unique_ptr<LessonRun> run = std::move(s.lesson);
    s.history = std::move(run->before.history);
    look_as(s, std::move(run->before.view));
    for (auto& [workspace, scroll] : s.scrolls) {
        const float before = run->scrolls_before[workspace].now;
        scroll = {before, before, k_scrolling_passes};
    }
    s.ghost.reset();
    s.say("Your own document is back");
}

void look_as(App::State& s, View view) {
    view.theme = s.view.theme;
    view.ui_scale = s.view.ui_scale;
    view.reduce_motion = s.view.reduce_motion;
    view.hover = {};
    view.running = false;
    s.view = std::move(view);
}

void note_deed(App::State& s, std::string_view deed) {
    if (s.lesson) s.lesson->player.note(deed);
}

LessonLook lesson_look(const App::State& s) {
    return {std::string(s.workspace().id), s.view.pinned_token, s.view.pinned_feature,
            s.lesson ? s.lesson->player.deeds() : LessonLook().deeds};
}

void keep_up_lesson(App::State& s) {
    if (s.lesson && s.lesson->show && s.lesson->show->is_disturbed()) {
        end_show(s);
        give_back(s); // before the person's key or click is heard
        s.menu = {};
    }
    // The frame in which the show ends still hears its hand.
    const bool shows = s.lesson && s.lesson->show;
    if (s.kept_aside && !shows && ImGui::GetFrameCount() > s.kept_aside->shown_in) give_back(s);
    keep_up_handout(s);
    if (!s.lesson) return;
    take_changed_file(s);
    LessonPlayer& player = s.lesson->player;
    if (s.present.on) player.note("presented");
    const bool was_complete = player.complete();
    player.look_at(s.document(), lesson_look(s));
    if (player.complete() != was_complete) s.lesson->panel.to_the_end = true;
    keep_record(s);
    if (s.lesson->show && !s.lesson->show->go_on(s)) end_show(s);
    s.ui.locked = lesson_locks(player);
    if (!alt_down() || ImGui::GetIO().WantTextInput || s.menu.is_open() || !s.dialogs.empty())
        return;
    for (const Key key : {Key::left, Key::right, Key::enter})
        if (key_pressed(key)) {
            s.lesson->panel.keyed = key;
            take_key(key); // before a fader that has the keyboard hears it
        }
}

float lesson_width(const Ui& ui, Rect window, const App::State& s) {
    if (!s.lesson || !lesson_is_beside(ui)) return 0;
    return std::floor(std::min(k_lesson_panel_w, window.w - k_least_page_w));
}

float lesson_height(const Ui& ui, Rect window, const App::State& s) {
    if (!s.lesson || lesson_is_beside(ui)) return 0;
    return s.lesson->panel.folded ? k_strip_h : window.h;
}

void draw_lesson(Ui& ui, Rect r, App::State& s) {
    if (!s.lesson) return;
    LessonRun& run = *s.lesson;
    const bool folds = !lesson_is_beside(ui);
    const bool asked = run.player.asks();
    const LessonWish wish =
        folds && run.panel.folded
            ? draw_folded_lesson(ui, r, run.player, run.panel)
            : draw_lesson_panel(ui, r, run.player, run.panel,
                                lesson_number(s, run.player.lesson().id), elsewhere(s), folds);
    keep_record(s);
    if (asked && !run.player.asks()) run.into_sight = k_scrolling_passes;
    if (run.show) run.show->draw(s);
    if (wish.acted) s.frames_wanted = 2;
    if (wish.show_solution) s.defer(show_solution);
    if (wish.close) s.defer(leave_lesson);
    if (wish.finish) s.defer(finish_lesson);
    if (wish.to_workspace)
        s.defer([](App::State& app) {
            app.view.workspace = workspace_of_step(app.lesson->player).value_or(app.view.workspace);
        });
    if (wish.go) s.defer(to_step(*wish.go));
}

void draw_lesson_on_page(Ui& ui, Rect page, App::State& s) {
    // A discarded pass leaves out what the hand is not on.
    if (!s.lesson || !s.ui.parts || s.drawing == Drawing::discarded) return;
    draw_lesson_marks(ui, page, s.lesson->player, *s.ui.parts);
    const auto missed = std::exchange(s.ui.missed, missed_parts(s));
    if (s.ui.missed != missed) s.frames_wanted = 2;
    if (s.lesson->into_sight == 0 || !s.ui.missed.empty()) return;
    --s.lesson->into_sight;
    s.frames_wanted = 2;
    const LessonPlayer& player = s.lesson->player;
    const LessonStep& step = player.step();
    const auto then = s.lesson->show ? std::vector{s.lesson->show->target()} : step.ring;
    // To the first part of each: what is shown, is covered, is to be pressed. The last one counts
    // most: while a question is asked what it is about, which is shown.
    std::array order{&step.show, &step.hide, &then};
    if (player.asks()) std::ranges::reverse(order);
    float by = 0;
    std::vector<Rect> wanted;
    for (const auto* names : order)
        if (const auto target =
                names->empty() ? std::nullopt : lesson_target(*s.ui.parts, names->front())) {
            const Rect r = ui.canvas.from_pixels(*target);
            if (stands_still(s, r, page)) continue;
            by += way_into(page, {r.x, r.y - by, r.w, r.h}, k_ring_margin);
            wanted.push_back(r);
        }
    by = past_titles(s, page, wanted, by);
    if (by != 0) ui.scroll_to(ui.scroll() + by);
}

} // namespace normscope
