#include "app/platform/x_errors.h"

#include <X11/Xlib.h>
#include <array>
#include <atomic>
#include <cstdio>

// From <GLFW/glfw3native.h>, which needs the headers of X11's extensions for it. Not in builds of
// GLFW for Wayland alone.
extern "C" {
[[gnu::weak]] Display* glfwGetX11Display();
}

namespace normscope {
namespace {

std::atomic<bool> x_error = false; // since it was asked for
std::atomic<bool> x_error_told = false;

} // namespace

void outlive_x_errors() {
    if (!glfwGetX11Display || !glfwGetX11Display()) return;
    XSetErrorHandler([](Display* display, XErrorEvent* error) {
        std::array<char, 128> words{};
        XGetErrorText(display, error->error_code, words.data(), static_cast<int>(words.size()));
        if (!x_error_told.exchange(true))
            std::fprintf(stderr,
                         "normscope: X11 refused request %d.%d: %s: the window is drawn again\n",
                         error->request_code, error->minor_code, words.data());
        x_error = true;
        return 0;
    });
}

bool took_x_error() {
    return x_error.exchange(false);
}

} // namespace normscope
