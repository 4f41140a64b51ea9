#pragma once
#include <functional>
#include <vector>

namespace normscope {

// Events wait here until a frame takes them. Immediate-mode widgets compare the state of keys and
// buttons between frames, so a click or a key that comes and goes between two frames would be lost;
// a frame therefore takes events only as long as none hides an earlier one, and the rest waits.
class InputQueue {
  public:
    enum class Kind {
        motion,  // pointer position, wheel, text: hides nothing
        press,   // of a key
        release, // of a key
        button   // press or release of a mouse button
    };

    // `source` tells keys apart; `apply` hands the event to ImGui.
    void push(Kind kind, int source, std::function<void()> apply);

    // Applies what this frame may see, in order of arrival.
    void take_frame();

    bool empty() const { return events_.empty(); }

  private:
    struct Event {
        Kind kind;
        int source;
        std::function<void()> apply;
    };
    std::vector<Event> events_;
};

// The key that bears this letter. Only letters move: digits and signs stay where they are, because
// on some layouts they need Shift.
int key_on_layout(int key, int scancode);

// X11 tells which modifiers were held before the key, which may be one of them.
int modifiers_after(int key, int action, int before);

} // namespace normscope
