#pragma once
#include "app/shell/lessons/play_lesson.h"
#include "core/base/result.h"

namespace normscope {

// A lesson on paper, A4: each step with its text, its picture as the screen draws it, the question
// with boxes to tick and the task. In the solutions the answers, what is revealed, and the picture
// as it is once the task is done.
struct Handout {
    std::string tasks, solutions; // bytes of a PDF each
};

// Its numbers are the program's: the lesson is played for them. `rest`: play_lesson().
// Error: what play_lesson() finds wrong with it first.
Result<Handout> make_handout(const Lesson& lesson, const std::filesystem::path& assets,
                             const LessonFonts& fonts, const std::function<void()>& rest = {});

// "a.pdf": "a-solutions.pdf".
std::filesystem::path solutions_beside(const std::filesystem::path& tasks);

// Asks where the handout of the lesson that is on goes, and writes both PDFs there.
void ask_handout(App::State& state);

// At the beginning of every pass: a handout that is being made has a turn.
void keep_up_handout(App::State& state);

} // namespace normscope
