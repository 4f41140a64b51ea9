#include "app/platform/notes_window.h"

#include "app/platform/monitor.h"
#include "app/platform/window.h"
#include "app/shell/frame/app.h"
#include "app/shell/present/notes.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GL/glext.h>
#include <GLFW/glfw3.h>
#include <cstdio>
#include <optional>

namespace normscope {

struct NotesWindow::State {
    explicit State(Window& beside) : window(beside) {}

    Window& window;
    GLFWwindow* glfw = nullptr; // with a context of its own
    NotesPage drawn;
    int w = 0, h = 0; // drawn
    bool closed_by_hand = false;

    void open(const MonitorPlace& place);
    void close();
    void draw(const NotesPage& page);
};

NotesWindow::NotesWindow(Window& window) : state_(std::make_unique<State>(window)) {}

NotesWindow::~NotesWindow() {
    state_->close();
}

void NotesWindow::State::open(const MonitorPlace& place) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE); // until it stands where it belongs
    glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    glfw = glfwCreateWindow(place.w, place.h, "NormScope: notes", nullptr, nullptr);
    window.make_current();
    if (!glfw) {
        closed_by_hand = true; // it would fail in every frame
        std::fputs("normscope: no window for the notes: N shows them in the other one\n", stderr);
        return;
    }
    glfwSetWindowPos(glfw, place.x, place.y);
    glfwSetWindowUserPointer(glfw, this);
    static constexpr auto state_of = [](GLFWwindow* of) -> State& {
        return *static_cast<State*>(glfwGetWindowUserPointer(of));
    };
    glfwSetKeyCallback(glfw, [](GLFWwindow* of, int key, int scancode, int action, int mods) {
        state_of(of).window.take_key(key, scancode, action, mods);
    });
    glfwSetWindowRefreshCallback(glfw, [](GLFWwindow* of) {
        state_of(of).w = 0; // what was drawn is gone
        state_of(of).window.wake();
    });
    glfwSetWindowCloseCallback(glfw, [](GLFWwindow* of) { state_of(of).window.wake(); });
    glfwShowWindow(glfw);
    w = h = 0;
}

void NotesWindow::State::close() {
    if (!glfw) return;
    glfwDestroyWindow(glfw);
    glfw = nullptr;
    window.make_current();
}

void NotesWindow::State::draw(const NotesPage& page) {
    int wide = 0, high = 0;
    glfwGetFramebufferSize(glfw, &wide, &high);
    if (wide <= 0 || high <= 0 || (page == drawn && wide == w && high == h)) return;
    const auto pixels = notes_picture(page, wide, high);
    drawn = page;
    w = wide;
    h = high;
    if (!pixels) {
        std::fprintf(stderr, "normscope: notes: %s\n", pixels.error().message.c_str());
        return;
    }
    glfwMakeContextCurrent(glfw);
    glfwSwapInterval(0);
    glViewport(0, 0, w, h);
    glRasterPos2f(-1, 1); // the picture begins at the top
    glPixelZoom(1, -1);
    glDrawPixels(w, h, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels->data());
    glfwSwapBuffers(glfw);
    glfwMakeContextCurrent(nullptr);
    window.make_current();
}

void NotesWindow::keep_up(const App& app) {
    State& s = *state_;
    const std::optional<NotesPage> page = app.notes();
    if (!page) {
        s.closed_by_hand = false;
        return s.close();
    }
    if (!s.glfw && !s.closed_by_hand) {
        const auto places = monitor_places();
        if (const auto at = notes_monitor(places, place_of(s.window.glfw()))) s.open(places[*at]);
    }
    if (s.glfw && glfwWindowShouldClose(s.glfw)) {
        s.closed_by_hand = true;
        return s.close();
    }
    if (s.glfw) s.draw(*page);
}

} // namespace normscope
