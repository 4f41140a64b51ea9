#pragma once
#include <memory>

struct GLFWwindow;

namespace normscope {

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
    struct Handles;
    explicit GlxContext(std::unique_ptr<Handles> handles);
    std::unique_ptr<Handles> handles_;
};

} // namespace normscope
