#pragma once
#include "app/shell/frame/app.h"

#include <string>

namespace normscope {

// For who does not see the window: the control that has the keyboard, the words within it, and what
// is said at the bottom.
std::string live_text(const App::State& state);

} // namespace normscope
