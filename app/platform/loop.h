#pragma once
#include <string>

namespace normscope {

class App;
class AppFonts;
class Window;

struct LoopOptions {
    std::string trace_frames; // a file that gets one line a drawn frame; empty: none
};

// Draws the app in the window until it wants to quit or a signal asks to leave. At rest nothing is
// drawn: the thread sleeps until an event comes. Returns the exit status, 128 + n after signal n, 1
// when the app could not be drawn any more (then stderr says why).
int run_loop(App& app, Window& window, AppFonts& fonts, const LoopOptions& options);

} // namespace normscope
