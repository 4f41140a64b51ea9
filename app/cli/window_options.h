#pragma once
#include "app/cli/command.h"
#include "app/cli/window_request.h"

#include <string>

namespace CLI {
class App;
}

namespace normscope {

// --language of what is said on the screen, into `id`.
void add_language(CLI::App& app, std::string& id);

// FILE, --workspace, --example, --language, --theme, --scale, --size and --trace-frames (hidden),
// read into `request`, which must outlive the parse.
void define_window_options(CLI::App& app, WindowRequest& request);

// Error: there is no FILE. One that is there and cannot be read is told in the window instead.
CommandResult file_is_there(const WindowRequest& request);

} // namespace normscope
