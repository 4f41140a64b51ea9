#pragma once
#include "app/shell/state.h"

namespace normscope {

// The last message, at the bottom of `window`; takes its strip off it when there is one.
void draw_status_line(Ui& ui, Rect& window, App::State& state);

// What is going on in the background, over the lower right corner.
void draw_busy_note(Ui& ui, Rect window, const App::State& state);

} // namespace normscope
