// A list of scenes is a lesson.

#include "app/io/file.h"
#include "app/session/lesson/lesson.h"
#include "app/session/session_file.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/shell/present/scenes.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// Keeps three scenes: an example, the example with a change, and changed numbers in another
// workspace.
void keep_three(Harness& h) {
    h.key_and_settle(Key::k, true);
    h.state().apply_edits({SetParam{Param::gamma, 1, 1, 2}});
    h.settle();
    h.key_and_settle(Key::k, true);
    h.state().apply_edits({SetCells{Input::x, 0, 0, Matrix<double>::Constant(1, 1, 4.125)}});
    h.state().view.workspace = *workspace_index("backward");
    h.settle();
    h.key_and_settle(Key::k, true);
}

void tell(Harness& h, std::size_t index, const std::string& question, const std::string& notes) {
    Scene scene = (*h.document().scenes)[index];
    scene.question = question;
    scene.notes = notes;
    change_scene_words(h.state(), index, scene);
    h.settle();
}

std::vector<std::string> problems_of(const Lesson& lesson) {
    const auto loader = std::make_shared<FontLoader>();
    return play_lesson(lesson, NORMSCOPE_ASSET_DIR,
                       [loader](ImFontAtlas& atlas, float scale, const std::string& text) {
                           return loader->load(atlas, scale, text);
                       });
}

TEST(SceneLesson, IsReadPlayedAndHasEveryStateAgain) {
    Harness h({.example = "three-features"});
    keep_three(h);
    tell(h, 0, "What is the mean?", "Wait {for it.");
    tell(h, 2, "The first cell is 4.13 now.", "");
    const std::string made = lesson_of_scenes(h.document(), "mine", h.state().examples);
    const auto lesson = read_lesson(made, "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().message << "\n" << made;
    ASSERT_EQ(lesson->steps.size(), 3u);
    EXPECT_EQ(lesson->question, "mine") << "the example's title is not the person's";
    EXPECT_EQ(lesson->steps[0].text, "What is the mean?");
    EXPECT_EQ(lesson->title, "mine");
    EXPECT_EQ(made.find("for it"), std::string::npos) << "notes are the teacher's alone";
    EXPECT_EQ(lesson->steps[1].title, "Scene 2");
    EXPECT_EQ(lesson->steps[0].start->example, "three-features");
    EXPECT_TRUE(lesson->steps[2].start->example.empty()) << "its numbers are its own";
    for (std::size_t i = 0; i < 3; ++i) {
        const auto document = lesson_document(*lesson, i, h.state().examples);
        ASSERT_TRUE(document) << document.error().message;
        EXPECT_EQ(*document, (*h.document().scenes)[i].document) << i;
    }
    for (const std::string& problem : problems_of(*lesson)) ADD_FAILURE() << problem;
}

TEST(SceneLesson, AStepIsLookedAtAsItsScene) {
    Harness h({.example = "three-features"});
    keep_three(h);
    Scene scene = (*h.document().scenes)[0];
    scene.look = {{"geometry", 1}, {"open", 2}};
    change_scene_words(h.state(), 0, scene);
    const auto lesson =
        read_lesson(lesson_of_scenes(h.document(), "mine", h.state().examples), "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_EQ(lesson->steps[0].start->look, scene.look);
}

TEST(SceneLesson, ThePersonsTitleIsItsQuestion) {
    Harness h({.example = "three-features"});
    keep_three(h);
    Document named = h.document();
    named.title = "Who shares?";
    const auto lesson = read_lesson(lesson_of_scenes(named, "mine", h.state().examples), "m.json");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_EQ(lesson->question, "Who shares?");
}

TEST(SceneLesson, WeightsOfAnExampleAreNamedAndNotWritten) {
    Harness h({.example = ""}); // the program begins with weights of an example
    ASSERT_TRUE(h.document().transformer.weights);
    h.key_and_settle(Key::k, true);
    h.state().apply_edits({SetCells{Input::x, 0, 0, Matrix<double>::Constant(1, 1, 4.125)}});
    h.settle();
    h.key_and_settle(Key::k, true);
    const std::string made = lesson_of_scenes(h.document(), "mine", h.state().examples);
    EXPECT_LT(made.size(), 100'000u) << "of two scenes";
    const auto lesson = read_lesson(made, "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().message << "\n" << made;
    EXPECT_TRUE(lesson->steps[0].start->document.is_null()) << lesson->steps[0].start->document;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto document = lesson_document(*lesson, i, h.state().examples);
        ASSERT_TRUE(document) << document.error().message;
        EXPECT_EQ(write_session(*document), write_session((*h.document().scenes)[i].document)) << i;
    }
}

TEST(SceneLesson, OptionsAreAPrediction) {
    Harness h({.example = "three-features"});
    keep_three(h);
    Scene scene = (*h.document().scenes)[1];
    scene.question = "What is doubled?";
    scene.options = {"μ", "γ {of d1}", ""};
    scene.right = 1;
    change_scene_words(h.state(), 1, scene);
    const std::string made = lesson_of_scenes(h.document(), "mine", h.state().examples);
    const auto lesson = read_lesson(made, "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().message << "\n" << made;
    ASSERT_TRUE(lesson->steps[1].predict);
    EXPECT_EQ(lesson->steps[1].predict->question, "What is doubled?");
    ASSERT_EQ(lesson->steps[1].predict->options.size(), 2u) << "an empty one is left out";
    EXPECT_TRUE(lesson->steps[1].predict->options[1].right);
    for (const std::string& problem : problems_of(*lesson)) ADD_FAILURE() << problem;
}

TEST(SceneLesson, ATypedNumberIsTheTeachersOwn) {
    Harness h({.example = "three-features"});
    keep_three(h);
    tell(h, 1, "Each block makes it 77.25 times as large. What helps?", "");
    Scene scene = (*h.document().scenes)[1];
    scene.name = "Exploding";
    scene.options = {"a factor of 0.33", "a norm"};
    scene.right = 1;
    change_scene_words(h.state(), 1, scene);
    const auto lesson =
        read_lesson(lesson_of_scenes(h.document(), "mine", h.state().examples), "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_NE(lesson->steps[1].text, lesson->steps[1].title);
    EXPECT_NE(lesson->steps[1].text, lesson->steps[1].predict->question);
    for (const std::string& problem : problems_of(*lesson)) ADD_FAILURE() << problem;
}

TEST(SceneLesson, OptionsWithoutARightOneLeaveTheQuestionInTheText) {
    Harness h({.example = "three-features"});
    keep_three(h);
    Scene scene = (*h.document().scenes)[1];
    scene.question = "What helps?";
    scene.options = {"a skip", "a norm"};
    change_scene_words(h.state(), 1, scene);
    const auto lesson =
        read_lesson(lesson_of_scenes(h.document(), "mine", h.state().examples), "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_FALSE(lesson->steps[1].predict);
    EXPECT_EQ(lesson->steps[1].text, "What helps?");
}

TEST(SceneLesson, IsWrittenFromTheMenu) {
    Harness h({.example = "three-features"});
    keep_three(h);
    LessonRecord before;
    before.answers[0].tries = {"a skip"};
    h.state().progress.set("a-lesson", before);
    h.state().defer(ask_export_lesson);
    h.settle();
    ASSERT_FALSE(h.state().dialogs.empty());
    const std::filesystem::path to = h.dir() / "a-lesson.json";
    h.type(to.string());
    h.frames(3);
    h.key_and_settle(Key::enter);
    const auto lesson = load_lesson(to);
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_EQ(lesson->id, "a-lesson");
    EXPECT_TRUE(h.state().progress.of("a-lesson").answers.empty()) << "they are of another lesson";
}

} // namespace
} // namespace normscope::testing
