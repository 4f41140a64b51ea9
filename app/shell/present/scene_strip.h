#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// Where there are scenes, unless it was put away; without any, once it was asked for.
bool shows_scene_strip(const App::State& state);

// A strip off the bottom of `window` with the scenes in order: shown by a click or Enter, moved by
// dragging or Ctrl+arrows, removed by Delete, told by F2 or the other button of the mouse.
void draw_scene_strip(Ui& ui, Rect& window, App::State& state);

} // namespace normscope
