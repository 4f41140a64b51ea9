#pragma once
#include "app/platform/fonts.h"
#include "core/base/result.h"

#include <future>
#include <imgui.h>
#include <string>

namespace normscope {

class App;
class Window;

// Keeps the app's fonts at the scale it wants and with the letters its names need. Owns the atlas:
// lives longer than ImGui's context.
class AppFonts {
  public:
    // Begins to rasterize at `expected_scale` beside whatever follows: opening a window is mostly
    // waiting.
    explicit AppFonts(float expected_scale);
    AppFonts(const AppFonts&) = delete;
    AppFonts& operator=(const AppFonts&) = delete;

    // Once nothing is rasterized any more.
    ImFontAtlas& atlas();

    // Call between frames. `pixel_scale` is what the display enlarges everything by, `size`
    // the window's in pixels.
    void update(App& app, Window& window, float pixel_scale, Size size);
    bool note_drawn() { return loader_.note_drawn(); } // true: update() is due

  private:
    ImFontAtlas atlas_;
    FontLoader loader_;
    FontSet loaded_;
    bool in_use_ = false; // by the app
    bool told_ = false;   // that letters are missing
    std::future<FontSet> first_;
};

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
