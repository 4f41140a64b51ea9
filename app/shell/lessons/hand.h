#pragma once
#include "app/lessons/player.h"
#include "app/session/lesson/lesson.h"
#include "app/shell/files/figure.h"
#include "app/shell/frame/app.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/shell/lessons/turns.h"
#include "app/widgets/keys.h"
#include "app/widgets/texture_cache.h"
#include "app/widgets/ui.h"
#include "core/base/result.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

// A hand's move in one frame.
struct HandMove {
    enum class Kind : std::uint8_t { go, press, release, letter, key_down, key_up };
    Kind kind = Kind::go;
    Point at = {};       // of go
    unsigned letter = 0; // of letter
    Key key = Key::enter;
    bool ctrl = false; // with the key
};

// The button goes down at the first of the points and up at the last.
std::vector<HandMove> drag_along(std::span<const Point> way);

// A mouse and a keyboard that ImGui is fed with before a frame begins.
class Hand {
  public:
    void make(const HandMove& move); // in the frame that is fed next
    void leave();                    // the mouse is nobody's, and no key is down
    void feed();

    const std::optional<Point>& mouse() const { return mouse_; }
    bool pressing() const { return button_; }
    std::optional<Key> key() const { return key_; } // that it holds down

  private:
    std::optional<Point> mouse_;
    bool button_ = false;
    std::optional<HandMove> due_; // a letter or a key
    std::optional<Key> key_;
};

// The program without a window, and hands that move mouse and keys by the names of controls.
class LessonHands {
  public:
    LessonHands(std::filesystem::path assets, LessonFonts fonts);

    // Each rests before a frame, where another context of ImGui's may be used; done() says how it
    // went.
    // With nothing kept from before, in a window so tall that every control is in sight.
    Turns begin(const Lesson& lesson);
    Turns act(LessonAct act);
    Turns make(std::vector<HandMove> moves);
    // Errors: nothing has this name, it is locked, there is no such cell, the program does not come
    // to rest.
    const Result<void>& done() const { return done_; }

    App::State& state() const { return app_->state(); }
    bool plays() const; // the lesson is on
    const std::vector<NamedPart>& parts() const { return parts_; }
    LessonLook look() const { return lesson_look(state()); }

  private:
    Result<void> start(const Lesson& lesson);
    Turns settle();
    void frame();

    std::filesystem::path assets_;
    LessonFonts fonts_;
    Result<void> done_;
    UnseenContext context_;
    NoTextures textures_;
    std::vector<NamedPart> parts_;
    Hand hand_;
    std::string lesson_id_;
    std::unique_ptr<App> app_;
};

// A task's solution, done before the student's eyes by a hand that moves mouse and keys: each act
// is a step to undo, as if the student had done it. Under "reduce motion" nothing glides and
// nothing waits.
class LessonShow {
  public:
    explicit LessonShow(std::vector<LessonAct> acts);
    ~LessonShow();
    LessonShow(const LessonShow&) = delete;
    LessonShow& operator=(const LessonShow&) = delete;

    // At the beginning of every pass. False once it is over; an act that cannot be done ends it and
    // is told on the screen.
    bool go_on(App::State& state);
    void end(App::State& state); // before it goes, wherever it is: end_show() calls it

    // The person has pressed a key or a button of the mouse.
    bool is_disturbed() const;

    // The target of the act that is on; empty: no act is on.
    std::string target() const { return at_ < acts_.size() ? acts_[at_].target : ""; }
    void draw(App::State& state) const; // the hand, over everything

  private:
    static bool break_off(App::State& state, const std::string& why);
    void make_next();
    void feed();

    std::vector<LessonAct> acts_;
    std::size_t at_ = 0;
    std::deque<HandMove> moves_; // of the act that is on, still to be made
    bool begun_ = false;         // the act: its target is brought into sight
    bool made_press_ = false;    // the last move was one of a click
    float waited_ = 0;           // seconds, for the next move
    int frame_ = -1;             // that it went on in; a frame may have two passes
    Point from_;                 // where the hand was when it began to glide
    Hand hand_;
    bool pressed_ = true;  // the button, as it was fed last
    bool clicked_ = false; // by the person
    ImGuiContext* context_;
    unsigned hook_ = 0;
};

} // namespace normscope
