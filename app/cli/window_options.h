#pragma once
#include "app/cli/window_request.h"

namespace CLI {
class App;
}

namespace normscope {

// FILE, --workspace, --example, --theme, --scale, --size and --trace-frames (hidden), read into
// `request`, which must outlive the parse.
void define_window_options(CLI::App& app, WindowRequest& request);

} // namespace normscope
