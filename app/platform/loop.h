#pragma once
#include "core/base/result.h"

#include <string>

namespace normscope {

class App;
class AppFonts;
class Window;

// Draws the app in the window until it wants to quit or a signal asks to leave. At rest nothing is
// drawn: the thread sleeps until an event comes. Returns the exit status, 128 + n after signal n, 1
// when the app could not be drawn any more (then stderr says why). `trace_frames`: a file that gets
// one line a drawn frame; empty: none.
int run_loop(App& app, Window& window, AppFonts& fonts, const std::string& trace_frames);

// Draws the app off screen at width × height pixels until it has come to rest, and writes the
// picture as a PNG file. `window` may be hidden; its own size does not matter. Error: the size is
// beyond what OpenGL draws here, the app complains of what it was started with, or the file cannot
// be written.
Result<void> save_screenshot(App& app, Window& window, AppFonts& fonts, int width, int height,
                             const std::string& path);

} // namespace normscope
