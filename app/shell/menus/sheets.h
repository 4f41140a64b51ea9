#pragma once
#include "app/shell/frame/state.h"

namespace normscope {

void show_help_sheet(App::State& state); // every key and gesture
void show_about_sheet(App::State& state);

} // namespace normscope
