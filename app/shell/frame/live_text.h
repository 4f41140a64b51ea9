#pragma once
#include "app/shell/frame/app.h"

#include <string>

namespace normscope {

// The text for those who do not see the window: the control that has the keyboard, the words
// within it, and the line at the bottom.
std::string live_text(const App::State& state);

} // namespace normscope
