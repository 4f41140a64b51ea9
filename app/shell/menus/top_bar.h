#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

// The program's name, menus, one tab a workspace, the example picker, the theme. Where the window
// is too narrow for all of it, words give way: first the picker's, then the tabs', then the menus'.
void draw_top_bar(Ui& ui, Rect bar, App::State& state);

} // namespace normscope
