#pragma once
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace normscope {

// A function of OpenGL or of its window system that is looked up at run time. Needs the current
// context; null where there is none of that name.
template<class Function>
Function gl_function(const char* name) {
    return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

} // namespace normscope
