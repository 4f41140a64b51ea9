#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/lessons/lesson_words.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

// The ways into a lesson, on to the next one, and out again.
namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

class LessonEnds : public ::testing::Test {
  protected:
    Harness h;

    const LessonPlayer& player() { return h.state().lesson->player; }
    void open_menu() { h.key_and_settle(Key::l, false, false, true); }
    // A copy of a lesson that comes with the program, as a lesson of one's own.
    fs::path own_lesson() {
        const fs::path file = h.dir() / "mine.json";
        fs::copy_file(fs::path(NORMSCOPE_ASSET_DIR) / "lessons/shortcut.json", file,
                      fs::copy_options::overwrite_existing);
        return file;
    }
};

TEST_F(LessonEnds, EnterChecksANumberAndThenGoesOn) {
    begin(h, "shortcut:1");
    h.click("lesson.number");
    h.type("5");
    h.key_and_settle(Key::enter);
    EXPECT_FALSE(player().asks());
    EXPECT_EQ(player().at(), 0u) << "the answer is read first";
    EXPECT_EQ(h.focused(), "lesson.next");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(player().at(), 1u);
}

TEST_F(LessonEnds, EnterChecksAChosenCardAndThenGoesOn) {
    begin(h, "shortcut:2");
    while (h.focused() != "lesson.choice-0") h.key(Key::tab);
    h.key_and_settle(Key::enter);
    EXPECT_EQ(player().option, 0u);
    EXPECT_TRUE(player().asks());
    h.key_and_settle(Key::enter);
    EXPECT_FALSE(player().asks());
    h.key_and_settle(Key::enter);
    EXPECT_EQ(player().at(), 2u);
}

TEST_F(LessonEnds, EnterDoesNotPassByATask) {
    begin(h, "shortcut:3");
    while (h.focused() != "lesson.choice-1") h.key(Key::tab);
    for (int i = 0; i < 5; ++i) h.key_and_settle(Key::enter);
    EXPECT_FALSE(player().asks());
    EXPECT_EQ(player().at(), 2u);
}

TEST_F(LessonEnds, AnOpenTaskIsSkippedBesideItsHintOnly) {
    begin(h, "shortcut:3");
    h.click("lesson.choice-0");
    h.click_and_settle("lesson.check");
    ASSERT_FALSE(player().complete());
    EXPECT_FALSE(h.named("lesson.next").enabled);
    h.key_and_settle(Key::right, false, false, true);
    EXPECT_EQ(player().at(), 2u);
    EXPECT_FALSE(h.named("lesson.skip").rect.overlaps(h.named("lesson.next").rect));
    h.click_and_settle("lesson.skip");
    EXPECT_EQ(player().at(), 3u);
    EXPECT_FALSE(player().complete(2));
}

TEST_F(LessonEnds, FinishNamesWhatIsNotDoneAndOffersTheNextLesson) {
    const std::size_t last = h.state().lessons[0].steps.size();
    begin(h, "shortcut:" + std::to_string(last));
    h.click("lesson.choice-0");
    h.click_and_settle("lesson.check");
    h.click_and_settle("lesson.next");
    EXPECT_TRUE(h.has("dialog.step-1")) << "its question is open";
    EXPECT_TRUE(h.has("dialog.step-" + std::to_string(last))) << "its task is not done";
    h.click_and_settle("dialog.step-1");
    EXPECT_EQ(player().at(), 0u);
    ASSERT_TRUE(go_to_step(h.state(), last - 1));
    h.settle();
    h.click_and_settle("lesson.next");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(player().lesson().id, h.state().lessons[1].id);
}

TEST_F(LessonEnds, TheNextLessonIsThatOfThePath) {
    open_menu();
    h.move(h.center_of("menu.lessons.path-15"));
    h.settle();
    h.click_and_settle("menu.lessons.path-15.shortcut");
    ASSERT_TRUE(h.state().lesson);
    ASSERT_TRUE(go_to_step(h.state(), player().lesson().steps.size() - 1));
    h.settle();
    h.click("lesson.choice-0");
    h.click_and_settle("lesson.check");
    h.click_and_settle("lesson.next");
    h.click_and_settle("dialog.next");
    EXPECT_EQ(player().lesson().id, "where-it-sits");
    EXPECT_EQ(h.state().lesson->path, 15);
}

TEST_F(LessonEnds, ThePathsTakeNoLongerThanTheySay) {
    for (const int path : {15, 45, 90}) {
        int minutes = 0;
        for (const Lesson& lesson : h.state().lessons)
            if (lesson.path > 0 && lesson.path <= path) minutes += lesson.minutes;
        EXPECT_LE(minutes, path);
        EXPECT_GE(minutes, path - 10);
    }
}

TEST_F(LessonEnds, ClosingALessonGivesBackTheViews) {
    h.resize({1024, 768});
    h.state().view.workspace = *workspace_index("gradient-flow");
    h.state().view.of<FlowView>().width = ScaleKind::linear;
    h.settle();
    h.state().view.workspace = *workspace_index("add-norm");
    h.state().view.pinned_token = 2;
    h.settle();
    h.state().scroll_by = 90;
    h.settle();
    const View before = h.state().view;
    const float at = h.named("add-norm.card-z").rect.y;
    begin(h, "gamma-and-beta:3");
    begin(h, "deep:5");
    EXPECT_EQ(h.state().view.of<FlowView>().width, std::nullopt)
        << "a lesson has a view of its own";
    h.state().view.of<FlowView>().width = ScaleKind::log;
    h.settle();
    h.click_and_settle("lesson.close");
    h.move({-1000, -1000});
    h.settle();
    EXPECT_EQ(h.state().view.workspace, before.workspace);
    EXPECT_EQ(h.state().view.pinned_token, before.pinned_token);
    EXPECT_EQ(h.state().view.of<FlowView>().width, ScaleKind::linear);
    EXPECT_EQ(h.named("add-norm.card-z").rect.y, at) << "scrolled as before";
}

TEST_F(LessonEnds, OpenAndDropTakeALessonsFile) {
    const fs::path file = own_lesson();
    const Document before = h.document();
    open_path(h.state(), file);
    h.settle();
    ASSERT_TRUE(h.state().lesson) << h.state().status;
    EXPECT_EQ(player().lesson().file, file);
    h.click_and_settle("lesson.close");
    EXPECT_EQ(h.document(), before);
    h.app().files_dropped({file.string()});
    h.settle();
    EXPECT_TRUE(h.state().lesson);
    EXPECT_TRUE(h.state().files.recent.paths().empty()) << "it is no document";
    h.click_and_settle("lesson.close");
    open_menu();
    EXPECT_TRUE(h.has("menu.lessons.open"));
    h.move(h.center_of("menu.lessons.recent"));
    h.settle();
    h.click_and_settle("menu.lessons.recent.0");
    EXPECT_TRUE(h.state().lesson);
}

TEST_F(LessonEnds, ALessonThatCannotBeReadSaysWhere) {
    const fs::path file = h.dir() / "broken.json";
    std::ofstream(file)
        << R"({"id": "broken", "version": 1, "title": "T", "question": "Q", "steps": []})";
    open_path(h.state(), file);
    h.settle();
    EXPECT_FALSE(h.state().lesson);
    EXPECT_NE(h.state().status.find("/steps"), std::string::npos) << h.state().status;
    open_path(h.state(), own_lesson(), OpenAs::x);
    h.settle();
    EXPECT_FALSE(h.state().lesson) << "it is no matrix";
}

} // namespace
} // namespace normscope::testing
