#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/user_files.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/menus/menus.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <fstream>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(FirstSteps, AnEmptyHomeOpensWithTheTextsTokenAndOnlyOnce) {
    Harness first({.example = "", .persist = true});
    EXPECT_EQ(first.document().feature_count(), 3);
    EXPECT_EQ(first.document().token_count(), 1);
    EXPECT_EQ(*first.document().gamma, std::vector<double>(3, 1.0));
    EXPECT_TRUE(first.has("first-steps.add"));
    EXPECT_TRUE(first.has_text("What becomes of Y?"));
    EXPECT_TRUE(first.document().transformer.weights) << "a Transformer that has learned something";
    Harness second({.example = "", .persist = true, .dir = first.dir()});
    EXPECT_FALSE(second.has("first-steps.add"));
    EXPECT_EQ(second.document().feature_count(), 6);
}

TEST(FirstSteps, TheWaysOnStandInOneRowInEveryLanguage) {
    for (const char* language : {"en", "de", "es"})
        for (const float width : {1600.0f, 1024.0f}) {
            Harness h(
                {.window = {width, 1000}, .example = "", .language = language, .persist = true});
            const Rect first = h.named("first-steps.lessons").rect,
                       last = h.named("first-steps.own-data").rect;
            EXPECT_EQ(first.y, last.y) << language << " " << width;
            EXPECT_LE(last.right(), width) << language << " " << width;
        }
}

TEST(FirstSteps, WhatIsAskedForSkipsThem) {
    Harness example({.example = "studying", .persist = true});
    EXPECT_FALSE(example.has("first-steps.add"));
    Harness picture({.example = "", .persist = false});
    EXPECT_FALSE(picture.has("first-steps.add"));
}

TEST(FirstSteps, TheDragAnswersTheQuestionByTheProgramsNumbersAndIsOneStepToUndo) {
    Harness h({.example = "", .persist = true});
    const Document began = h.document();
    const Rect slider = h.named("first-steps.add").rect;
    h.drag({slider.x + (slider.w - 70) / 2, slider.center().y},
           {slider.x + slider.w * 0.75f, slider.center().y});
    h.settle();
    const double added = (*h.document().x)(0, 0) - (*began.x)(0, 0);
    EXPECT_GT(added, 1);
    for (Index i = 0; i < 3; ++i)
        EXPECT_NEAR((*h.document().x)(0, i) - (*began.x)(0, i), added, 1e-12);
    EXPECT_TRUE(h.has_text("Y by 0.00")) << "the norm forgets it";
    h.key_and_settle(Key::z, true);
    EXPECT_EQ(h.document(), began);
    EXPECT_TRUE(h.has_text("What becomes of Y?")) << "nothing is added any more";
}

TEST(FirstSteps, TheStripIsOnlyWhereItsQuestionIs) {
    Harness h({.example = "", .persist = true});
    h.state().view.workspace = 4;
    h.settle();
    EXPECT_FALSE(h.has("first-steps.add")) << "another workspace";
    h.state().view.workspace = 0;
    ASSERT_TRUE(begin_lesson(h.state(), "shortcut"));
    h.settle();
    EXPECT_FALSE(h.has("first-steps.add")) << "a lesson asks its own question";
    h.click_and_settle("lesson.close");
    EXPECT_TRUE(h.has("first-steps.add"));
    h.state().apply_edits({SetCells{Input::x, 0, 1, Matrix<double>::Constant(1, 1, 9)}});
    h.settle();
    EXPECT_FALSE(h.has("first-steps.add"));
    EXPECT_TRUE(h.has_text("Undo leads back to the question"));
    open_example(h.state(), 0);
    h.settle();
    EXPECT_FALSE(h.has("first-steps")) << "another document";
}

TEST(FirstSteps, CloseTakesThemAwayAndHelpBringsThemBack) {
    Harness h({.example = "", .persist = true});
    h.click_and_settle("first-steps.close");
    EXPECT_FALSE(h.has("first-steps.add"));
    h.state().defer(show_first_steps);
    h.settle();
    EXPECT_TRUE(h.has("first-steps.add"));
    EXPECT_EQ(h.document().feature_count(), 3);
}

TEST(FirstSteps, WaysOnLeadToExamplesAndOwnData) {
    Harness h({.example = "", .persist = true});
    EXPECT_TRUE(h.has("first-steps.own-data"));
    h.click_and_settle("first-steps.example");
    EXPECT_TRUE(h.state().menu.is_open());
    EXPECT_EQ(h.state().menu.id, "example");
}

TEST(FirstSteps, FitIntoSmallWindows) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window, .example = "", .persist = true});
        const Rect strip = h.named("first-steps").rect;
        for (const std::string part : {"add", "example", "own-data", "close"}) {
            const Rect r = h.named("first-steps." + part).rect;
            EXPECT_TRUE(strip.contains({r.x, r.y})) << part;
            EXPECT_LE(r.right(), strip.right()) << part;
            EXPECT_LE(r.bottom(), strip.bottom()) << part;
        }
    }
}

TEST(FirstSteps, TheQuestionIsAskedWholeInOneLanguage) {
    for (const char* language : {"en", "de", "es"})
        for (const float scale : {1.0f, 2.0f}) {
            Harness h({.window = {1024, 768},
                       .scale = scale,
                       .example = "",
                       .language = language,
                       .persist = true});
            h.settle();
            std::string words;
            for (const LoggedText& t : h.log().texts)
                if (h.named("first-steps").rect.contains(t.rect.center())) words += t.text + " ";
            const std::string_view question =
                tr("Question: add the same number to every value of X. What becomes of Y?");
            EXPECT_NE(words.find(question), words.npos) << language << ": " << words;
        }
}

TEST(Preferences, AreKeptAndWhatIsNoneCountsAsEmpty) {
    const Harness home;
    Preferences written;
    written.load(home.dir() / "config");
    written.reduce_motion = true;
    written.keep();
    Preferences read;
    read.load(home.dir() / "config");
    EXPECT_TRUE(read.reduce_motion);
    EXPECT_FALSE(read.first_steps_shown);
    for (const char* broken : {"", "[]", "{\"reduce-motion\": 3}", "{"}) {
        std::ofstream(home.dir() / "config" / "preferences.json") << broken;
        Preferences none;
        none.load(home.dir() / "config");
        EXPECT_FALSE(none.reduce_motion) << broken;
    }
}

TEST(Preferences, LessMotionIsRememberedByTheNextStart) {
    Harness first({.persist = true});
    first.state().preferences.reduce_motion = true;
    first.state().preferences.keep();
    Harness second({.persist = true, .dir = first.dir()});
    EXPECT_TRUE(second.state().view.reduce_motion);
}

TEST(FirstSteps, ASmallDragIsAnsweredToo) {
    Harness h({.example = "", .persist = true});
    const Rect slider = h.named("first-steps.add").rect;
    h.click(slider.center());
    h.key(Key::left);
    h.settle();
    const Document& began = h.state().first_steps->began->document();
    const double added = (*h.document().x)(0, 0) - (*began.x)(0, 0);
    ASSERT_NE(added, 0);
    ASSERT_LT(std::abs(added), 1);
    EXPECT_TRUE(h.has_text("Y by 0.00"));
}

TEST(FirstSteps, LeaveASmallWindowToThePage) {
    Harness h({.window = {1024, 768}, .example = "", .persist = true});
    EXPECT_LE(h.named("first-steps").rect.h, 100);
}

} // namespace
} // namespace normscope::testing
