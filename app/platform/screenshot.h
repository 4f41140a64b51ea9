#pragma once
#include "core/base/result.h"

#include <string>

namespace normscope {

class App;
class AppFonts;
class Window;

// Draws the app off screen at width × height pixels until it has come to rest, and writes the
// picture as a PNG file. `window` may be hidden; its own size does not matter. Error: the size is
// beyond what OpenGL draws here, the app complains of what it was started with, or the file cannot
// be written.
Result<void> save_screenshot(App& app, Window& window, AppFonts& fonts, int width, int height,
                             const std::string& path);

} // namespace normscope
