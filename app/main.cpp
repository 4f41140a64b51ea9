// Parses the arguments, wires app and window, runs.
#include "app/cli/command.h"
#include "app/io/file.h"
#include "app/platform/fonts.h"
#include "app/platform/loop.h"
#include "app/platform/window.h"
#include "app/shell/frame/app.h"
#include "core/base/caught.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace {

using namespace normscope;

// The portable folder has fonts, for a system without any, beside the examples.
void offer_own_fonts() {
    const auto assets = find_assets();
    if (!assets) return;
    const std::filesystem::path config = *assets / "fonts" / "fonts.conf";
    std::error_code ignored;
    if (std::filesystem::exists(config, ignored)) setenv("FONTCONFIG_FILE", config.c_str(), 0);
}

Result<int> open_window(const WindowRequest& request) {
    const bool stays = request.screenshot.empty();
    const WindowSize size = request.size.value_or(WindowSize{1600, 1000});
    const float growth =
        text_growth({static_cast<float>(size.width), static_cast<float>(size.height)}, 1);
    AppFonts fonts(request.start.ui_scale.value_or(1) * growth);
    Result<std::unique_ptr<Window>> opened = Window::open(
        size.width, size.height, stays, [&]() -> ImFontAtlas& { return fonts.atlas(); });
    if (!opened) return tl::unexpected(opened.error());
    Window& window = **opened;

    FontLoader for_handouts;
    App app(
        {.textures = &window.textures(),
         .wake = [&window] { window.wake(); },
         .full_screen = [&window](bool on) { window.set_full_screen(on); },
         .fonts = [&](ImFontAtlas& atlas, float scale,
                      const std::string& text) { return for_handouts.load(atlas, scale, text); }});
    if (const Result<void> started = app.start(request.start); !started)
        return tl::unexpected(started.error());

    if (stays) return run_loop(app, window, fonts, request.trace_frames);
    const Result<void> saved =
        save_screenshot(app, window, fonts, size.width, size.height, request.screenshot);
    if (!saved) return tl::unexpected(saved.error());
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        offer_own_fonts();
        return normscope::run_command_line(argc, argv, open_window);
    } catch (...) { // out of memory, above all
        std::fprintf(stderr, "normscope: %s\n", normscope::exception_in_words().message.c_str());
        return 1;
    }
}
