#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace normscope {

// Not larger than the room that the primary monitor leaves to windows.
void fit_to_monitor(int& width, int& height);

// A rectangle in the desktop's coordinates, as GLFW counts them: [x0, x1) × [y0, y1), y downwards.
struct DesktopRect {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool operator==(const DesktopRect&) const = default;

    DesktopRect within(const DesktopRect& o) const {
        return {std::max(x0, o.x0), std::max(y0, o.y0), std::min(x1, o.x1), std::min(y1, o.y1)};
    }
    std::int64_t area() const {
        return x0 >= x1 || y0 >= y1 ? 0 : std::int64_t{x1 - x0} * (y1 - y0);
    }
};

// The monitor that shows most of a window at `window`; none where there is none.
std::optional<std::size_t> best_monitor(std::span<const DesktopRect> monitors,
                                        const DesktopRect& window);

// The one for the teacher's notes while the window is on its best: the first of the others that is
// not a copy of that one, as a projector's is where both show the same. None: there is only one.
std::optional<std::size_t> notes_monitor(std::span<const DesktopRect> monitors,
                                         const DesktopRect& window);

std::vector<DesktopRect> monitor_places(); // in GLFW's order
DesktopRect place_of(GLFWwindow* window);

// The one that shows most of the window; null where there is none.
GLFWmonitor* monitor_of(GLFWwindow* window);

} // namespace normscope
