#pragma once
#include "app/platform/repaint.h"

#include <memory>

// OpenGL as X11 has it. The functions need the current context; a
// GlxContext makes its own current.
struct GLFWwindow;
struct _XDisplay;
struct __GLXcontextRec;

namespace normscope {

using AnyFunction = void (*)();

// A function of OpenGL or of its window system that is looked up at run time; null where there is
// none of that name.
AnyFunction gl_address(const char* name);

template<class Function>
Function gl_function(const char* name) {
    return reinterpret_cast<Function>(gl_address(name));
}

// Showing a part of what was drawn while the rest of the window, and all of the buffer that is
// drawn on, stay as they are. True where OpenGL is software and its window system can
// (GLX_MESA_copy_sub_buffer). Hardware draws a whole window in less time than a part could be told,
// and would tear.
bool can_swap_parts();

// `height` is the window's, in pixels. Only where can_swap_parts().
void swap_part(const PixelRect& rect, int height);

// An error of X11 no longer ends the program: software OpenGL puts pictures into a window that may
// have got another size meanwhile (X_ShmPutImage). Errors are told on stderr, once. GLFW forgets
// this whenever it makes a window.
void outlive_x_errors();

// Whether there was one since this was asked last.
bool took_x_error();

// The OpenGL context of a window on X11 that GLFW made without one. GLFW's own way asks for some 14
// attributes of each of Mesa's hundreds of framebuffer configurations, one by one, which is a sixth
// of the start with software OpenGL; GLX finds the one that is wanted by itself.
class GlxContext {
  public:
    // Current. Null where the window system is not X11 or gives no OpenGL 3.0 for this window: GLFW
    // may know another way, or at least why not.
    static std::unique_ptr<GlxContext> create(GLFWwindow* window);
    ~GlxContext(); // before the window's end
    GlxContext(const GlxContext&) = delete;
    GlxContext& operator=(const GlxContext&) = delete;

    // As glfwSwapInterval() and glfwSwapBuffers().
    void set_swap_interval(int interval);
    void swap();
    void make_current(); // again, after another context was

  private:
    GlxContext(_XDisplay* display, unsigned long window, __GLXcontextRec* context)
        : display_(display), window_(window), context_(context) {}

    _XDisplay* display_;
    unsigned long window_;
    __GLXcontextRec* context_;
};

} // namespace normscope
