#include "app/language/language.h"
#include "app/lessons/panel.h"
#include "app/session/lesson/lesson.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"
#include "tests/app/shell/lessons/lesson_words.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// Without what a cover hides.
DrawLog uncovered(Harness& h) {
    DrawLog log = h.log();
    const LessonPlayer& player = h.state().lesson->player;
    const Rect panel = h.named("lesson").rect; // at the page's right, or below it
    for (const std::string& name : lesson_covers(player))
        if (const auto cover = lesson_target(log.parts, name))
            std::erase_if(log.texts, [&](const LoggedText& t) {
                const Rect both = intersect(t.rect, *cover);
                const bool on_page = t.rect.x < panel.x || t.rect.y < panel.y;
                return on_page && both.w > 0 && both.h > 0 && t.text != "?" &&
                       t.text != tr("Answer first");
            });
    return log;
}

class LessonRuns : public ::testing::Test {
  protected:
    Harness h;

    void begin(const std::string& id) {
        const auto begun = begin_lesson(h.state(), id);
        ASSERT_TRUE(begun) << begun.error().message;
        h.settle();
    }
    const LessonPlayer& player() { return h.state().lesson->player; }
    void set_f(const char* feature, const std::string& value) {
        const NamedPart cells = h.named("add-norm.card-f.cells");
        const auto at = std::ranges::find_if(h.log().texts, [&](const LoggedText& t) {
            return t.text == feature && t.rect.center().x > cells.rect.x;
        });
        const auto row = std::ranges::find(h.log().texts, "studying", &LoggedText::text);
        h.click(Point{at->rect.center().x, row->rect.center().y});
        h.type(value);
        h.key_and_settle(Key::enter);
    }
};

TEST_F(LessonRuns, TheMenuBeginsALesson) {
    h.key_and_settle(Key::l, false, false, true);
    EXPECT_EQ(h.state().menu.id, "lessons");
    EXPECT_TRUE(h.has("menu.lessons.shortcut"));
    h.key_and_settle(Key::enter);
    ASSERT_TRUE(h.state().lesson);
    EXPECT_EQ(player().lesson().id, h.state().lessons.front().id);
    EXPECT_TRUE(h.has("lesson"));
    EXPECT_TRUE(says(h, "step 1 of"));
}

// A control that is folded away comes back where a step rings it.
TEST_F(LessonRuns, ALessonUnfoldsTheControlThatItNeeds) {
    Lesson lesson = *find_lesson(h.state().lessons, "deep");
    LessonStep& step = lesson.steps[2];
    step.ring = {"gradient-flow.gain"};
    ASSERT_TRUE(begin_lesson(h.state(), lesson, 2));
    h.settle();
    EXPECT_TRUE(h.has("gradient-flow.gain"));
    leave_lesson(h.state());
    ASSERT_TRUE(begin_lesson(h.state(), "deep:3"));
    h.settle();
    EXPECT_FALSE(h.has("gradient-flow.gain")) << "the lesson as it is needs no such control";
}

TEST_F(LessonRuns, NothingIsShownBeforeItIsPredicted) {
    begin("shortcut:2");
    EXPECT_FALSE(h.named("lesson.next").enabled);
    EXPECT_FALSE(h.named("lesson.check").enabled);
    EXPECT_FALSE(h.named("add-norm.card-z.cells").enabled) << "it is covered";
    const auto names = std::ranges::find(h.log().texts, "d0", &LoggedText::text);
    const auto row = std::ranges::find(h.log().texts, "studying", &LoggedText::text);
    const Point cell_of_x{names->rect.center().x, row->rect.center().y};
    const auto strip_tells = [&] {
        h.move(cell_of_x);
        h.settle();
        return std::ranges::any_of(h.log().texts, [](const LoggedText& t) {
            return t.text == "studying, d0" && t.rect.y > 960;
        });
    };
    EXPECT_FALSE(strip_tells()) << "Z stands there too";
    h.click("lesson.choice-1"); // wrong
    h.click_and_settle("lesson.check");
    EXPECT_TRUE(says(h, "Not this."));
    EXPECT_TRUE(h.named("add-norm.card-z.cells").enabled);
    EXPECT_TRUE(strip_tells());
    EXPECT_TRUE(h.named("lesson.next").enabled) << "a wrong prediction leads on too";
    h.click("lesson.choice-0");
    h.click_and_settle("lesson.check");
    EXPECT_TRUE(says(h, "Right."));
    EXPECT_EQ(player().answer().tries.size(), 2u) << "the first answer is kept";
    EXPECT_EQ(player().score(), (std::pair<std::size_t, std::size_t>{0, 1}));
}

TEST_F(LessonRuns, ACoverLeavesNoEdgeOfAPartThatHasNoFrame) {
    begin("centre-and-size:4");
    const Color cover = theme(h.state().view.theme).panel;
    for (const char* name : {"add-norm.card-z.distribution", "add-norm.card-z.statistics"}) {
        const Rect r = h.named(name).rect;
        for (const Point corner : {Point{r.x, r.y}, Point{r.right(), r.bottom()}})
            EXPECT_FALSE(h.vertices(cover, Rect{corner.x - 1, corner.y - 1, 2, 2}).empty()) << name;
    }
}

TEST_F(LessonRuns, TheVeilCutsNoSignAtTheEdgeOfAShownCard) {
    begin("shortcut:3");
    const Color veil = theme(h.state().view.theme).background.with_alpha(0.66f);
    ASSERT_FALSE(h.vertices(veil, h.named("add-norm").rect).empty());
    for (const char* sign : {"add-norm.sign-1", "add-norm.sign-2"})
        EXPECT_TRUE(h.vertices(veil, h.named(sign).rect.inset(1)).empty()) << sign;
}

TEST_F(LessonRuns, ATaskIsDoneWhenTheProgramSaysSo) {
    begin("shortcut:3");
    EXPECT_FALSE(h.has("lesson.task"));
    h.click("lesson.choice-1");
    h.click_and_settle("lesson.check");
    ASSERT_TRUE(h.has("lesson.task"));
    h.click_and_settle("lesson.hint");
    EXPECT_TRUE(says(h, "Click a value"));
    for (const char* feature : {"d0", "d1", "d2"}) {
        EXPECT_FALSE(player().task_done());
        set_f(feature, "0");
    }
    EXPECT_TRUE(player().task_done());
    EXPECT_TRUE(h.has("lesson.principle"));
    undo(h.state());
    h.settle();
    EXPECT_NE((*h.document().f)(0, 2), 0) << "undo works inside a lesson";
    EXPECT_TRUE(player().task_done()) << "and what was done stays done";
}

TEST_F(LessonRuns, WhatAStepRevealsIsSaidWhileItsTaskHolds) {
    begin("shortcut:3");
    h.click("lesson.choice-1");
    h.click("lesson.check");
    h.settle();
    for (const char* feature : {"d0", "d1", "d2"}) set_f(feature, "0");
    EXPECT_TRUE(says(h, "That is"));
    EXPECT_TRUE(says(h, "again, digit by digit"));
    h.key(Key::z, true);
    h.settle();
    EXPECT_TRUE(player().task_done()) << "it was done";
    EXPECT_FALSE(says(h, "digit by digit"));
    EXPECT_TRUE(says(h, "Do it again"));
    h.key(Key::y, true);
    h.settle();
    EXPECT_TRUE(says(h, "again, digit by digit"));
}

TEST_F(LessonRuns, LeavingGivesBackTheDocumentThatStoodBefore) {
    h.double_click(h.center_of("add-norm.gamma.d1"));
    h.type("2.5");
    h.key_and_settle(Key::enter);
    h.state().view.workspace = 1;
    h.settle();
    const Document before = h.document();
    begin("gamma-and-beta");
    EXPECT_EQ(h.state().view.workspace, 0u);
    EXPECT_FALSE(h.state().history.can_undo()) << "the step has a history of its own";
    h.click_and_settle("lesson.close");
    EXPECT_FALSE(h.state().lesson);
    EXPECT_EQ(h.document(), before);
    EXPECT_EQ(h.state().view.workspace, 1u);
    EXPECT_TRUE(h.state().ui.locked.empty());
    undo(h.state());
    EXPECT_EQ((*h.document().gamma)[1], 1.4) << "with the steps that led to it";
}

TEST_F(LessonRuns, ALessonWhoseDocumentIsWrongDoesNotBegin) {
    const Document before = h.document();
    Lesson lesson = *find_lesson(h.state().lessons, "gamma-and-beta");
    lesson.steps[0].start->document = {{"eps", -1}};
    const auto begun = begin_lesson(h.state(), lesson, 0);
    ASSERT_FALSE(begun);
    EXPECT_NE(begun.error().message.find("/steps/0/start/document/eps"), std::string::npos);
    h.settle();
    EXPECT_FALSE(h.state().lesson);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LessonRuns, AnotherDocumentEndsTheLesson) {
    begin("shortcut");
    open_example(h.state(), 3);
    h.settle();
    EXPECT_FALSE(h.state().lesson);
    EXPECT_EQ(h.document().title, h.state().examples[3].title);
}

TEST_F(LessonRuns, TheKeyboardAloneGoesThroughAStep) {
    begin("shortcut:2");
    while (h.focused() != "lesson.choice-0") h.key(Key::tab);
    h.key(Key::down);
    h.key_and_settle(Key::down);
    EXPECT_EQ(player().option, 2u);
    h.key_and_settle(Key::enter, false, false, true);
    EXPECT_FALSE(player().asks());
    h.key_and_settle(Key::right, false, false, true);
    EXPECT_EQ(player().at(), 2u);
    h.key_and_settle(Key::left, false, false, true);
    EXPECT_EQ(player().at(), 1u);
    EXPECT_EQ(player().option, 2u) << "the answer is there again";
}

TEST_F(LessonRuns, LockedControlsTakeNoHand) {
    Lesson lesson = *find_lesson(h.state().lessons, "gamma-and-beta");
    lesson.steps[0].lock = {"add-norm.gamma"};
    ASSERT_TRUE(begin_lesson(h.state(), lesson));
    h.settle();
    const Document before = h.document();
    const Point locked = h.center_of("add-norm.gamma.d1");
    h.drag(locked, {locked.x, locked.y - 40});
    EXPECT_EQ(h.document(), before);
    for (int i = 0; i < 60; ++i) {
        h.key(Key::tab);
        EXPECT_FALSE(h.focused().starts_with("add-norm.gamma"));
    }
    const Point fader = h.center_of("add-norm.beta.d1");
    h.drag(fader, {fader.x, fader.y - 40});
    EXPECT_NE(h.document(), before) << "others do";
}

TEST_F(LessonRuns, AnotherWorkspaceHasAWayBack) {
    begin("gamma-and-beta");
    EXPECT_FALSE(h.has("lesson.to-workspace"));
    h.key_and_settle(Key::n3);
    h.click_and_settle("lesson.to-workspace");
    EXPECT_EQ(h.state().view.workspace, 0u);
}

TEST_F(LessonRuns, WhatIsRingedComesIntoSight) {
    h.resize({1024, 768});
    begin("gamma-and-beta:3");
    h.click("lesson.choice-0"); // what is asked about is in sight first
    h.click_and_settle("lesson.check");
    EXPECT_GT(h.named("add-norm.try.reset").in_sight().h, 20);
    begin("batch-of-one:4");
    EXPECT_GT(h.named("batch-vs-layer.sequences").in_sight().h, 560) << "at the page's end";
}

TEST(LessonKept, ProgressAndAnswersOutliveTheProgram) {
    const std::filesystem::path dir = std::filesystem::temp_directory_path() / "normscope-progress";
    std::filesystem::remove_all(dir);
    std::filesystem::create_directories(dir);
    {
        Harness h({.persist = true, .dir = dir});
        ASSERT_TRUE(begin_lesson(h.state(), "shortcut:2"));
        h.settle();
        h.click("lesson.choice-0");
        h.click("lesson.check");
        h.click_and_settle("lesson.next");
    }
    {
        Harness h({.persist = true, .dir = dir});
        ASSERT_TRUE(begin_lesson(h.state(), "shortcut"));
        h.settle();
        EXPECT_EQ(h.state().lesson->player.at(), 2u);
        EXPECT_EQ(h.state().lesson->player.score(), (std::pair<std::size_t, std::size_t>{1, 1}));
        h.state().menu = {};
        h.key_and_settle(Key::l, false, false, true);
        h.click_and_settle("menu.lessons.forget");
        EXPECT_FALSE(h.state().lesson);
    }
    Harness h({.persist = true, .dir = dir});
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut"));
    EXPECT_EQ(h.state().lesson->player.at(), 0u);
    std::filesystem::remove_all(dir);
}

TEST(LessonKept, ASessionKnowsItsPlaceInALesson) {
    const std::filesystem::path dir = std::filesystem::temp_directory_path() / "normscope-place";
    std::filesystem::remove_all(dir);
    std::filesystem::create_directories(dir);
    const std::filesystem::path file = dir / "a.normscope.json";
    {
        Harness h;
        ASSERT_TRUE(begin_lesson(h.state(), "gamma-and-beta:2"));
        h.settle();
        ASSERT_TRUE(h.state().apply_edits({SetParam{Param::beta, 0, 0, 0.75}}));
        h.save_to(file);
        h.settle();
    }
    Harness h;
    open_path(h.state(), file);
    h.settle();
    ASSERT_TRUE(h.state().lesson);
    EXPECT_EQ(h.state().lesson->player.at(), 1u);
    EXPECT_EQ((*h.document().beta)[0], 0.75);
    EXPECT_TRUE(h.state().history.saved());
    std::filesystem::remove_all(dir);
}

TEST(LessonFile, IsReadAgainWhenItChanges) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "normscope-lesson-changes.json";
    std::filesystem::copy_file(std::filesystem::path(NORMSCOPE_ASSET_DIR) / "lessons/shortcut.json",
                               file, std::filesystem::copy_options::overwrite_existing);
    Harness h;
    ASSERT_TRUE(begin_lesson(h.state(), file.string()));
    h.settle();
    const auto write = [&](const std::string& from, const std::string& to) {
        std::string text;
        {
            std::ifstream in(file);
            text.assign(std::istreambuf_iterator<char>(in), {});
        }
        text.replace(text.find(from), from.size(), to);
        std::ofstream(file) << text;
        h.settle();
    };
    write("One number in, one number out", "A first step of another name");
    EXPECT_TRUE(h.has_text("A first step of another name"));
    write("\"steps\"", "\"stepps\"");
    EXPECT_TRUE(h.has_text("A first step of another name")) << "the last one that could be read";
    EXPECT_TRUE(h.has_text("stepps")) << "and why";
    std::filesystem::remove(file);
}

struct LessonScreen {
    Size window;
    float scale;
    ThemeKind theme;
    std::string language = {}; // of the lessons that are translated
};

class LessonLayout : public ::testing::TestWithParam<LessonScreen> {};

TEST_P(LessonLayout, NothingOverlapsAndNothingIsCutInAnyStep) {
    const LessonScreen& screen = GetParam();
    Harness h({.window = screen.window,
               .scale = screen.scale,
               .theme = screen.theme,
               .language = screen.language});
    const auto check = [&](const std::string& what) {
        h.settle();
        EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << what;
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << what;
        EXPECT_EQ(overlapping_texts(uncovered(h)).value_or(""), "") << what;
    };
    std::vector<Lesson> lessons = h.state().lessons;
    ASSERT_GT(lessons.size(), 4u);
    if (!screen.language.empty()) lessons.resize(4);
    for (const Lesson& lesson : lessons)
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            ASSERT_TRUE(begin_lesson(h.state(), lesson, i));
            const std::string what = lesson.id + ", step " + std::to_string(i + 1);
            check(what);
            LessonPlayer& player = h.state().lesson->player;
            if (lesson.steps[i].predict) {
                player.option = player.number = 0;
                for (double& height : player.heights) height = lesson.steps[i].predict->axis.to;
                player.check();
                check(what + ", answered");
            }
            h.state().lesson->panel.folded = true; // where there is no room for both
            check(what + ", folded");
            h.state().lesson->panel.folded = false;
            if (::testing::Test::HasFailure()) return; // the first one tells enough
        }
}

INSTANTIATE_TEST_SUITE_P(Screens, LessonLayout,
                         ::testing::Values(LessonScreen{{1600, 1000}, 1, ThemeKind::light},
                                           LessonScreen{{1024, 768}, 2.5f, ThemeKind::light},
                                           LessonScreen{{1024, 768}, 1, ThemeKind::dark},
                                           LessonScreen{{1024, 768}, 1.5f, ThemeKind::contrast},
                                           LessonScreen{{1600, 1000}, 2.5f, ThemeKind::light},
                                           LessonScreen{{3840, 2160}, 2, ThemeKind::light},
                                           LessonScreen{{1600, 1000}, 1, ThemeKind::light, "de"},
                                           LessonScreen{{1024, 768}, 1, ThemeKind::light, "de"},
                                           LessonScreen{{1024, 768}, 2.5f, ThemeKind::light, "de"},
                                           LessonScreen{{1600, 1000}, 1, ThemeKind::light, "es"},
                                           LessonScreen{{1024, 768}, 1, ThemeKind::light, "es"},
                                           LessonScreen{{1024, 768}, 2.5f, ThemeKind::light, "es"}),
                         [](const auto& one) { return "screen_" + std::to_string(one.index); });

} // namespace
} // namespace normscope::testing
