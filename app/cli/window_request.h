#pragma once
#include "app/shell/frame/app.h"
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace normscope {

struct WindowSize {
    int width = 0; // pixels
    int height = 0;
    bool operator==(const WindowSize&) const = default;
};

inline constexpr int k_max_window_side = 16384; // what graphics drivers agree on

// "1600x1000" as a size in pixels; nothing when it is not one, or not one a window can have.
std::optional<WindowSize> parse_size(std::string_view text);

// What the command line asks of the window.
struct WindowRequest {
    StartOptions start;
    std::optional<WindowSize> size;
    std::string screenshot;   // a .png to draw off screen; empty: open the window and stay
    std::string trace_frames; // a file that gets one line a drawn frame, for tests; empty: none
};

// Opens the program's window, or takes its picture, and returns the exit status.
// The error (no display, no OpenGL, a file that cannot be read or written) is WHAT: WHY and says
// what can be done.
using WindowRunner = std::function<Result<int>(const WindowRequest&)>;

} // namespace normscope
