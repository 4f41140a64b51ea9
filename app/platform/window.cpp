#include "app/platform/window.h"

#include "app/platform/monitor.h"
#include "app/platform/os/os.h"
#include "app/shell/frame/app.h"
#include "app/widgets/imgui_compat.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <utility>

namespace normscope {
namespace {

const ImVec2 k_no_mouse{-FLT_MAX, -FLT_MAX};

} // namespace

Window::~Window() {
    if (backends_ready_) {
        textures_.reset();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
    }
    if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
    if (glfw_) glfwDestroyWindow(glfw_);
    glfwTerminate();
}

ImVec2 Window::framebuffer() const {
    int w = 0, h = 0;
    glfwGetFramebufferSize(glfw_, &w, &h);
    return {static_cast<float>(w), static_cast<float>(h)};
}

void Window::move_mouse(double x, double y) {
    int w = 0, h = 0;
    glfwGetWindowSize(glfw_, &w, &h);
    const ImVec2 fb = framebuffer();
    if (w > 0 && h > 0)
        mouse_ = {static_cast<float>(x) * fb.x / static_cast<float>(w),
                  static_cast<float>(y) * fb.y / static_cast<float>(h)};
}

Result<std::unique_ptr<Window>> Window::open(int width, int height, bool visible,
                                             const std::function<ImFontAtlas&()>& glyphs) {
    std::unique_ptr<Window> window(new Window); // from here on every way out ends GLFW
    glfwSetErrorCallback(nullptr);
    before_windows();
    if (!glfwInit()) return fail("no display: {}", help_without_window());

    fit_to_monitor(width, height);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "normscope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "normscope");
    window->glfw_ = glfwCreateWindow(width, height, "NormScope", nullptr, nullptr);
    if (!window->glfw_) return fail("no OpenGL 3.3 on this display: {}", help_without_window());
    glfwMakeContextCurrent(window->glfw_);
    after_window();

    glfwSetWindowSizeLimits(window->glfw_, k_min_window_width, k_min_window_height, GLFW_DONT_CARE,
                            GLFW_DONT_CARE);
    glfwSwapInterval(visible ? 1 : 0);
    IMGUI_CHECKVERSION();
    ImGui::CreateContext(&glyphs());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;              // the layout is fixed
    io.ConfigInputTextCursorBlink = false; // a blinking caret would draw frames at rest
    ImGui_ImplGlfw_InitForOpenGL(window->glfw_, false);
    ImGui_ImplOpenGL3_Init(k_shader_version);
    use_fed_input();
    window->textures_.emplace();
    window->backends_ready_ = true;
    window->listen();
    use_clipboard(
        {[](ClipboardCaller*) { return static_cast<Window*>(clipboard_data())->pasted(); },
         [](ClipboardCaller*, const char* text) {
             auto& self = *static_cast<Window*>(clipboard_data());
             self.clipboard_.set(self.glfw_, text);
         },
         window.get()});
    return window;
}

const char* Window::pasted() {
    auto text = clipboard_.text(glfw_);
    if (!text && on_silent_clipboard) on_silent_clipboard();
    pasted_ = std::move(text).value_or("");
    return pasted_.c_str();
}

// Every callback marks the window active; what ImGui must learn waits in the queue for its frame.
void Window::listen() {
    glfwSetWindowUserPointer(glfw_, this);
    static constexpr auto touched = [](GLFWwindow* w) -> Window& {
        Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
        self.note_activity();
        return self;
    };
    using Kind = InputQueue::Kind;

    glfwSetWindowRefreshCallback(glfw_, [](GLFWwindow* w) { touched(w); });
    glfwSetFramebufferSizeCallback(glfw_, [](GLFWwindow* w, int, int) { touched(w); });
    glfwSetWindowContentScaleCallback(glfw_, [](GLFWwindow* w, float, float) { touched(w); });
    glfwSetWindowIconifyCallback(glfw_, [](GLFWwindow* w, int) { touched(w); });
    glfwSetWindowCloseCallback(glfw_, [](GLFWwindow* w) {
        glfwSetWindowShouldClose(w, GLFW_FALSE); // the app decides
        if (const auto& call = touched(w).on_close) call();
    });
    glfwSetDropCallback(glfw_, [](GLFWwindow* w, int count, const char** paths) {
        if (const auto& call = touched(w).on_drop) call({paths, paths + count});
    });
    glfwSetWindowFocusCallback(glfw_, [](GLFWwindow* w, int focused) {
        touched(w);
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
    });
    glfwSetCursorEnterCallback(glfw_, [](GLFWwindow* w, int entered) {
        Window& self = touched(w);
        ImGui_ImplGlfw_CursorEnterCallback(w, entered);
        self.queue_.push(Kind::motion, 0, [&self, entered] {
            if (!entered && !self.drags()) self.mouse_ = k_no_mouse;
        });
    });
    glfwSetCursorPosCallback(glfw_, [](GLFWwindow* w, double x, double y) {
        Window& self = touched(w);
        self.queue_.push(Kind::motion, 0, [&self, x, y] { self.move_mouse(x, y); });
    });
    glfwSetMouseButtonCallback(glfw_, [](GLFWwindow* w, int button, int action, int) {
        Window& self = touched(w);
        if (button < 0 || button >= static_cast<int>(self.buttons_.size())) return;
        double x = 0, y = 0;
        glfwGetCursorPos(w, &x, &y);
        self.queue_.push(Kind::button, 0, [&self, button, action, x, y] {
            self.move_mouse(x, y);
            self.buttons_[static_cast<std::size_t>(button)] = action == GLFW_PRESS;
        });
    });
    glfwSetScrollCallback(glfw_, [](GLFWwindow* w, double dx, double dy) {
        touched(w).queue_.push(Kind::motion, 0, [=] { ImGui_ImplGlfw_ScrollCallback(w, dx, dy); });
    });
    glfwSetCharCallback(glfw_, [](GLFWwindow* w, unsigned int c) {
        touched(w).queue_.push(Kind::motion, 0, [=] { ImGui_ImplGlfw_CharCallback(w, c); });
    });
    glfwSetKeyCallback(glfw_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        touched(w).take_key(key, scancode, action, mods);
    });
}

void Window::take_key(int key, int scancode, int action, int mods) {
    note_activity();
    if (action == GLFW_REPEAT) return; // ImGui repeats by itself
    key = key_on_layout(key, scancode);
    queue_.push(action == GLFW_PRESS ? InputQueue::Kind::press : InputQueue::Kind::release, key,
                [=, held = modifiers_after(key, action, mods)] {
                    feed_modifiers(held & GLFW_MOD_CONTROL, held & GLFW_MOD_SHIFT,
                                   held & GLFW_MOD_ALT, held & GLFW_MOD_SUPER);
                    feed_key(key, action == GLFW_PRESS);
                });
}

void Window::make_current() {
    glfwMakeContextCurrent(glfw_);
}

float Window::content_scale() const {
    // In framebuffer pixels: where the window system already counts in enlarged units, the
    // framebuffer has as many more pixels.
    if (const float own = own_content_scale(); own > 0) return own;
    float x = 1, y = 1;
    glfwGetWindowContentScale(glfw_, &x, &y);
    return x > 0 ? x : 1;
}

Size Window::size() const {
    const ImVec2 fb = framebuffer();
    return {fb.x, fb.y};
}

void Window::set_title(const std::string& title) {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(glfw_, title.c_str());
}

bool Window::minimized() const {
    const ImVec2 size = framebuffer();
    return glfwGetWindowAttrib(glfw_, GLFW_ICONIFIED) || size.x <= 0 || size.y <= 0;
}

void Window::wake() {
    note_activity();
    glfwPostEmptyEvent();
}

void Window::poll() {
    glfwPollEvents();
}

void Window::wait(std::optional<double> seconds) {
    if (seconds)
        glfwWaitEventsTimeout(std::max(*seconds, 0.01));
    else
        glfwWaitEvents();
}

void Window::let_go(std::function<void()> then) {
    note_activity();
    queue_.push(InputQueue::Kind::button, 0, [this, then = std::move(then)] {
        mouse_ = k_no_mouse;
        buttons_ = {};
        then();
    });
}

void Window::resize(int width, int height) {
    glfwSetWindowSize(glfw_, width, height);
}

void Window::set_full_screen(bool on) {
    if (on == (glfwGetWindowMonitor(glfw_) != nullptr)) return;
    if (!on) {
        const auto& [x, y, w, h] = windowed_;
        return glfwSetWindowMonitor(glfw_, nullptr, x, y, w, h, GLFW_DONT_CARE);
    }
    auto& [x, y, w, h] = windowed_;
    glfwGetWindowPos(glfw_, &x, &y);
    glfwGetWindowSize(glfw_, &w, &h);
    GLFWmonitor* const best = monitor_of(glfw_);
    if (!best) return;
    const GLFWvidmode* mode = glfwGetVideoMode(best);
    // A click into the notes on another monitor leaves it there.
    glfwSetWindowAttrib(glfw_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    glfwSetWindowMonitor(glfw_, best, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::fonts_changed() {
    if (std::exchange(device_ready_, true))
        replace_glyph_texture();
    else
        ImGui_ImplOpenGL3_CreateDeviceObjects(); // with the atlas' texture
    // Glyphs sit on whole pixels, so that a blend of neighbours is never seen; software OpenGL
    // spends a fifth less on a frame without one.
    if (const ImTextureID glyphs = glyph_texture(*ImGui::GetIO().Fonts)) sample(glyphs, false);
}

void Window::begin_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = framebuffer();
    io.DisplayFramebufferScale = {1, 1};
    queue_.take_frame();
    feed_mouse(mouse_, buttons_);
    ImGui::NewFrame();
}

void draw_ui(ImVec2 size) {
    ImGui::Render();
    glViewport(0, 0, static_cast<int>(size.x), static_cast<int>(size.y));
    const ImVec4 ground = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::end_frame() {
    draw_ui(framebuffer());
    glfwSwapBuffers(glfw_);
    const bool refused = picture_was_lost(); // the swap waits for the answer
    if (refused && !draws_again_) active_ = true;
    draws_again_ = refused;
    textures_->collect();
}

} // namespace normscope
