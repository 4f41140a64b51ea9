#include "app/io/file.h"
#include "app/lessons/player.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/spoken.h"
#include "app/shell/lessons/hand.h"
#include "app/shell/menus/menus.h"
#include "tests/app/shell/lessons/attacks.h"
#include "tests/app/shell/lessons/lesson_words.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <imgui.h>
#include <map>

// “Show me” in the window: whatever a solution does, the person's own stays as it is.
namespace normscope::testing {
namespace {

namespace fs = std::filesystem;

// The files of a folder and what is in them.
std::map<fs::path, std::string> files_in(const fs::path& folder) {
    std::map<fs::path, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) all[entry.path()] = read_file(entry.path()).value_or("");
    return all;
}

class ShowMe : public ::testing::TestWithParam<Attack> {
  protected:
    Harness h{{.persist = true}};

    void change(const std::string& fader) {
        const Point middle = h.center_of("add-norm.gamma." + fader);
        h.drag(middle, {middle.x, middle.y - 20});
    }
    // A saved file, a document that was left unsaved, another one with changes, an answer.
    void SetUp() override {
        h.state().view.reduce_motion = true; // so that nobody waits
        change("d1");
        h.save_to(h.dir() / ("a-sentence-with-and" + std::string(k_session_suffix)));
        std::ofstream(h.dir() / "precious.csv") << "1,2\n3,4\n";
        change("d2");
        h.click_and_settle("bar.example");
        h.click_and_settle("menu.example.evenly-spaced");
        change("d1");
        LessonRecord answered;
        answered.step = 2;
        h.state().progress.set("shortcut", answered);
        ImGui::SetClipboardText("mine");
    }
    void show(const Attack& attack) {
        const fs::path file = h.dir() / "attack.json";
        std::ofstream(file) << lesson_of(attack);
        begin(h, file.string());
        ask_to_show(h);
        h.settle();
    }
    // A solution that saves a file, until its hand moves.
    void begin_to_show() {
        const fs::path file = h.dir() / "attack.json";
        std::ofstream(file) << lesson_of(k_attacks[0]);
        begin(h, file.string());
        ask_to_show(h);
        frames_until(h, [&] { return h.state().outside.is_imagined(); });
    }
};

TEST_P(ShowMe, LeavesThePersonsOwnAsItIs) {
    const Document mine = h.document();
    const auto kept = h.state().history.kept();
    const KeptFile kept_as = *kept;
    const auto recent = h.state().files.recent.paths();
    std::ofstream(h.dir() / "attack.json") << lesson_of(GetParam());
    h.app().keep_unsaved_work();
    auto before = files_in(h.dir());
    const View looked = h.state().view;
    const std::string language = h.state().language;
    const std::string_view spoken = spoken_language().id;
    const bool at_root = fs::exists("/a-sentence-with-and.normscope.json");

    show(GetParam());
    EXPECT_FALSE(h.app().wants_quit());
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_FALSE(h.state().outside.is_imagined());
    if (GetParam().deed) {
        EXPECT_TRUE(h.state().lesson->player.task_done()) << h.state().status;
    }
    EXPECT_EQ(h.state().view.theme, looked.theme);
    EXPECT_EQ(h.state().view.ui_scale, looked.ui_scale);
    EXPECT_EQ(h.state().view.reduce_motion, looked.reduce_motion);
    EXPECT_EQ(h.state().language, language);
    EXPECT_EQ(spoken_language().id, spoken);
    leave_lesson(h.state());
    h.settle();
    EXPECT_EQ(h.document(), mine);
    EXPECT_EQ(h.state().history.kept(), kept);
    EXPECT_EQ(kept->path, kept_as.path);
    EXPECT_EQ(kept->saved, kept_as.saved);
    EXPECT_FALSE(h.state().history.saved());
    EXPECT_EQ(h.state().files.left_unsaved.size(), 1u);
    EXPECT_EQ(h.state().files.recent.paths(), recent);
    EXPECT_EQ(h.state().progress.of("shortcut").step, 2u);
    EXPECT_STREQ(ImGui::GetClipboardText(), "mine");
    h.app().keep_unsaved_work();
    auto after = files_in(h.dir());
    for (auto* files : {&before, &after}) // the answers to the lesson itself are kept
        files->erase(h.dir() / "state" / "lessons.json");
    EXPECT_EQ(after, before);
    EXPECT_EQ(fs::exists("/a-sentence-with-and.normscope.json"), at_root);
}

INSTANTIATE_TEST_SUITE_P(Attacks, ShowMe, ::testing::ValuesIn(k_attacks),
                         [](const auto& one) { return one.param.name; });

class ShownActs : public ShowMe {};

TEST_F(ShownActs, SayThatNothingWasWritten) {
    show(k_attacks[0]);
    EXPECT_TRUE(h.has_text("Shown only: a lesson's solution does not write"));
}

TEST_F(ShownActs, SayThatASolutionDoesNotQuit) {
    h.key_and_settle(Key::z, true); // nothing here is unsaved
    h.state().files.left_unsaved.clear();
    show({"Quit", R"([{"click": "bar.file"}, {"click": "menu.file.quit"}])"});
    EXPECT_FALSE(h.app().wants_quit());
    EXPECT_TRUE(h.has_text("a lesson's solution does not quit the program"));
}

TEST_F(ShownActs, SayInTheLanguageThatASolutionDoesNotQuit) {
    h.key_and_settle(Key::z, true); // nothing here is unsaved
    h.state().files.left_unsaved.clear();
    h.state().language = "de";
    use_language(h.state());
    show({"Quit", R"([{"click": "bar.file"}, {"click": "menu.file.quit"}])"});
    EXPECT_EQ(h.state().status,
              "„Zeigen“ endet hier: die Lösung einer Lektion beendet das Programm nicht");
}

// The document that waits has a file, so that nothing is asked.
TEST_F(ShownActs, SaveNothingWhereASolutionSavesAll) {
    const fs::path file = h.dir() / ("own" + std::string(k_session_suffix));
    h.save_to(file);
    h.settle();
    const std::string saved = *read_file(file);
    change("d3");
    show({"SaveAll", R"([{"click": "bar.file"}, {"click": "menu.file.quit"},
                         {"click": "dialog.save"}])",
          "session-saved"});
    EXPECT_FALSE(h.app().wants_quit());
    EXPECT_EQ(*read_file(file), saved);
    EXPECT_EQ(unsaved_work(h.state()).size(), 2u);
}

// The answers stay where a solution begins the lesson anew.
TEST_F(ShownActs, DoNotForgetTheAnswersOfTheLesson) {
    LessonRecord answered;
    answered.step = 1;
    answered.finished = true;
    h.state().progress.set("shortcut", answered);
    show({"Again", R"([{"click": "bar.lessons"}, {"click": "menu.lessons.shortcut"}])"});
    EXPECT_FALSE(h.state().lesson);
    EXPECT_TRUE(h.state().progress.of("shortcut").finished);
}

TEST_F(ShownActs, AreOverWhenThePersonClosesTheWindowOrDropsAFile) {
    begin_to_show();
    h.app().request_quit();
    h.settle();
    EXPECT_TRUE(says(h, "2 documents have changes that are not saved."));
    h.key_and_settle(Key::escape);
    ASSERT_TRUE(h.state().lesson) << "the lesson goes on";
    leave_lesson(h.state());
    begin_to_show();
    h.app().files_dropped({(h.dir() / "precious.csv").string()});
    h.settle();
    EXPECT_EQ(h.document().token_count(), 2) << "it is opened";
}

TEST_F(ShownActs, AreOverBeforeAKeyOfThePersonIsHeard) {
    const auto menu_opened = [&] { return h.state().menu.is_open(); }; // by the hand
    begin_to_show();
    frames_until(h, menu_opened);
    h.key_and_settle(Key::q, true);
    EXPECT_FALSE(h.state().lesson->show);
    EXPECT_TRUE(says(h, "2 documents have changes that are not saved."));
    EXPECT_FALSE(h.has_text("does not quit the program"));
    h.key_and_settle(Key::escape);
    leave_lesson(h.state());

    const fs::path file = h.dir() / ("a-sentence-with-and" + std::string(k_session_suffix));
    const std::string saved = *read_file(file);
    begin_to_show();
    frames_until(h, menu_opened);
    h.key_and_settle(Key::s, true);
    EXPECT_FALSE(h.state().outside.is_imagined());
    ASSERT_EQ(h.state().dialogs.size(), 1u) << "a name is needed";
    for (int i = 0; i < 2; ++i) h.key_and_settle(Key::enter); // the name; replace it
    EXPECT_TRUE(h.state().dialogs.empty());
    EXPECT_NE(*read_file(file), saved) << "it is written";
}

TEST_F(ShownActs, AreOverBeforeAClickOfThePersonIsHeard) {
    for (const int button : {0, 1}) {
        begin_to_show();
        frames_until(h, [&] { return h.state().menu.is_open(); });
        const Point page = h.named("add-norm").rect.center();
        h.move(page);
        h.frames(2);
        EXPECT_TRUE(h.state().lesson->show) << "a mouse that moves ends nothing";
        h.press(button);
        EXPECT_FALSE(h.state().lesson->show);
        EXPECT_FALSE(h.state().outside.is_imagined());
        EXPECT_NEAR(ImGui::GetMousePos().x, page.x, 1) << "the mouse is the person's again";
        h.release(button);
        h.settle();
        leave_lesson(h.state());
    }
}

// The figure is drawn in the next frame; the person closes the lesson before.
TEST_F(ShownActs, ThatAreStillBeingDoneEndWithTheLesson) {
    const Attack* figure =
        std::ranges::find(k_attacks, std::string_view("ExportsAFigure"),
                          [](const Attack& a) { return std::string_view(a.name); });
    const fs::path file = h.dir() / "attack.json";
    std::ofstream(file) << lesson_of(*figure);
    begin(h, file.string());
    ask_to_show(h);
    frames_until(h, [&] { return !h.state().files.waiting.empty(); });
    leave_lesson(h.state());
    h.settle();
    for (const auto& [path, bytes] : files_in(h.dir())) EXPECT_NE(path.extension(), ".png");
}

} // namespace
} // namespace normscope::testing
