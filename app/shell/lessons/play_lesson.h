#pragma once
#include "app/lessons/lesson_text.h"
#include "app/session/lesson/lesson.h"
#include "app/shell/frame/app.h"
#include "app/shell/lessons/turns.h"
#include "app/widgets/fonts.h"
#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <imgui.h>
#include <string>
#include <vector>

namespace normscope {

// Rasterizes the fonts for a scale, with the letters of a text.
using LessonFonts =
    std::function<FontSet(ImFontAtlas& atlas, float scale, const std::string& text)>;

// Told of every step: before its prediction is made, and when all of it is done.
using LessonWatch = std::function<void(const App::State& state, bool done)>;

// Plays a lesson from its first step to its last without a window: answers each prediction, does
// each task by its solution, both by mouse and keys, in the language that is spoken. Returns what
// is wrong: names that nothing has, texts that cannot be read, claims that do not hold, tasks that
// are done before they begin or not by their solution, decimals in words that no claim is about.
std::vector<std::string> play_lesson(const Lesson& lesson, const std::filesystem::path& assets,
                                     const LessonFonts& fonts, const LessonWatch& watch = {});
// play_lesson(), a frame a turn; `problems` gets what is wrong. All arguments outlive the Turns.
Turns play_in_turns(const Lesson& lesson, const std::filesystem::path& assets,
                    const LessonFonts& fonts, const LessonWatch& watch,
                    std::vector<std::string>& problems);

// A lesson on paper, A4: each step with its text, its picture as the screen draws it, the question
// with boxes to tick and the task. In the solutions the answers, what is revealed, and the picture
// as it is once the task is done.
struct Handout {
    std::string tasks, solutions; // bytes of what render_pages() makes
};

// Makes a handout with the program's numbers, for which the lesson is played.
// Error: what play_lesson() finds wrong with it first.
Turns make_handout(const Lesson& lesson, const std::filesystem::path& assets,
                   const LessonFonts& fonts, Result<Handout>& made);

// "a.pdf": "a-solutions.pdf".
std::filesystem::path solutions_beside(const std::filesystem::path& tasks);

// Asks where the handout of the lesson that is on goes, and writes both files there.
void ask_handout(App::State& state);

// At the beginning of every pass: a handout that is being made has a turn.
void keep_up_handout(App::State& state);

} // namespace normscope
