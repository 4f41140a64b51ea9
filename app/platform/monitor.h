#pragma once
#include "app/platform/repaint.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace normscope {

// Not larger than the room that the primary monitor leaves to windows.
void fit_to_monitor(int& width, int& height);

// Rectangles here are in the desktop's coordinates, as GLFW counts them, not in pixels.

// The monitor that shows most of a window at `window`; none where there is none.
std::optional<std::size_t> best_monitor(std::span<const PixelRect> monitors,
                                        const PixelRect& window);

// The one for the teacher's notes while the window is on its best: the first of the others that is
// not a copy of that one, as a projector's is where both show the same. None: there is only one.
std::optional<std::size_t> notes_monitor(std::span<const PixelRect> monitors,
                                         const PixelRect& window);

std::vector<PixelRect> monitor_places(); // in GLFW's order
PixelRect place_of(GLFWwindow* window);

// The one that shows most of the window; null where there is none.
GLFWmonitor* monitor_of(GLFWwindow* window);

} // namespace normscope
