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

std::optional<std::size_t> best_monitor(std::span<const DesktopRect> monitors,
                                        const DesktopRect& window) {
    const auto shared = [&](const DesktopRect& m) { return m.within(window).area(); };
    const auto best = std::ranges::max_element(monitors, {}, shared);
    if (best == monitors.end()) return std::nullopt;
    return static_cast<std::size_t>(best - monitors.begin());
}

std::optional<std::size_t> notes_monitor(std::span<const DesktopRect> monitors,
                                         const DesktopRect& window) {
    const auto best = best_monitor(monitors, window);
    for (std::size_t i = 0; best && i < monitors.size(); ++i) {
        const DesktopRect &m = monitors[i], &of_class = monitors[*best];
        if (i != *best && (m.x0 != of_class.x0 || m.y0 != of_class.y0)) return i;
    }
    return std::nullopt;
}

std::vector<DesktopRect> monitor_places() {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    std::vector<DesktopRect> places;
    for (int i = 0; i < count; ++i) {
        int x = 0, y = 0;
        glfwGetMonitorPos(monitors[i], &x, &y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        places.push_back({x, y, x + (mode ? mode->width : 0), y + (mode ? mode->height : 0)});
    }
    return places;
}

DesktopRect place_of(GLFWwindow* window) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &w, &h);
    return {x, y, x + w, y + h};
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
    const auto best = best_monitor(monitor_places(), place_of(window));
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    return best && static_cast<int>(*best) < count ? monitors[*best] : nullptr;
}

} // namespace normscope
