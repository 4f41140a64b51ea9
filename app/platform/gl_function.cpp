#include "app/platform/gl_function.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
// After GLFW, because X11 takes common words for macros.
#include <GL/glx.h>
#include <string>

namespace normscope {

AnyFunction gl_address(const char* name) {
    if (glXGetCurrentContext()) return glXGetProcAddressARB(reinterpret_cast<const GLubyte*>(name));
    return glfwGetProcAddress(name);
}

bool glx_has(const char* extension) {
    Display* display = glXGetCurrentDisplay();
    const char* known =
        display ? glXQueryExtensionsString(display, DefaultScreen(display)) : nullptr;
    const std::string padded = known ? ' ' + std::string(known) + ' ' : std::string();
    return padded.find(' ' + std::string(extension) + ' ') != std::string::npos;
}

} // namespace normscope
