#include "app/platform/monitor.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>

namespace normscope {

void fit_to_monitor(int& width, int& height) {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    if (!monitor) return;
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
    if (w > 0 && h > 0) {
        width = std::min(width, w);
        height = std::min(height, h);
    }
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &w, &h);
    int count = 0, most = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = nullptr;
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (!mode) continue;
        const int across = std::min(x + w, left + mode->width) - std::max(x, left);
        const int down = std::min(y + h, top + mode->height) - std::max(y, top);
        const int shared = across > 0 && down > 0 ? across * down : 0;
        if (!best || shared > most) most = shared, best = monitors[i];
    }
    return best;
}

} // namespace normscope
