#pragma once

struct GLFWmonitor;
struct GLFWwindow;

namespace normscope {

// Not larger than the room that the primary monitor leaves to windows.
void fit_to_monitor(int& width, int& height);

// The one that shows most of the window; null where there is none.
GLFWmonitor* monitor_of(GLFWwindow* window);

} // namespace normscope
