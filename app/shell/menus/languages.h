#pragma once
#include "app/shell/menus/menu.h"

namespace normscope {

// Speaks the language of the state. What is wrong with its catalogue is told on the screen.
void use_language(App::State& state);

MenuItem language_menu(const App::State& state);

} // namespace normscope
