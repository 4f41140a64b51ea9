#pragma once
#include "app/shell/frame/state.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A lesson beside the workspace: its steps put documents of their own in the place of the person's,
// which waits with its undo history until the lesson is left.
namespace normscope {

// Loads the lessons of the assets for the menu. The faults of a file are told on the screen.
void load_lesson_menu(App::State& state);

// Loads the menu's lessons and the lesson that is on again, after the language has changed.
void translate_lessons(App::State& state);

// "shortcut", "shortcut:3" or a path that ends in .json: begins it at that step, else where it was
// left. Error: there is none, its file cannot be read, or the step's document cannot be made.
// `path`: LessonRun.
Result<void> begin_lesson(App::State& state, const std::string& wanted, int path = 0);
Result<void> begin_lesson(App::State& state, const Lesson& lesson,
                          std::optional<std::size_t> step = {}, int path = 0);

// The lesson of a session at its step, with the document that there is; nothing where there is no
// such lesson.
void resume_lesson(App::State& state, const std::string& id, Index step);

// To a step of the lesson that is on: the next one goes on with the document as it is, unless it
// says where it begins. Error: its document cannot be made; the lesson stays where it is.
Result<void> go_to_step(App::State& state, std::size_t step);

// The person's own document is there again, looked at as it was left; nothing where no lesson is
// on.
void leave_lesson(App::State& state);

// Looks so at the document, in the window as it is now.
void look_as(App::State& state, View view);

// A solution that is being shown ends where it is; nothing where none is.
void end_show(App::State& state);

// From now on and until give_back() what the lesson's solution does to files, the clipboard, other
// documents, lists, preferences and answers is only shown: give_back() makes them as they were.
void keep_aside(App::State& state);
void give_back(App::State& state); // nothing where nothing is aside

// One of k_lesson_deeds was done; nothing where no lesson is on.
void note_deed(App::State& state, std::string_view deed);

// The view as a task checks it: the open workspace, the pinned token and feature, the deeds.
LessonLook lesson_look(const App::State& state);

// At the beginning of every pass: the lesson's file may have changed, a task may be done.
void keep_up_lesson(App::State& state);

// The width of the lesson's panel at the right of the window; 0 where no lesson is on or the panel
// has no room beside the page.
float lesson_width(const Ui& ui, Rect window, const App::State& state);
// The height of a panel that has no room beside the page, at the window's lower edge: all of the
// window or a strip. 0 for a panel beside the page.
float lesson_height(const Ui& ui, Rect window, const App::State& state);
void draw_lesson(Ui& ui, Rect r, App::State& state);

// On the page of the workspace, once it is drawn.
void draw_lesson_on_page(Ui& ui, Rect page, App::State& state);

// Goes to a step of the lesson that is on, if one is; an error is told on the screen.
Command to_step(std::size_t step);

// The place of a lesson in the menu, from 1; 0 of a file that is not in it.
std::size_t lesson_number(const App::State& state, const std::string& id);

// The last step is left: names what is not done, and offers the lesson that comes next.
void finish_lesson(App::State& state);

std::vector<MenuItem> lesson_items(App::State& state);

} // namespace normscope
