// Learning in the Backward workspace: its runs, their ends and what is said of them.
#include "app/charts/number_format.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/backward/panels.h"
#include "tests/app/workspaces/backward/backwards.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(LearningPanel, ALossWithoutALowestPointIsLearnedUntilPaused) {
    for (const char* loss : {"backward.loss.sum", "backward.loss.one-entry"}) {
        Backwards h;
        h.choose(loss);
        Document d = h.document();
        d.backward.lr = k_most_learning_rate;
        h.show(d);
        h.click("backward.learn.run");
        h.frames(20);
        EXPECT_TRUE(h.state().view.running) << loss;
        EXPECT_LT(*h.backward().loss(), -1e3);
        h.click("backward.learn.run");
        h.settle();
        EXPECT_FALSE(h.state().view.running);
    }
}

TEST(LearningPanel, ALossFarBelowZeroGoesDownBySmallShares) {
    for (const char* loss : {"backward.loss.sum", "backward.loss.one-entry"}) {
        Backwards h;
        h.choose(loss);
        h.state().view.of<BackwardView>().learning_speed = 2000;
        h.click("backward.learn.run");
        while (h.state().view.running && h.document().backward.losses->size() < 300) h.frame();
        h.click("backward.learn.run");
        h.settle();
        ASSERT_LT(*h.backward().loss(), h.document().backward.losses->back());
        EXPECT_TRUE(h.has_text("has no lowest point")) << loss;
    }
}

TEST(LearningPanel, LearningSaysWhereEveryStepLeapsAcross) {
    Backwards h({.example = "backward-by-hand"});
    h.choose("backward.learn.toward-z");
    h.state().apply_edits({set<&BackwardSetup::lr>(1)});
    h.settle();
    h.choose("backward.learn.step");
    h.choose("backward.learn.step");
    ASSERT_NEAR(h.document().backward.losses->back(), *h.backward().loss(), 1e-9);
    EXPECT_TRUE(h.has_text("Every step leaps"));
    Document d = h.document();
    d.backward.lr = 0.5;
    h.become(d);
    h.choose("backward.learn.step");
    h.choose("backward.learn.step");
    EXPECT_FALSE(h.has_text("Every step leaps"));
}

TEST(LearningPanel, LearningSaysWhatTheStepDidNotWhatTheNextRateWouldDo) {
    Backwards h;
    h.choose("backward.learn.toward-normal");
    for (int i = 0; i < 3; ++i) h.choose("backward.learn.step");
    h.state().apply_edits({set<&BackwardSetup::lr>(100)});
    h.settle();
    EXPECT_FALSE(h.has_text("Every step leaps"));
    EXPECT_FALSE(h.has_text("took the loss up"));
    h.choose("backward.learn.step");
    EXPECT_TRUE(h.has_text("took the loss up") || h.has_text("runs away"));
    h.choose("backward.learn.restart");
    h.state().apply_edits({set<&BackwardSetup::lr>(3.7)});
    h.settle();
    for (int i = 0; i < 3; ++i) h.choose("backward.learn.step");
    ASSERT_GT(h.backward().loss().value(), h.document().backward.losses->back());
    EXPECT_TRUE(h.has_text("took the loss up"));
}

// This run once leapt for ever.
TEST(LearningPanel, TheWorkedExampleLearnsByItselfToItsLowestPoint) {
    Backwards h({.example = "backward-by-hand"});
    h.choose("backward.learn.toward-z");
    EXPECT_EQ(h.texts_in("backward.lr.value"), std::vector<std::string>{"0.5"});
    h.click("backward.learn.run");
    for (int i = 0; i < 600 && h.state().view.running; ++i) h.frame();
    EXPECT_FALSE(h.state().view.running);
    EXPECT_NEAR(*h.backward().loss(), 0, 1e-12);
}

TEST(LearningPanel, ATypedDyIsStepped) {
    Backwards h({.example = "backward-by-hand"});
    h.state().apply_edits({set<&BackwardSetup::lr>(1)});
    h.settle();
    const Document before = h.document();
    h.choose("backward.learn.step");
    EXPECT_NEAR((*h.document().gamma)[0], 1.5 - 0.364053, 1e-6);
    EXPECT_NEAR((*h.document().beta)[0], 0.3, 1e-12);
    h.choose("backward.learn.restart");
    EXPECT_EQ(h.document().gamma, before.gamma);
    EXPECT_FALSE(h.has("backward.learn.run"));
}

TEST(LearningPanel, TheWorkspaceThatIsLeftTakesNoMoreSteps) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    h.click("backward.learn.run");
    h.frames(3);
    replace_document(h.state(), blank_document(2, 3));
    h.settle();
    EXPECT_EQ(h.document(), blank_document(2, 3));
}

// A gradient that fell from 0.9 to 1e-9 is not drawn as tall as before.
TEST(LearningPanel, TheChartsOfTheParametersKeepTheirScale) {
    Backwards h;
    h.choose("backward.learn.toward-normal");
    const auto tallest = [&] {
        float top = 1e9f, bottom = -1e9f;
        const Rect bars = h.named("backward.parameters.gamma.bars").rect;
        const Color color = theme(ThemeKind::light).of(Stage::gamma).with_alpha(0.85f);
        for (const Point p : h.vertices(color, bars)) {
            top = std::min(top, p.y);
            bottom = std::max(bottom, p.y);
        }
        return bottom - top;
    };
    const float before = tallest();
    const double steepest = h.backward().dgamma().cwiseAbs().maxCoeff();
    ASSERT_GT(before, 10);
    while (h.backward().dgamma().cwiseAbs().maxCoeff() > steepest / 1000) {
        ASSERT_LT(h.document().backward.losses->size(), 5000u);
        ASSERT_TRUE(h.state().apply_edits({LearnSteps{100}}));
        h.settle();
    }
    EXPECT_LT(tallest(), before / 4);
}

TEST(LearningPanel, TabGoesOnWhereAButtonThatIsGoneStood) {
    Backwards h;
    for (int tries = 0; tries < 60; ++tries) {
        h.key(Key::tab);
        h.settle();
        if (h.state().ui.focus == h.named("backward.learn.toward-normal").id) break;
    }
    ASSERT_EQ(h.state().ui.focus, h.named("backward.learn.toward-normal").id);
    h.key(Key::enter);
    h.settle();
    ASSERT_FALSE(h.has("backward.learn.toward-normal"));
    const std::size_t at = h.state().ui.focus_at;
    h.key(Key::tab);
    h.settle();
    EXPECT_EQ(h.state().ui.focus_at, at);
}

TEST(LearningPanel, LearningFromANaNPointsAtItsCause) {
    Backwards h({.example = "nan-token"});
    h.choose("backward.learn.toward-z");
    ASSERT_TRUE(std::isnan(*h.backward().loss()));
    const std::string cause = h.backward().not_a_number()->cause + ".";
    EXPECT_TRUE(h.shows("learn", cause));
    h.choose("backward.learn.run");
    EXPECT_TRUE(h.shows("learn", cause)) << "the rate is not the cause";
}

TEST(LearningPanel, RestartTakesARunBackInOneStep) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    const Document before = h.document();
    h.choose("backward.learn.step");
    h.choose("backward.learn.step");
    const Document learned = h.document();
    ASSERT_NE(learned.gamma, before.gamma);
    h.choose("backward.learn.restart");
    EXPECT_EQ(h.document().gamma, before.gamma);
    EXPECT_EQ(h.document().beta, before.beta);
    EXPECT_TRUE(h.document().backward.losses->empty());
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), learned);

    // Restart leads there also when another target was chosen since.
    h.choose("backward.target.uniform");
    ASSERT_TRUE(h.document().backward.losses->empty());
    h.choose("backward.learn.restart");
    EXPECT_EQ(h.document().gamma, before.gamma);
    EXPECT_EQ(h.document().beta, before.beta);
}

TEST(LearningPanel, ARunOfLearningIsOneStepAndEndsByItself) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    EXPECT_EQ(h.document().backward.loss, LossKind::distance);
    EXPECT_TRUE(h.shows("learn", "least squares " + number_text(h.backward().best()->loss, 3)));
    const Document before = h.document();
    const double loss = *h.backward().loss();
    h.click("backward.learn.run");
    const std::size_t steps = h.document().backward.losses->size();
    h.frames(60); // a second
    EXPECT_NEAR(static_cast<double>(h.document().backward.losses->size() - steps), 20, 1);
    EXPECT_TRUE(h.state().view.running);
    EXPECT_TRUE(h.app().animating());
    EXPECT_LT(*h.backward().loss(), loss);
    h.click("backward.learn.run");
    h.settle();
    EXPECT_FALSE(h.state().view.running);
    EXPECT_FALSE(h.app().animating());
    EXPECT_GE(h.document().backward.losses->size(), 20u);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);

    h.click("backward.learn.speed");
    h.type("2000");
    h.key(Key::enter);
    EXPECT_EQ(h.state().view.of<BackwardView>().learning_speed, 2000);
    h.click("backward.learn.run");
    for (int i = 0; i < 3000 && h.state().view.running; ++i) h.frame();
    EXPECT_FALSE(h.state().view.running) << "nothing changes any more";
    EXPECT_NEAR(*h.backward().loss(), h.backward().best()->loss, 1e-5);
}

TEST(LearningPanel, UndoEndsARunAndRedoBringsItsStepsBack) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    const Document before = h.document();
    h.click("backward.learn.run");
    h.frames(40);
    ASSERT_TRUE(h.state().view.running);
    h.key(Key::z, true);
    EXPECT_FALSE(h.state().view.running);
    h.frames(5);
    EXPECT_EQ(h.document(), before) << "it does not go on from there";
    h.key(Key::y, true);
    EXPECT_GE(h.document().backward.losses->size(), 10u);
    EXPECT_FALSE(h.state().view.running);
}

TEST(LearningPanel, AFaderMovedByHandIsNoStep) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    for (int i = 0; i < 3; ++i) h.choose("backward.learn.step");
    EXPECT_FALSE(h.has_text("Dotted: set by hand"));
    ASSERT_TRUE(h.state().apply_edits({SetParam{Param::gamma, 0, 0, 9}}));
    h.settle();
    ASSERT_GT(*h.backward().loss(), 2 * h.document().backward.losses->back());
    EXPECT_FALSE(h.has_text("took the loss up"));
    EXPECT_TRUE(h.has_text("Dotted: set by hand"));
    h.choose("backward.learn.step");
    EXPECT_FALSE(h.has_text("Dotted: set by hand"));
}

TEST(LearningPanel, ARunWithTooLargeALearningRateEndsAndSaysWhy) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    ASSERT_TRUE(h.state().apply_edits({set<&BackwardSetup::lr>(50)}));
    h.settle();
    const std::vector<double> gamma = *h.document().gamma;
    h.click("backward.learn.run");
    h.settle();
    EXPECT_FALSE(h.state().view.running);
    const auto& losses = *h.document().backward.losses;
    ASSERT_GE(losses.size(), 2u);
    EXPECT_LT(losses.size(), 60u);
    EXPECT_LT(losses.back(), 1e6 * losses.front());
    EXPECT_TRUE(h.has_text("lr is too large"));
    h.key(Key::z, true);
    h.settle();
    EXPECT_EQ(*h.document().gamma, gamma);
}

TEST(LearningPanel, LearningEndsWhereItsPanelDoes) {
    Backwards h;
    h.choose("backward.learn.toward-z");
    h.click("backward.learn.run");
    h.frames(3);
    h.key(Key::n1);
    h.frames(3);
    EXPECT_FALSE(h.state().view.running);
}

} // namespace
} // namespace normscope::testing
