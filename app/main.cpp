// Parses the arguments, wires app and window, runs.
#include "app/cli/command.h"
#include "app/io/file.h"
#include "app/platform/fonts.h"
#include "app/platform/loop.h"
#include "app/platform/os/os.h"
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
    auto program = std::make_unique<WindowProgram>(request.start.ui_scale.value_or(1) * growth);
    program->window = TRY(Window::open(size.width, size.height, stays,
                                       [&]() -> ImFontAtlas& { return program->fonts.atlas(); }));
    Window& window = *program->window;
    program->app = std::make_unique<App>(App::Services{
        .textures = &window.textures(),
        .wake = [&window] { window.wake(); },
        .full_screen = [&window](bool on) { window.set_full_screen(on); },
        .page = page_address(),
        .tell = screen_reader(),
        .choose_file = file_chooser(),
        .fonts = [&loader = program->for_handouts](
                     ImFontAtlas& atlas, float scale,
                     const std::string& text) { return loader.load(atlas, scale, text); }});
    TRY(program->app->start(request.start));
    if (stays) return run_window(std::move(program), request.trace_frames);
    TRY(save_screenshot(*program->app, window, program->fonts, size.width, size.height,
                        request.screenshot));
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
