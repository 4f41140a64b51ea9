#pragma once
#include "app/cli/command.h"

namespace normscope {

// `normscope screenshot`: what the window would show, drawn off screen. Needs OpenGL; neither
// reads nor leaves recent files.
CommandAction define_screenshot(CLI::App& app);

} // namespace normscope
