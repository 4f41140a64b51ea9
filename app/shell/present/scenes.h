#pragma once
#include "app/model/scene.h"
#include "app/shell/frame/state.h"

#include <optional>
#include <vector>

// The commands of the person's own document's scenes. Each is one step to undo.
namespace normscope {

// That was kept or shown last; none where it is not there any more.
std::optional<std::size_t> present_scene(const App::State& state);

// The document and how it is looked at, behind the last scene. A lesson's document, or an Add &
// Norm of a stack, goes to the person's own document, which waits.
void keep_scene_now(App::State& state);

// What is there instead of scene `index`, with the scene's words.
void keep_scene_anew(App::State& state, std::size_t index);

// As it was kept; a lesson is left for it. Nothing where there is no such scene.
void show_scene(App::State& state, std::size_t index);

void move_scene_to(App::State& state, std::size_t from, std::size_t to);
void remove_scene_at(App::State& state, std::size_t index);

// The scenes as a lesson, to a file that is asked for.
void ask_export_lesson(App::State& state);

// The person's own document, which may be waiting.
const Document& own_document(const App::State& state);

// Of the person's own document; null where there is none.
const Scene* own_scene(const App::State& state, std::size_t index);
void change_scene_words(App::State& state, std::size_t index, const Scene& scene);

// A sheet with the scene's name, question, notes and panel.
void ask_scene_words(App::State& state, std::size_t index);

std::vector<MenuItem> scene_items(const App::State& state);

} // namespace normscope
