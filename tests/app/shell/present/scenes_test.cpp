// Scenes are kept, shown, moved, told and presented.
#include "app/shell/present/scenes.h"

#include "app/session/session_file.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/present/present.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// Two scenes: as the example is, and with γ of d1 at 2, in another workspace.
void keep_two(Harness& h) {
    h.key_and_settle(Key::k, true);
    h.state().apply_edits({SetParam{Param::gamma, 1, 1, 2}});
    h.state().view.workspace = *workspace_index("backward");
    h.settle();
    h.key_and_settle(Key::k, true);
}

void tell(Harness& h, std::size_t index, const std::string& name, const std::string& question,
          const std::string& notes) {
    Scene scene = (*h.document().scenes)[index];
    scene.name = name;
    scene.question = question;
    scene.notes = notes;
    change_scene_words(h.state(), index, scene);
    h.settle();
}

std::string names_of(const Document& d) {
    std::string names;
    for (const Scene& scene : *d.scenes) names += scene.name;
    return names;
}

TEST(Scenes, WhatWasKeptIsShownAgainByAClickAndTakenBackByUndo) {
    Harness h({.example = "three-features"});
    const Document before = h.document();
    keep_two(h);
    ASSERT_EQ(h.document().scenes->size(), 2u);
    EXPECT_TRUE((*h.document().scenes)[0].document.x.is(before.x)) << "no matrix is copied";
    h.click_and_settle("scenes.scene-1");
    EXPECT_EQ((*h.document().gamma)[1], 1);
    EXPECT_EQ(h.state().view.workspace, *workspace_index("add-norm"));
    h.key_and_settle(Key::n, true);
    EXPECT_EQ((*h.document().gamma)[1], 2);
    EXPECT_EQ(h.state().view.workspace, *workspace_index("backward"));
    h.key_and_settle(Key::p, true);
    EXPECT_EQ((*h.document().gamma)[1], 1);
    for (int i = 0; i < 6; ++i) h.key(Key::z, true);
    h.settle();
    EXPECT_EQ(h.document(), before);
}

TEST(Scenes, KeepHowTheWorkspaceWasLookedAt) {
    Harness h({.example = "three-features"});
    h.state().view.of<AddNormView>().curves = CurveStyle::histogram;
    h.state().view.of<AddNormView>().space.shown = true;
    h.settle();
    h.key_and_settle(Key::k, true);
    h.state().view.workspace = *workspace_index("gradient-flow");
    h.state().view.of<FlowView>().width = ScaleKind::log;
    h.settle();
    h.key_and_settle(Key::k, true);
    const Document saved = h.document();
    const auto read = read_session(write_session(saved), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, saved);
    h.state().view.of<FlowView>().width = ScaleKind::linear;
    h.state().view.of<AddNormView>().curves.reset();
    h.state().view.of<AddNormView>().space.shown = false;
    show_scene(h.state(), 1);
    h.settle();
    EXPECT_EQ(h.state().view.of<FlowView>().width, ScaleKind::log);
    show_scene(h.state(), 0);
    h.settle();
    EXPECT_EQ(h.state().view.of<AddNormView>().curves, CurveStyle::histogram);
    EXPECT_TRUE(h.state().view.of<AddNormView>().space.shown);
}

TEST(Scenes, KeepWhichFoldsAreOpen) {
    Harness h;
    h.state().view.workspace = *workspace_index("backward");
    h.state().view.of<BackwardView>().folds.ids = {"jacobian"};
    h.settle();
    h.key_and_settle(Key::k, true);
    h.state().view.of<BackwardView>().folds.ids = {"checks"};
    show_scene(h.state(), 0);
    h.settle();
    EXPECT_TRUE(h.state().view.of<BackwardView>().folds.has("jacobian"));
    EXPECT_FALSE(h.state().view.of<BackwardView>().folds.has("checks"));
}

TEST(Scenes, TheMessageNamesThePanelThatIsKept) {
    Harness h;
    h.move(h.center_of("add-norm.worked-steps"));
    h.key_and_settle(Key::k, true);
    EXPECT_EQ((*h.document().scenes)[0].panel, "worked-steps");
    const auto figures = workspace_table()[0].figures;
    const auto steps = std::ranges::find(figures, "worked-steps", &FigureEntry::id);
    EXPECT_NE(h.state().status.find(steps->label), std::string::npos) << h.state().status;
}

TEST(Scenes, ASceneWithoutAQuestionCountsNoHands) {
    Harness h({.example = "three-features"});
    h.key_and_settle(Key::k, true);
    h.key_and_settle(Key::f5);
    EXPECT_EQ(answers_of(h.state()), 0u);
    EXPECT_FALSE(h.has("presenter.hands-a"));
}

TEST(Scenes, AskWithOptionsAndTellTheRightOne) {
    Harness h({.example = "three-features"});
    h.key_and_settle(Key::k, true);
    ask_scene_words(h.state(), 0);
    h.settle();
    h.click("dialog.question");
    h.frames(2);
    h.type("What moves?");
    h.click("dialog.option-a");
    h.frames(2);
    h.type("the mean");
    h.click("dialog.option-b");
    h.frames(2);
    h.type("nothing");
    h.frames(2);
    h.click("dialog.option-b-right");
    h.frames(2);
    h.click_and_settle("dialog.take");
    const Scene& scene = (*h.document().scenes)[0];
    EXPECT_EQ(scene.options, (std::vector<std::string>{"the mean", "nothing"}));
    EXPECT_EQ(scene.right, 1u);
    h.key_and_settle(Key::f5);
    EXPECT_EQ(shown_slide(h.state()).kind, Slide::Kind::question);
    EXPECT_TRUE(h.has_text("nothing")) << "an option";
    EXPECT_EQ(answers_of(h.state()), 2u);
    h.key_and_settle(Key::b);
    EXPECT_EQ(h.state().present.hands[1], 1);
    EXPECT_FALSE(h.has_text("B ✓"));
    h.key_and_settle(Key::page_down);
    EXPECT_EQ(shown_slide(h.state()).kind, Slide::Kind::panel);
    h.key_and_settle(Key::r);
    EXPECT_EQ(shown_slide(h.state()).kind, Slide::Kind::answer);
    EXPECT_TRUE(h.has_text("B ✓"));
}

TEST(Scenes, AShortNameIsShown) {
    Harness h;
    h.key_and_settle(Key::k, true);
    tell(h, 0, "Shift", {}, {});
    EXPECT_TRUE(h.has_text("1 Shift"));
}

TEST(Scenes, AreMovedByKeyAndByDraggingAndRemoved) {
    Harness h;
    for (const char* name : {"a", "b", "c"}) {
        h.key_and_settle(Key::k, true);
        tell(h, h.document().scenes->size() - 1, name, {}, {});
    }
    h.click_and_settle("scenes.scene-1");
    h.key_and_settle(Key::right, true);
    EXPECT_EQ(names_of(h.document()), "bac");
    EXPECT_EQ(h.focused(), "scenes.scene-2") << "the keyboard goes with it";
    const Rect first = h.named("scenes.scene-1").rect;
    h.drag(h.center_of("scenes.scene-3"), {first.x + first.w / 4, first.center().y});
    h.settle();
    EXPECT_EQ(names_of(h.document()), "cba");
    h.click_and_settle("scenes.scene-2");
    h.key_and_settle(Key::del);
    EXPECT_EQ(names_of(h.document()), "ca");
    h.key_and_settle(Key::z, true);
    EXPECT_EQ(names_of(h.document()), "cba");
}

TEST(Scenes, NameQuestionAndNotesAreTyped) {
    Harness h;
    h.key_and_settle(Key::k, true);
    h.click_and_settle("scenes.scene-1");
    h.key_and_settle(Key::f2);
    h.type("twice");
    h.key(Key::tab);
    h.frames(3);
    h.type("What moves?");
    h.click("dialog.notes");
    h.frames(2);
    h.type("Wait.");
    h.key(Key::enter);
    h.type("Then ask.");
    h.frames(2);
    h.click_and_settle("dialog.take");
    const Scene& scene = (*h.document().scenes)[0];
    EXPECT_EQ(scene.name, "twice");
    EXPECT_EQ(scene.question, "What moves?");
    EXPECT_EQ(scene.notes, "Wait.\nThen ask.");
    h.key_and_settle(Key::z, true);
    EXPECT_EQ((*h.document().scenes)[0].name, "");
}

TEST(Scenes, GoToTheSessionAndComeBackFromIt) {
    Harness h({.example = "three-features"});
    keep_two(h);
    tell(h, 1, "twice", "What moves?", "Ask first.");
    const Document saved = h.document();
    const auto read = read_session(write_session(saved), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, saved);
}

TEST(Scenes, AnotherExampleKeepsThem) {
    Harness h;
    h.key_and_settle(Key::k, true);
    h.click_and_settle("bar.example");
    h.click_and_settle("menu.example.three-features");
    ASSERT_EQ(h.document().scenes->size(), 1u);
    EXPECT_EQ(h.document().feature_count(), 3);
    EXPECT_NE((*h.document().scenes)[0].document.x->size(), h.document().x->size());
    EXPECT_TRUE(h.state().files.left_unsaved.empty()) << "nothing of the first one is lost";
}

TEST(Scenes, OfALessonGoToTheOwnDocument) {
    Harness h;
    ASSERT_TRUE(begin_lesson(h.state(), "centre-and-size"));
    h.settle();
    const Document of_lesson = h.document();
    h.key_and_settle(Key::k, true);
    EXPECT_TRUE(h.document().scenes->empty());
    leave_lesson(h.state());
    h.settle();
    ASSERT_EQ(h.document().scenes->size(), 1u);
    EXPECT_EQ((*h.document().scenes)[0].document, of_lesson);
}

TEST(Scenes, AreSteppedThroughByTheClickerAndTheDocumentIsThereAgain) {
    Harness h({.example = "three-features"});
    keep_two(h);
    tell(h, 1, "twice", "What moves when one gamma is doubled?", {});
    h.state().apply_edits({SetParam{Param::beta, 0, 0, 5}});
    h.settle();
    const Document before = h.document();
    h.state().scene.reset();
    h.key_and_settle(Key::f5);
    EXPECT_EQ((*h.document().gamma)[1], 1) << "the first scene";
    EXPECT_EQ(shown_slide(h.state()).kind, Slide::Kind::panel) << "it asks nothing";
    h.key_and_settle(Key::page_down);
    EXPECT_EQ((*h.document().gamma)[1], 2);
    EXPECT_EQ(shown_slide(h.state()).kind, Slide::Kind::question);
    EXPECT_TRUE(h.has_text("What moves when"));
    h.key_and_settle(Key::page_down);
    EXPECT_EQ(shown_slide(h.state()).kind, Slide::Kind::panel);
    h.key_and_settle(Key::page_down); // there is no third one
    EXPECT_EQ(h.state().scene, 1u);
    h.key(Key::page_up);
    h.key_and_settle(Key::page_up);
    EXPECT_EQ((*h.document().gamma)[1], 1);
    h.key_and_settle(Key::escape);
    EXPECT_EQ(h.document(), before);
    EXPECT_EQ(h.state().view.workspace, *workspace_index("backward"));
}

TEST(Scenes, WhatWasDoneBeforeTheClassStays) {
    Harness h({.example = "three-features"});
    keep_two(h);
    h.state().scene.reset();
    h.key_and_settle(Key::f5);
    h.state().apply_edits({SetParam{Param::beta, 0, 0, 5}});
    h.settle();
    h.key_and_settle(Key::escape);
    EXPECT_EQ((*h.document().beta)[0], 5);
}

TEST(Scenes, TheStripFitsManyOfThemAndSmallWindows) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}, Size{640, 480}}) {
        Harness h({.window = window});
        for (int i = 0; i < 12; ++i) {
            h.key_and_settle(Key::k, true);
            tell(h, static_cast<std::size_t>(i), "a scene with a long name", "And a question?", {});
        }
        h.settle();
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << window.w;
        EXPECT_EQ(wrong_name(h.log()).value_or(""), "");
        EXPECT_TRUE(h.has("scenes.scene-12"));
    }
}

TEST(Scenes, WhatTheMenuSaysOfAPresentSceneHasItsNumber) {
    Harness h({.example = "three-features"});
    keep_two(h);
    const auto open_menu = [&] {
        h.click_and_settle("bar.view");
        h.move(h.center_of("menu.view.scenes"));
        h.settle();
    };
    open_menu();
    EXPECT_TRUE(h.has_text("Keep this state as scene 2 again"));
    EXPECT_TRUE(h.has_text("Remove scene 2"));
    h.state().menu = {};
    h.state().scene.reset();
    h.settle();
    open_menu();
    EXPECT_TRUE(h.has("menu.view.scenes.keep"));
    for (const char* const item : {"again", "words", "remove"})
        EXPECT_FALSE(h.has(std::string("menu.view.scenes.") + item)) << item;
}

TEST(Scenes, WithoutAnyNothingIsSeenOfThem) {
    Harness h;
    h.settle();
    EXPECT_FALSE(h.has("scenes"));
    h.state().scene_strip = true;
    h.settle();
    EXPECT_TRUE(h.has("scenes.keep"));
}

} // namespace
} // namespace normscope::testing
