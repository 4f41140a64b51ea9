#pragma once
#include "app/shell/state.h"

namespace normscope {

// The program's name, menus, one tab a workspace, the example picker, theme.
void draw_top_bar(Ui& ui, Rect bar, App::State& state, Actions& actions);

// The last message, at the bottom of `window`; takes its strip off it when there is one.
void draw_status_line(Ui& ui, Rect& window, App::State& state);

} // namespace normscope
