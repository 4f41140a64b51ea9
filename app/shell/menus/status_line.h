#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// A strip off the bottom of `window`, always there so that a message that comes moves nothing: the
// last message, or else the values of the cell under the mouse in every tensor.
void draw_status_line(Ui& ui, Rect& window, App::State& state);

// What is going on in the background, over the lower right corner.
void draw_busy_note(Ui& ui, Rect window, App::State& state);

} // namespace normscope
