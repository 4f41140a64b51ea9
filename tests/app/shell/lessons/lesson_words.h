#pragma once
#include "app/shell/lessons/lessons.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>
#include <string>

namespace normscope::testing {

// All words on the screen, in their order: a lesson's text is drawn word by word.
inline std::string words_on(const Harness& h) {
    std::string all;
    for (const LoggedText& t : h.log().texts) all += t.text + " ";
    return all;
}
inline bool says(const Harness& h, const std::string& part) {
    return words_on(h).find(part) != std::string::npos;
}

inline void begin(Harness& h, const std::string& lesson) {
    const auto begun = begin_lesson(h.state(), lesson);
    ASSERT_TRUE(begun) << begun.error().message;
    h.settle();
}

// Frames until it is so.
template<class Reached>
void frames_until(Harness& h, Reached&& reached) {
    for (int frames = 0; frames < 20000 && !reached(); ++frames) h.frame();
    ASSERT_TRUE(reached());
}

// All hints of the task, and then its solution.
inline void ask_to_show(Harness& h) {
    for (int hints = 0; hints < 20 && !h.state().lesson->show; ++hints) h.click("lesson.hint");
    ASSERT_TRUE(h.state().lesson->show);
}

// The step of this title.
inline std::string step_called(const Harness& h, const std::string& lesson,
                               const std::string& title) {
    for (const Lesson& one : h.state().lessons)
        for (std::size_t i = 0; one.id == lesson && i < one.steps.size(); ++i)
            if (one.steps[i].title == title) return lesson + ":" + std::to_string(i + 1);
    ADD_FAILURE() << lesson << " has no step “" << title << "”";
    return lesson;
}

} // namespace normscope::testing
