#pragma once
#include "app/platform/fonts.h"

namespace normscope {

class App;
class Window;

// Keeps the app's fonts at the scale it wants and with the letters its names need.
class AppFonts {
  public:
    // Call between frames. `pixel_scale` is what the display enlarges everything by.
    void update(App& app, Window& window, float pixel_scale);

  private:
    FontLoader loader_;
    float loaded_scale_ = 0; // 0: nothing loaded
};

} // namespace normscope
