#pragma once
#include "app/model/edit.h"
#include "app/shell/frame/state.h"

#include <optional>
#include <string>
#include <vector>

// The commands of the person's own document's scenes. Each is one step to undo.
namespace normscope {

// The scene that was kept or shown last; none where the scene was removed.
std::optional<std::size_t> present_scene(const App::State& state);

// Keeps the document and how it is looked at as a scene behind the last one of the person's own
// document, which may wait for a lesson's or for an Add & Norm of a stack.
void keep_scene_now(App::State& state);

// Shows the scene as it was kept, and leaves a lesson for it. Does nothing where there is no scene
// `index`.
void show_scene(App::State& state, std::size_t index);

void move_scene_to(App::State& state, std::size_t from, std::size_t to);
void remove_scene_at(App::State& state, std::size_t index);

// Asks for a file and writes the scenes to it as a lesson.
void ask_export_lesson(App::State& state);

// The person's own document, which waits while a lesson or a part of a stack is open.
const Document& own_document(const App::State& state);

void change_scene_words(App::State& state, std::size_t index, const Scene& scene);

// Opens a sheet with the scene's name, question, notes and panel.
void ask_scene_words(App::State& state, std::size_t index);

std::vector<MenuItem> scene_items(App::State& state);

// Whether the strip is shown: where the document has scenes, unless the user put the strip away;
// where it has none, once the user asked for the strip.
bool shows_scene_strip(const App::State& state);

// Cuts a strip off the left of `line` and draws the scenes in it, in order; names are cut where
// there is less `room`, down to numbers. A click or Enter
// shows a scene, dragging or Ctrl+arrows move it, Delete removes it, F2 or a right-click opens its
// words.
void draw_scene_strip(Ui& ui, Rect& line, App::State& state, float room);

// The document's scenes as a lesson's file. A scene becomes a step: the scene's question is the
// step's text, or with its options a prediction, its notes stay private, and the step starts with
// its document, written as what differs from an example or as a whole.
std::string lesson_of_scenes(const Document& document, const std::string& id,
                             const std::vector<Example>& examples);

} // namespace normscope
