#pragma once
#include "app/shell/frame/app.h"
#include "app/shell/lessons/hand.h"

#include <deque>
#include <string>
#include <vector>

struct ImGuiContext;

namespace normscope {

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
    void end(App::State& state); // before it goes, wherever it is

    // Of the act that is on; empty: none is.
    std::string target() const { return at_ < acts_.size() ? acts_[at_].target : ""; }
    void draw(App::State& state) const; // the hand, over everything

  private:
    bool begin_act(App::State& state);
    void make_next();

    std::vector<LessonAct> acts_;
    std::size_t at_ = 0;
    std::deque<HandMove> moves_; // of the act that is on, still to be made
    bool begun_ = false;         // the act: its target is brought into sight
    bool made_press_ = false;    // the last move was one of a click
    float waited_ = 0;           // seconds, for the next move
    int frame_ = -1;             // that it went on in; a frame may have two passes
    Point from_;                 // where the hand was when it began to glide
    Hand hand_;
    std::vector<LoggedText> texts_;
    bool reads_texts_ = false; // nobody else asks for them
    ImGuiContext* context_;
    unsigned hook_ = 0;
};

} // namespace normscope
