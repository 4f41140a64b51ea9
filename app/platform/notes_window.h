#pragma once
#include <memory>

namespace normscope {

class App;
class Window;

// The teacher's notes of a presentation on another monitor, where there is one. Its keys are those
// of the window that the class sees. Drawn when what it says has changed, at no other time.
class NotesWindow {
  public:
    explicit NotesWindow(Window& window);
    ~NotesWindow(); // before the other window's end
    NotesWindow(const NotesWindow&) = delete;
    NotesWindow& operator=(const NotesWindow&) = delete;

    // After each frame: opens, draws or closes it.
    void keep_up(const App& app);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace normscope
