#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// Whether the strip is shown: where the document has scenes, unless the user put the strip away;
// where it has none, once the user asked for the strip.
bool shows_scene_strip(const App::State& state);

// Cuts a strip off the bottom of `window` and draws the scenes in it, in order. A click or Enter
// shows a scene, dragging or Ctrl+arrows move it, Delete removes it, F2 or a right-click opens its
// words.
void draw_scene_strip(Ui& ui, Rect& window, App::State& state);

} // namespace normscope
