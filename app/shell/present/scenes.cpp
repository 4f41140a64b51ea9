#include "app/shell/present/scenes.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/window_frame.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {
namespace {

// The history of the person's own document.
auto& own_history(auto& s) {
    return s.lesson ? s.lesson->before.history : s.own ? s.own->history : s.history;
}
const Scenes& own_scenes(const App::State& s) {
    return *own_document(s).scenes;
}

void change_scenes(App::State& s, const SetScenes& edit) {
    History& history = own_history(s);
    history.settle(false);
    history.change(*apply(history.document(), edit), edit, s.view.workspace);
    history.settle(false);
    s.frames_wanted = 2;
}

// The panel that is presented, that the mouse is over, or that is in sight first.
std::string looked_at_panel(const App::State& s) {
    const auto figures = s.workspace().figures;
    if (s.present.on && s.present.panel && *s.present.panel < figures.size())
        return std::string(figures[*s.present.panel].id);
    const Point at = mouse_at(s.fonts.scale);
    const FigureEntry* first = nullptr;
    for (const OutlinedPanel& panel : outline_of(s)) {
        if (panel.seen.contains(at)) return std::string(panel.figure->id);
        if (!first && panel.seen.h > panel.rect.h / 2) first = panel.figure;
    }
    return first ? std::string(first->id) : std::string();
}

// The document and how it is looked at; the scene's words stay.
void take_now(const App::State& s, Scene& scene) {
    scene.workspace = s.workspace().id;
    scene.panel = looked_at_panel(s);
    scene.token = s.view.pinned_token;
    scene.feature = s.view.pinned_feature;
    scene.document = s.document();
    scene.look.clear();
    Look look = Look::that_keeps(scene.look);
    View view = s.view;
    s.workspace().keep_look(view, look);
}

// The document as it is now takes the place of scene `index`'s.
void keep_scene_anew(App::State& s, std::size_t index) {
    if (index >= own_scenes(s).size()) return;
    Scene scene = own_scenes(s)[index];
    take_now(s, scene);
    change_scenes(s, change_scene(own_history(s).document(), index, std::move(scene)));
    s.scene = index;
    s.say(worded("Scene {} is what is on the screen now", index + 1));
}

} // namespace

const Document& own_document(const App::State& s) {
    return own_history(s).document();
}

std::optional<std::size_t> present_scene(const App::State& s) {
    return s.scene && *s.scene < own_scenes(s).size() ? s.scene : std::nullopt;
}

void keep_scene_now(App::State& s) {
    const std::size_t at = own_scenes(s).size();
    Scene scene;
    take_now(s, scene);
    change_scenes(s, keep_scene(own_history(s).document(), at, std::move(scene)));
    s.scene = at;
    const auto figures = s.workspace().figures;
    const FigureEntry* const panel = find_in(figures, own_scenes(s).back().panel, &FigureEntry::id);
    const std::string_view label = tr((panel ? *panel : figures.front()).label);
    const bool waits = s.lesson || s.own;
    s.say(waits ? worded("Scene {} with the panel “{}” is kept in your own document", at + 1, label)
                : worded("Scene {} is kept with the panel “{}”", at + 1, label),
          StatusAction{"Question and notes…", given(ask_scene_words, at)});
}

void show_scene(App::State& s, std::size_t index) {
    if (index >= own_scenes(s).size()) return;
    leave_lesson(s);
    leave_part(s);
    s.history.settle(false);
    const Scene scene = (*s.document().scenes)[index];
    s.apply_edits({ShowScene{index}});
    s.history.settle(false);
    look_anew(s.view);
    s.view.workspace = workspace_index(scene.workspace).value_or(s.view.workspace);
    s.view.pinned_token = scene.token;
    s.view.pinned_feature = scene.feature;
    show_look(s.view, scene.look);
    s.scene = index;
    s.ghost.reset();
    s.status.clear();
    s.frames_wanted = 2;
}

void move_scene_to(App::State& s, std::size_t from, std::size_t to) {
    const std::size_t count = own_scenes(s).size();
    if (from >= count || to >= count || from == to) return;
    change_scenes(s, move_scene(own_history(s).document(), from, to));
    s.scene = to;
}

void remove_scene_at(App::State& s, std::size_t index) {
    const std::size_t count = own_scenes(s).size();
    if (index >= count) return;
    const std::string title = scene_title(own_scenes(s), index);
    change_scenes(s, remove_scene(own_history(s).document(), index));
    if (s.scene && *s.scene >= index) s.scene = *s.scene > 0 ? *s.scene - 1 : 0;
    s.say(worded("{} is removed; Ctrl+Z brings it back", title));
}

void change_scene_words(App::State& s, std::size_t index, const Scene& scene) {
    if (index < own_scenes(s).size() && !(own_scenes(s)[index] == scene))
        change_scenes(s, change_scene(own_history(s).document(), index, scene));
}

std::vector<MenuItem> scene_items(App::State& s) {
    const Scenes& scenes = own_scenes(s);
    const auto now = present_scene(s);
    const std::size_t after = now ? *now + 1 : 0;
    const std::size_t before = now.value_or(0);
    std::vector<MenuItem> keep{
        {.id = "strip",
         .label = "Show the strip",
         .run = [&s] { s.scene_strip = !shows_scene_strip(s); },
         .checked = shows_scene_strip(s)},
        {"keep", "Keep this state as a scene", does(s, keep_scene_now), {{Key::k, true}}}};
    if (now)
        add_all(keep,
                std::vector<MenuItem>{{"again", worded("Keep this state as scene {} again", after),
                                       does(s, keep_scene_anew, before)},
                                      {"words", worded("Question and notes of scene {}…", after),
                                       does(s, ask_scene_words, before)},
                                      {"remove", worded("Remove scene {}", after),
                                       does(s, remove_scene_at, before)}});
    std::vector<MenuItem> all;
    for (const auto i : indices(scenes))
        all.push_back({.id = fmt::format("scene-{}", i + 1),
                       .label = scene_title(scenes, i),
                       .run = does(s, show_scene, i),
                       .checked = now == i,
                       .hint = scenes[i].question});
    return in_groups(
        {keep,
         {{"next",
           "Next scene",
           does(s, show_scene, after),
           {{Key::n, true}},
           after < scenes.size()},
          {"previous",
           "Previous scene",
           does(s, show_scene, before - 1),
           {{Key::p, true}},
           before > 0},
          {"lesson", "The scenes as a lesson…", does(s, ask_export_lesson), {}, !scenes.empty()}},
         all});
}

} // namespace normscope
