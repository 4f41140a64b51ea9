#include "app/platform/glx.h"

#include "app/widgets/ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
// After GLFW, because X11 takes common words for macros.
#include <GL/glx.h>
#include <GL/glxext.h>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

// From <GLFW/glfw3native.h>, which needs the headers of X11's extensions for them. Not in builds of
// GLFW for Wayland alone.
extern "C" {
[[gnu::weak]] Display* glfwGetX11Display();
[[gnu::weak]] Window glfwGetX11Window(GLFWwindow* window);
}

namespace normscope {
namespace {

// Colours of 8 bits and two buffers, on the visual that the window has. Null where there is none.
GLXFBConfig config_of(Display* display, ::Window window) {
    XWindowAttributes attributes;
    if (!XGetWindowAttributes(display, window, &attributes)) return nullptr;
    const auto visual = static_cast<int>(XVisualIDFromVisual(attributes.visual));
    constexpr int wanted[][2] = {{GLX_DRAWABLE_TYPE, GLX_WINDOW_BIT},
                                 {GLX_RENDER_TYPE, GLX_RGBA_BIT},
                                 {GLX_DOUBLEBUFFER, 1},
                                 {GLX_RED_SIZE, 8},
                                 {GLX_GREEN_SIZE, 8},
                                 {GLX_BLUE_SIZE, 8},
                                 {GLX_X_RENDERABLE, 1},
                                 {}};
    int count = 0;
    const std::unique_ptr<GLXFBConfig, decltype(&XFree)> configs(
        glXChooseFBConfig(display, DefaultScreen(display), wanted[0], &count), XFree);
    // Those with the smallest depth buffer and the fewest samples come first.
    for (GLXFBConfig config : std::span(configs.get(), static_cast<std::size_t>(count))) {
        int its_visual = 0;
        if (glXGetFBConfigAttrib(display, config, GLX_VISUAL_ID, &its_visual) == Success &&
            its_visual == visual)
            return config;
    }
    return nullptr;
}

// True if X11's part of OpenGL has this extension on the display of the current context. False
// where the window system is not X11.
bool glx_has(const char* extension) {
    Display* display = glXGetCurrentDisplay();
    const char* known =
        display ? glXQueryExtensionsString(display, DefaultScreen(display)) : nullptr;
    const std::string padded = known ? ' ' + std::string(known) + ' ' : std::string();
    return padded.find(' ' + std::string(extension) + ' ') != std::string::npos;
}

std::atomic<bool> x_error = false; // since it was asked for
std::atomic<bool> x_error_told = false;

// Of the current context: "4.5 (Compatibility Profile) Mesa …".
bool has_opengl_3() {
    const auto* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    return version && std::atoi(version) >= 3;
}

} // namespace

AnyFunction gl_address(const char* name) {
    if (glXGetCurrentContext()) return glXGetProcAddressARB(reinterpret_cast<const GLubyte*>(name));
    return glfwGetProcAddress(name);
}

bool can_swap_parts() {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view renderer = name ? name : "";
    const bool software = renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe") ||
                          renderer.starts_with("Software Rasterizer");
    return software && glx_has("GLX_MESA_copy_sub_buffer") &&
           gl_function<PFNGLXCOPYSUBBUFFERMESAPROC>("glXCopySubBufferMESA");
}

void swap_part(const PixelRect& rect, int height) {
    gl_function<PFNGLXCOPYSUBBUFFERMESAPROC>("glXCopySubBufferMESA")(
        glXGetCurrentDisplay(), glXGetCurrentDrawable(), rect.x0, height - rect.y1,
        rect.x1 - rect.x0, rect.y1 - rect.y0);
}

void outlive_x_errors() {
    if (!glfwGetX11Display || !glfwGetX11Display()) return;
    XSetErrorHandler([](Display* display, XErrorEvent* error) {
        std::array<char, 128> words{};
        XGetErrorText(display, error->error_code, words.data(), static_cast<int>(words.size()));
        if (!x_error_told.exchange(true))
            std::fprintf(stderr,
                         "normscope: X11 refused request %d.%d: %s: the window is drawn again\n",
                         error->request_code, error->minor_code, words.data());
        x_error = true;
        return 0;
    });
}

bool took_x_error() {
    return x_error.exchange(false);
}

GlxContext::~GlxContext() {
    glXMakeCurrent(display_, 0, nullptr);
    glXDestroyContext(display_, context_);
}

std::unique_ptr<GlxContext> GlxContext::create(GLFWwindow* window) {
    Display* display = glfwGetX11Display && glfwGetX11Window ? glfwGetX11Display() : nullptr;
    if (!display || !glXQueryExtension(display, nullptr, nullptr)) return nullptr;
    // An error of X11 does not end the program meanwhile.
    const auto before = XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
    const AtEnd end([&] {
        XSync(display, 0);
        XSetErrorHandler(before);
    });
    const ::Window drawable = glfwGetX11Window(window);
    GLXFBConfig config = config_of(display, drawable);
    GLXContext context =
        config ? glXCreateNewContext(display, config, GLX_RGBA_TYPE, nullptr, 1) : nullptr;
    if (!context) return nullptr;
    std::unique_ptr<GlxContext> made(new GlxContext(display, drawable, context));
    if (!glXMakeCurrent(display, drawable, context) || !has_opengl_3()) return nullptr;
    return made;
}

void GlxContext::set_swap_interval(int interval) {
    if (glx_has("GLX_EXT_swap_control"))
        gl_function<PFNGLXSWAPINTERVALEXTPROC>("glXSwapIntervalEXT")(display_, window_, interval);
    else if (glx_has("GLX_MESA_swap_control"))
        gl_function<PFNGLXSWAPINTERVALMESAPROC>("glXSwapIntervalMESA")(
            static_cast<unsigned int>(interval));
}

void GlxContext::make_current() {
    glXMakeCurrent(display_, window_, context_);
}

void GlxContext::swap() {
    glXSwapBuffers(display_, window_);
}

} // namespace normscope
