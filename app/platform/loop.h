#pragma once
#include "app/platform/fonts.h"
#include "app/platform/notes_window.h"
#include "app/platform/window.h"
#include "app/shell/frame/app.h"
#include "core/base/result.h"

#include <fstream>
#include <future>
#include <imgui.h>
#include <memory>
#include <optional>
#include <string>

namespace normscope {

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

// Draws the app in the window, a turn at a time. At rest nothing is drawn.
class Loop {
  public:
    // `trace_frames`: a file that gets one line a drawn frame; empty: none.
    Loop(App& app, Window& window, AppFonts& fonts, const std::string& trace_frames);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // One turn: draws a frame if one is due. Returns after how many seconds it wants the next one
    // (0: as soon as the display takes it); none: when something happens.
    std::optional<double> tick();
    // The app was quit, or could not be drawn any more (then stderr says why).
    bool over() const;
    int status() const { return status_; } // for the shell: 0, or 1 after a fault
    void close();                          // the window calls it no more

  private:
    App& app_;
    Window& window_;
    AppFonts& fonts_;
    NotesWindow notes_;
    std::ofstream trace_; // a frame's number and when it was seen, in seconds
    int frames_drawn_ = 0;
    int frames_due_;
    int status_ = 0;
};

// The settings of a run. In a browser it goes on when run_window() has returned.
struct WindowProgram {
    explicit WindowProgram(float expected_scale) : fonts(expected_scale) {}

    AppFonts fonts;
    FontLoader for_handouts;
    std::unique_ptr<Window> window;
    std::unique_ptr<App> app;
};

// Turns until the app wants to quit or a signal asks to leave. Returns the exit status, 128 + n
// after signal n, 1 when the app could not be drawn any more.
int run_window(std::unique_ptr<WindowProgram> program, const std::string& trace_frames);

// Draws the app off screen at width × height pixels until it has come to rest, and writes the
// picture as a PNG file. `window` may be hidden; its own size does not matter. Error: the size is
// beyond what OpenGL draws here, the app complains of what it was started with, or the file cannot
// be written.
Result<void> save_screenshot(App& app, Window& window, AppFonts& fonts, int width, int height,
                             const std::string& path);

} // namespace normscope
