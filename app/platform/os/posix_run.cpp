#include "app/platform/loop.h"
#include "app/platform/os/os.h"
#include "app/platform/signals.h"
#include "app/platform/x_errors.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>

namespace normscope {
namespace {

using Clock = std::chrono::steady_clock;

// A swap that does not wait for the display (software OpenGL) lets frames fill a processor.
constexpr auto k_shortest_frame = std::chrono::microseconds(1'000'000 / 120);

} // namespace

const char* const k_shader_version = "#version 330";

// GLFW 3.4 asks for Wayland first, whose library prints a complaint where this folder is not named.
void before_windows() {
#ifdef GLFW_PLATFORM
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    if (!folder || folder[0] != '/') glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

void after_window() {
    outlive_x_errors();
}

bool picture_was_lost() {
    return took_x_error();
}

float own_content_scale() {
    return 0;
}

// As it was called: ./run.sh calls it by a path.
std::string help_without_window() {
    return fmt::format("for a virtual one, run `apt-get install xvfb xauth` and then `xvfb-run -a "
                       "{0} …`; for figures without one, run `{0} export …`",
                       program_invocation_name);
}

std::string page_address() {
    return {};
}

std::function<void(const std::string&)> screen_reader() {
    return {};
}

ChooseFile file_chooser() {
    return {};
}

int run_window(std::unique_ptr<WindowProgram> program, const std::string& trace_frames) {
    App& app = *program->app;
    Window& window = *program->window;
    const LeaveOnSignal signals([&window] { window.wake(); }, [&app] { app.keep_unsaved_work(); });
    Loop loop(app, window, program->fonts, trace_frames);
    std::optional<double> next = 0;
    while (!loop.over() && LeaveOnSignal::received() == 0) {
        if (next == 0.0 && !window.minimized())
            window.poll();
        else
            window.wait(next);
        const auto start = Clock::now();
        next = loop.tick();
        if (next == 0.0) std::this_thread::sleep_until(start + k_shortest_frame);
    }
    loop.close();
    const int signal = LeaveOnSignal::received();
    if (signal != 0) app.keep_unsaved_work(); // while a second one still waits for that
    return signal == 0 ? loop.status() : 128 + signal;
}

} // namespace normscope
