#pragma once
#include "app/cli/command.h"

namespace normscope {

// `normscope export`: a figure of an example or a session as PNG, SVG or PDF, by the file's ending.
// Needs no display.
CommandAction define_export(CLI::App& app);

} // namespace normscope
