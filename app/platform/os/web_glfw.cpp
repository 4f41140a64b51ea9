// The parts of GLFW that emscripten's own leaves out.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <cstdint>
#include <emscripten.h>

// clang-format off
EM_JS(void, web_fill_screen, (bool on), {
    const done = on ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => {});
});
EM_JS(bool, web_fills_screen, (), { return !!document.fullscreenElement; });
EM_JS(void, web_point, (std::uintptr_t shape), {
    const names = ["default", "text", "crosshair", "pointer", "ew-resize", "ns-resize"];
    Module.canvas.style.cursor = names[shape - 0x36001]; // GLFW_ARROW_CURSOR
});
// clang-format on

extern "C" {

// A browser tells keys by what is printed on them.
const char* glfwGetKeyName(int, int) {
    return nullptr;
}

const GLFWvidmode* glfwGetVideoMode(GLFWmonitor*) {
    static constexpr GLFWvidmode k_unknown{};
    return &k_unknown;
}

GLFWmonitor* glfwGetWindowMonitor(GLFWwindow*) {
    return web_fills_screen() ? glfwGetPrimaryMonitor() : nullptr;
}

void glfwSetWindowMonitor(GLFWwindow*, GLFWmonitor* monitor, int, int, int, int, int) {
    web_fill_screen(monitor);
}

GLFWcursor* glfwCreateStandardCursor(int shape) {
    return reinterpret_cast<GLFWcursor*>(static_cast<std::uintptr_t>(shape));
}

void glfwSetCursor(GLFWwindow*, GLFWcursor* cursor) {
    web_point(reinterpret_cast<std::uintptr_t>(cursor));
}
}
