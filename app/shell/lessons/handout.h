#pragma once
#include "app/shell/lessons/play_lesson.h"
#include "core/base/result.h"

namespace normscope {

// A lesson on paper, A4: each step with its text, its picture as the screen draws it, the question
// with boxes to tick and the task; with `solutions` the answers and what is revealed as well. Its
// numbers are the program's: the lesson is played for them.
// Error: what play_lesson() finds wrong with it first.
Result<std::string> handout_pdf(const Lesson& lesson, const std::filesystem::path& assets,
                                const LessonFonts& fonts, bool solutions);

} // namespace normscope
