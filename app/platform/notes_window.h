#pragma once
#include "app/shell/present/notes.h"

struct GLFWwindow;

namespace normscope {

class Window;
struct DesktopRect;

// The teacher's notes of a presentation on another monitor, where there is one. Its keys are those
// of the window that the class sees. Drawn when what it says has changed, at no other time.
class NotesWindow {
  public:
    explicit NotesWindow(Window& window) : window_(window) {}
    ~NotesWindow() { close(); } // before the other window's end
    NotesWindow(const NotesWindow&) = delete;
    NotesWindow& operator=(const NotesWindow&) = delete;

    // After each frame: opens, draws or closes it.
    void keep_up(const App& app);

  private:
    void open(const DesktopRect& place);
    void close();
    void draw(const NotesPage& page);

    Window& window_;
    GLFWwindow* glfw_ = nullptr; // with a context of its own
    NotesPage drawn_;
    int w_ = 0, h_ = 0; // drawn
    bool closed_by_hand_ = false;
};

} // namespace normscope
