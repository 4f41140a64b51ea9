#pragma once
#include "app/platform/fonts.h"

#include <future>
#include <imgui.h>

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

    // Call between frames. `pixel_scale` is what the display enlarges everything by.
    void update(App& app, Window& window, float pixel_scale);

  private:
    ImFontAtlas atlas_;
    FontLoader loader_;
    FontSet loaded_;
    bool in_use_ = false; // by the app
    std::future<FontSet> first_;
};

} // namespace normscope
