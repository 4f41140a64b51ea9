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

std::optional<std::size_t> best_monitor(std::span<const MonitorPlace> monitors,
                                        const MonitorPlace& window) {
    std::optional<std::size_t> best;
    int most = 0;
    for (std::size_t i = 0; i < monitors.size(); ++i) {
        const MonitorPlace& m = monitors[i];
        const int across = std::min(window.x + window.w, m.x + m.w) - std::max(window.x, m.x);
        const int down = std::min(window.y + window.h, m.y + m.h) - std::max(window.y, m.y);
        const int shared = across > 0 && down > 0 ? across * down : 0;
        if (!best || shared > most) most = shared, best = i;
    }
    return best;
}

std::optional<std::size_t> notes_monitor(std::span<const MonitorPlace> monitors,
                                         const MonitorPlace& window) {
    const auto best = best_monitor(monitors, window);
    for (std::size_t i = 0; best && i < monitors.size(); ++i) {
        const MonitorPlace &m = monitors[i], &of_class = monitors[*best];
        if (i != *best && (m.x != of_class.x || m.y != of_class.y)) return i;
    }
    return std::nullopt;
}

std::vector<MonitorPlace> monitor_places() {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    std::vector<MonitorPlace> places;
    for (int i = 0; i < count; ++i) {
        MonitorPlace place;
        glfwGetMonitorPos(monitors[i], &place.x, &place.y);
        if (const GLFWvidmode* mode = glfwGetVideoMode(monitors[i])) {
            place.w = mode->width;
            place.h = mode->height;
        }
        places.push_back(place);
    }
    return places;
}

MonitorPlace place_of(GLFWwindow* window) {
    MonitorPlace place;
    glfwGetWindowPos(window, &place.x, &place.y);
    glfwGetWindowSize(window, &place.w, &place.h);
    return place;
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
    const auto best = best_monitor(monitor_places(), place_of(window));
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    return best && static_cast<int>(*best) < count ? monitors[*best] : nullptr;
}

} // namespace normscope
