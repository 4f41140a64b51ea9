#include "app/platform/window.h"

#include "app/platform/draw_parts.h"
#include "app/platform/glx.h"
#include "app/platform/input_queue.h"
#include "app/platform/monitor.h"
#include "app/platform/repaint.h"
#include "app/platform/textures.h"
#include "app/shell/frame/start_options.h"
#include "app/widgets/imgui_compat.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <cerrno>
#include <cfloat>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace normscope {
namespace {

// As it was called: ./run.sh calls it by a path.
std::string without_window() {
    return fmt::format("for a virtual one, run `apt-get install xvfb xauth` and then `xvfb-run -a "
                       "{0} …`; for figures without one, run `{0} export …`",
                       program_invocation_name);
}

// GLFW 3.4 asks for Wayland first, whose library prints a complaint where this folder is not named.
void avoid_wayland_without_its_folder() {
#ifdef GLFW_PLATFORM
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    if (!folder || folder[0] != '/') glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
}

constexpr int k_whole_frames_after_resize = 2;

const ImVec2 k_no_mouse{-FLT_MAX, -FLT_MAX};

} // namespace

struct Window::State {
    Window* owner = nullptr;
    GLFWwindow* glfw = nullptr;
    std::unique_ptr<GlxContext> glx; // null where GLFW has the context
    std::string title;
    bool backends_ready = false;
    bool offsets = true;       // the backend draws from a list's middle
    DrawParts parts;           // where it does not
    bool device_ready = false; // OpenGL has the backend's shaders and the glyphs
    // These live as long as the OpenGL context.
    std::optional<GlTextures> textures;
    Repaint repaint;
    bool swaps_parts = false;
    int whole_frames = 0; // so many more are drawn and shown as a whole
    PixelRect drawn;      // the window in the frame before
    InputQueue queue;
    std::atomic<bool> active{true};
    ImVec2 mouse = k_no_mouse;
    std::array<int, 4> windowed{}; // left, top, width and height before it was full screen
    std::array<bool, 3> buttons{};

    ~State();
    bool create_window(int width, int height); // with the current OpenGL context
    ImVec2 framebuffer() const;
    void move_mouse(double x, double y);
    void draw(ImDrawData& data);
    void show(ImDrawData& data);
};

Window::State::~State() {
    if (backends_ready) {
        textures.reset();
        parts = {};
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
    }
    if (ImGui::GetCurrentContext()) ImGui::DestroyContext();
    glx.reset();
    if (glfw) glfwDestroyWindow(glfw);
    glfwTerminate();
}

bool Window::State::create_window(int width, int height) {
    const auto create = [&](int context) {
        glfwWindowHint(GLFW_CLIENT_API, context);
        return glfwCreateWindow(width, height, "NormScope", nullptr, nullptr);
    };
    glfw = create(GLFW_NO_API);
    if (glfw) glx = GlxContext::create(glfw);
    if (glx) return true;
    if (glfw) glfwDestroyWindow(glfw);
    glfw = create(GLFW_OPENGL_API);
    if (glfw) glfwMakeContextCurrent(glfw);
    return glfw != nullptr;
}

ImVec2 Window::State::framebuffer() const {
    int w = 0, h = 0;
    glfwGetFramebufferSize(glfw, &w, &h);
    return {static_cast<float>(w), static_cast<float>(h)};
}

void Window::State::move_mouse(double x, double y) {
    int w = 0, h = 0;
    glfwGetWindowSize(glfw, &w, &h);
    const ImVec2 fb = framebuffer();
    if (w > 0 && h > 0)
        mouse = {static_cast<float>(x) * fb.x / static_cast<float>(w),
                 static_cast<float>(y) * fb.y / static_cast<float>(h)};
}

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options,
                                             const std::function<ImFontAtlas&()>& glyphs) {
    auto state = std::make_unique<State>(); // from here on every way out ends GLFW
    glfwSetErrorCallback(nullptr);
    avoid_wayland_without_its_folder();
    if (!glfwInit()) return fail(std::string("no display: ") + without_window());

    int width = options.width, height = options.height;
    fit_to_monitor(width, height);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "normscope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "normscope");
    if (!state->create_window(width, height))
        return fail(std::string("no OpenGL 3.0 on this display: ") + without_window());

    glfwSetWindowSizeLimits(state->glfw, k_min_window_width, k_min_window_height, GLFW_DONT_CARE,
                            GLFW_DONT_CARE);
    const int interval = options.visible ? 1 : 0;
    state->glx ? state->glx->set_swap_interval(interval) : glfwSwapInterval(interval);
    IMGUI_CHECKVERSION();
    ImGui::CreateContext(&glyphs());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;              // the layout is fixed
    io.ConfigInputTextCursorBlink = false; // a blinking caret would draw frames at rest
    ImGui_ImplGlfw_InitForOpenGL(state->glfw, false);
    ImGui_ImplOpenGL3_Init("#version 130");
    use_fed_input();
    state->offsets = (io.BackendFlags & ImGuiBackendFlags_RendererHasVtxOffset) != 0;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    state->textures.emplace();
    state->swaps_parts = can_swap_parts();
    state->backends_ready = true;
    return std::unique_ptr<Window>(new Window(std::move(state)));
}

// Every callback marks the window active; what ImGui must learn waits in the queue for its frame.
Window::Window(std::unique_ptr<State> state) : state_(std::move(state)) {
    state_->owner = this;
    GLFWwindow* glfw = state_->glfw;
    glfwSetWindowUserPointer(glfw, state_.get());
    static constexpr auto touched = [](GLFWwindow* w) -> State& {
        State& s = *static_cast<State*>(glfwGetWindowUserPointer(w));
        s.active = true;
        return s;
    };
    using Kind = InputQueue::Kind;

    glfwSetWindowRefreshCallback(glfw, [](GLFWwindow* w) { touched(w).whole_frames = 1; });
    glfwSetFramebufferSizeCallback(glfw, [](GLFWwindow* w, int, int) { touched(w); });
    glfwSetWindowContentScaleCallback(glfw, [](GLFWwindow* w, float, float) { touched(w); });
    glfwSetWindowIconifyCallback(glfw, [](GLFWwindow* w, int) { touched(w); });
    glfwSetWindowCloseCallback(glfw, [](GLFWwindow* w) {
        glfwSetWindowShouldClose(w, GLFW_FALSE); // the app decides
        if (const auto& call = touched(w).owner->on_close) call();
    });
    glfwSetDropCallback(glfw, [](GLFWwindow* w, int count, const char** paths) {
        if (const auto& call = touched(w).owner->on_drop) call({paths, paths + count});
    });
    glfwSetWindowFocusCallback(glfw, [](GLFWwindow* w, int focused) {
        touched(w);
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
    });
    glfwSetCursorEnterCallback(glfw, [](GLFWwindow* w, int entered) {
        State& s = touched(w);
        ImGui_ImplGlfw_CursorEnterCallback(w, entered);
        s.queue.push(Kind::motion, 0, [&s, entered] {
            const bool dragging =
                std::find(s.buttons.begin(), s.buttons.end(), true) != s.buttons.end();
            if (!entered && !dragging) s.mouse = k_no_mouse;
        });
    });
    glfwSetCursorPosCallback(glfw, [](GLFWwindow* w, double x, double y) {
        State& s = touched(w);
        s.queue.push(Kind::motion, 0, [&s, x, y] { s.move_mouse(x, y); });
    });
    glfwSetMouseButtonCallback(glfw, [](GLFWwindow* w, int button, int action, int) {
        State& s = touched(w);
        if (button < 0 || button >= static_cast<int>(s.buttons.size())) return;
        double x = 0, y = 0;
        glfwGetCursorPos(w, &x, &y);
        s.queue.push(Kind::button, 0, [&s, button, action, x, y] {
            s.move_mouse(x, y);
            s.buttons[static_cast<std::size_t>(button)] = action == GLFW_PRESS;
        });
    });
    glfwSetScrollCallback(glfw, [](GLFWwindow* w, double dx, double dy) {
        touched(w).queue.push(Kind::motion, 0, [=] { ImGui_ImplGlfw_ScrollCallback(w, dx, dy); });
    });
    glfwSetCharCallback(glfw, [](GLFWwindow* w, unsigned int c) {
        touched(w).queue.push(Kind::motion, 0, [=] { ImGui_ImplGlfw_CharCallback(w, c); });
    });
    glfwSetKeyCallback(glfw, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        touched(w).owner->take_key(key, scancode, action, mods);
    });
}

Window::~Window() = default;

GLFWwindow* Window::glfw() const {
    return state_->glfw;
}

void Window::take_key(int key, int scancode, int action, int mods) {
    state_->active = true;
    if (action == GLFW_REPEAT) return; // ImGui repeats by itself
    key = key_on_layout(key, scancode);
    state_->queue.push(action == GLFW_PRESS ? InputQueue::Kind::press : InputQueue::Kind::release,
                       key, [=, held = modifiers_after(key, action, mods)] {
                           feed_modifiers(held & GLFW_MOD_CONTROL, held & GLFW_MOD_SHIFT,
                                          held & GLFW_MOD_ALT, held & GLFW_MOD_SUPER);
                           feed_key(key, action == GLFW_PRESS);
                       });
}

void Window::make_current() {
    state_->glx ? state_->glx->make_current() : glfwMakeContextCurrent(state_->glfw);
}

TextureService& Window::textures() {
    return *state_->textures;
}

float Window::content_scale() const {
    // In framebuffer pixels: where the window system already counts in enlarged units, the
    // framebuffer has as many more pixels.
    float x = 1, y = 1;
    glfwGetWindowContentScale(state_->glfw, &x, &y);
    return x > 0 ? x : 1;
}

void Window::set_title(const std::string& title) {
    if (title == state_->title) return;
    state_->title = title;
    glfwSetWindowTitle(state_->glfw, title.c_str());
}

bool Window::minimized() const {
    const ImVec2 size = state_->framebuffer();
    return glfwGetWindowAttrib(state_->glfw, GLFW_ICONIFIED) || size.x <= 0 || size.y <= 0;
}

void Window::wake() {
    state_->active = true;
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

void Window::set_full_screen(bool on) {
    State& s = *state_;
    if (on == (glfwGetWindowMonitor(s.glfw) != nullptr)) return;
    if (!on) {
        const auto& [x, y, w, h] = s.windowed;
        return glfwSetWindowMonitor(s.glfw, nullptr, x, y, w, h, GLFW_DONT_CARE);
    }
    auto& [x, y, w, h] = s.windowed;
    glfwGetWindowPos(s.glfw, &x, &y);
    glfwGetWindowSize(s.glfw, &w, &h);
    GLFWmonitor* const best = monitor_of(s.glfw);
    if (!best) return;
    const GLFWvidmode* mode = glfwGetVideoMode(best);
    // A click into the notes on another monitor leaves it there.
    glfwSetWindowAttrib(s.glfw, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    glfwSetWindowMonitor(s.glfw, best, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool Window::take_activity() {
    return state_->active.exchange(false);
}

bool Window::input_held() const {
    const auto& b = state_->buttons;
    return !state_->queue.empty() || std::find(b.begin(), b.end(), true) != b.end();
}

void Window::fonts_changed() {
    state_->repaint.forget();
    if (!std::exchange(state_->device_ready, true)) {
        ImGui_ImplOpenGL3_CreateDeviceObjects(); // with the atlas' texture
    } else {
        replace_glyph_texture();
    }
    // Glyphs sit on whole pixels, so that a blend of neighbours is never seen; software OpenGL
    // spends a fifth less on a frame without one.
    if (const ImTextureID glyphs = glyph_texture(*ImGui::GetIO().Fonts)) sample_nearest(glyphs);
}

void Window::begin_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = state_->framebuffer();
    io.DisplayFramebufferScale = {1, 1};
    state_->queue.take_frame();
    feed_mouse(state_->mouse, state_->buttons);
    ImGui::NewFrame();
}

void Window::State::draw(ImDrawData& data) {
    ImGui_ImplOpenGL3_RenderDrawData(offsets ? &data : &parts.of(data));
}

void Window::State::show(ImDrawData& data) {
    const PixelRect all{0, 0, static_cast<int>(data.DisplaySize.x),
                        static_cast<int>(data.DisplaySize.y)};
    if (!(all == drawn)) {
        drawn = all;
        // Software OpenGL learns of a new size from the swap after it.
        whole_frames = k_whole_frames_after_resize;
    }
    const ImVec4 ground = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    glViewport(0, 0, all.x1, all.y1);
    glClearColor(ground.x, ground.y, ground.z, 1);
    if (!swaps_parts || whole_frames > 0) {
        whole_frames = std::max(whole_frames - 1, 0);
        repaint.forget(); // what is drawn on may be another buffer after the swap
        glClear(GL_COLOR_BUFFER_BIT);
        draw(data);
        glx ? glx->swap() : glfwSwapBuffers(glfw);
        return;
    }
    const auto changed = repaint.compare(data, ImGui::ColorConvertFloat4ToU32(ground),
                                         [&](ImTextureID id) { return textures->version(id); });
    for (const PixelRect& rect : changed) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(rect.x0, all.y1 - rect.y1, rect.x1 - rect.x0, rect.y1 - rect.y0);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        repaint.draw_within(data, rect, [this](ImDrawData* part) { draw(*part); });
    }
    for (const PixelRect& rect : changed) swap_part(rect, all.y1);
}

void Window::end_frame() {
    ImGui::Render();
    state_->show(*ImGui::GetDrawData());
    state_->textures->collect();
}

void Window::draw(ImDrawData& data) {
    state_->draw(data);
}

} // namespace normscope
