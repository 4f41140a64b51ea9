#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// Cuts the bar off the top of `window`: the program's name, menus, one tab a workspace, the example
// picker, the theme. The tabs keep their words: where one row has no room for all of it, the bar
// takes two.
void draw_top_bar(Ui& ui, Rect& window, App::State& state);

} // namespace normscope
