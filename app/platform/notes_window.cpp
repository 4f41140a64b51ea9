#include "app/platform/notes_window.h"

#include "app/platform/monitor.h"
#include "app/platform/window.h"
#include "app/platform/x_errors.h"
#include "app/shell/frame/app.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GL/glext.h>
#include <GLFW/glfw3.h>
#include <cstdio>

namespace normscope {

void NotesWindow::open(const DesktopRect& place) {
    glfwDefaultWindowHints();                 // OpenGL of any version: it only puts pixels
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE); // until it stands where it belongs
    glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    glfw_ = glfwCreateWindow(place.x1 - place.x0, place.y1 - place.y0, "NormScope: notes", nullptr,
                             nullptr);
    outlive_x_errors();
    window_.make_current();
    if (!glfw_) {
        closed_by_hand_ = true; // it would fail in every frame
        std::fputs("normscope: no window for the notes: N shows them in the other one\n", stderr);
        return;
    }
    glfwSetWindowPos(glfw_, place.x0, place.y0);
    glfwSetWindowUserPointer(glfw_, this);
    static constexpr auto notes_of = [](GLFWwindow* of) -> NotesWindow& {
        return *static_cast<NotesWindow*>(glfwGetWindowUserPointer(of));
    };
    glfwSetKeyCallback(glfw_, [](GLFWwindow* of, int key, int scancode, int action, int mods) {
        notes_of(of).window_.take_key(key, scancode, action, mods);
    });
    glfwSetWindowRefreshCallback(glfw_, [](GLFWwindow* of) {
        notes_of(of).w_ = 0; // what was drawn is gone
        notes_of(of).window_.wake();
    });
    glfwSetWindowCloseCallback(glfw_, [](GLFWwindow* of) { notes_of(of).window_.wake(); });
    glfwShowWindow(glfw_);
    w_ = h_ = 0;
}

void NotesWindow::close() {
    if (!glfw_) return;
    glfwDestroyWindow(glfw_);
    glfw_ = nullptr;
    window_.make_current();
}

void NotesWindow::draw(const NotesPage& page) {
    int w = 0, h = 0;
    glfwGetFramebufferSize(glfw_, &w, &h);
    if (w <= 0 || h <= 0 || (page == drawn_ && w == w_ && h == h_)) return;
    const auto pixels = notes_picture(page, w, h);
    drawn_ = page;
    w_ = w;
    h_ = h;
    if (!pixels) {
        std::fprintf(stderr, "normscope: notes: %s\n", pixels.error().message.c_str());
        return;
    }
    glfwMakeContextCurrent(glfw_);
    glfwSwapInterval(0);
    glViewport(0, 0, w, h);
    glRasterPos2f(-1, 1); // the picture begins at the top
    glPixelZoom(1, -1);
    glDrawPixels(w, h, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels->data());
    glfwSwapBuffers(glfw_);
    glfwMakeContextCurrent(nullptr);
    window_.make_current();
}

void NotesWindow::keep_up(const App& app) {
    const std::optional<NotesPage> page = app.notes();
    if (!page) {
        closed_by_hand_ = false;
        return close();
    }
    if (!glfw_ && !closed_by_hand_) {
        const auto places = monitor_places();
        if (const auto at = notes_monitor(places, place_of(window_.glfw()))) open(places[*at]);
    }
    if (glfw_ && glfwWindowShouldClose(glfw_)) {
        closed_by_hand_ = true;
        return close();
    }
    if (glfw_) draw(*page);
}

} // namespace normscope
