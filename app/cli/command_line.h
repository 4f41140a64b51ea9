#pragma once
#include "app/cli/window_request.h"

#include <iosfwd>
#include <iostream>

namespace normscope {

// Runs the subcommand the arguments name, or the window where they name none. Returns the exit
// status: 0, 1 (data) or 2 (usage). Errors go to `err` as `normscope: WHAT: WHY`.
int run_command_line(int argc, const char* const* argv, const WindowRunner& open_window,
                     std::ostream& out = std::cout, std::ostream& err = std::cerr);

} // namespace normscope
