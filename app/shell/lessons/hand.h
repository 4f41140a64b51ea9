#pragma once
#include "app/session/lesson/lesson.h"
#include "app/widgets/keys.h"
#include "app/widgets/ui.h"
#include "core/base/result.h"

#include <optional>
#include <span>
#include <vector>

namespace normscope {

// What a hand does in one frame.
struct HandMove {
    enum class Kind : std::uint8_t { go, press, release, letter, key_down, key_up };
    Kind kind = Kind::go;
    Point at = {};       // of go
    unsigned letter = 0; // of letter
    Key key = Key::enter;
    bool ctrl = false; // with the key
};

// Where the mouse does an act. Errors: nothing has this name, it is locked or out of sight, there
// is no such cell.
Result<Point> act_place(const LessonAct& act, std::span<const NamedPart> parts,
                        std::span<const LoggedText> texts);

// An act as moves: to its place, pressing there, typing. Errors: those of act_place().
Result<std::vector<HandMove>> moves_of(const LessonAct& act, std::span<const NamedPart> parts,
                                       std::span<const LoggedText> texts);

// The button goes down at the first of the points and up at the last.
std::vector<HandMove> drag_along(std::span<const Point> way);

// A mouse and a keyboard that ImGui is fed with before a frame begins.
class Hand {
  public:
    void make(const HandMove& move); // in the frame that is fed next
    void leave() { mouse_.reset(); } // the mouse is nobody's
    void feed();

    const std::optional<Point>& mouse() const { return mouse_; }
    bool pressing() const { return button_; }

  private:
    std::optional<Point> mouse_;
    bool button_ = false;
    std::optional<HandMove> due_; // a letter or a key
};

} // namespace normscope
