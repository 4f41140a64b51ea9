#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// Draws the whole window once: the bar, the workspace, the status line, what is open over them.
// True if what was drawn is out of date now, because the input changed the document or the view.
bool draw_window(App::State& state);

} // namespace normscope
