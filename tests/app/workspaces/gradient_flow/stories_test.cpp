#include "tests/app/workspaces/gradient_flow/flow_harness.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(GradientFlowWorkspace, AStoryIsOneStepAndSaysWhatToSee) {
    FlowHarness h;
    const Document before = h.document();
    const FlowStory& story = flow_stories()[1];
    h.click_and_settle("gradient-flow.stories." + std::string(story.id));
    EXPECT_EQ(told_story(h.setup()), &story);
    const auto told = [&] { return h.has_text(std::string(story.says)); };
    EXPECT_TRUE(told());
    EXPECT_FALSE(h.setup().pinned->empty());
    h.undo();
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(told());
    h.key_and_settle(Key::y, true);
    EXPECT_TRUE(told());
    h.click_and_settle("gradient-flow.placement.post");
    EXPECT_FALSE(told());
}

TEST(GradientFlowWorkspace, AStoryMovesAllBlocksAndStaysWhileItsSlidersMove) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.stack.affine-of.one");
    h.click_and_settle("gradient-flow.stories.same-beta");
    EXPECT_FALSE(h.view().only_block);
    EXPECT_TRUE(h.has("gradient-flow.linked-affine"));
    const NamedPart beta = h.named("gradient-flow.beta");
    h.drag(beta.rect.center(), {beta.rect.x + 12, beta.rect.center().y});
    h.settle();
    EXPECT_LT(h.setup().stack.beta, -2);
    EXPECT_EQ(h.setup().pinned->front().stack.beta, h.setup().stack.beta);
    EXPECT_TRUE(h.setup().stack.block_affine.empty());
    EXPECT_EQ(told_story(h.setup()), *find_story("same-beta"));
}

// However wide the parts of the river before it were.
TEST(GradientFlowWorkspace, AStoryFindsItsWidthAfresh) {
    for (const char* before : {"deepnorm", "residual-norm"}) {
        FlowHarness h;
        h.click_and_settle(std::string("gradient-flow.stories.") + before);
        h.click_and_settle("gradient-flow.stories.same-beta");
        EXPECT_EQ(h.width(), ScaleKind::log) << before;
        EXPECT_TRUE(h.has_text("0.0001")) << before;
    }
}

TEST(GradientFlowWorkspace, TheWidthStaysWhileTheSlidersOfAStoryMoveAndWhenItIsUndone) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.stories.same-beta");
    ASSERT_EQ(h.width(), ScaleKind::log);
    const NamedPart beta = h.named("gradient-flow.beta");
    h.drag(beta.rect.center(), {beta.rect.center().x + 3, beta.rect.center().y});
    h.settle();
    EXPECT_LT(std::abs(h.setup().stack.beta), 0.5);
    EXPECT_EQ(h.width(), ScaleKind::log);
    h.undo();
    h.undo();
    EXPECT_EQ(told_story(h.setup()), nullptr);
    EXPECT_EQ(h.width(), ScaleKind::log);
}

TEST(GradientFlowWorkspace, APredictionComesBeforeTheCurve) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.stories.predict");
    EXPECT_TRUE(h.has("gradient-flow.river.blocks")) << "only a story is hidden";
    h.click_and_settle("gradient-flow.stories.post-against-pre");
    EXPECT_FALSE(h.has("gradient-flow.river.blocks"));
    EXPECT_TRUE(h.has_text(stack_name(h.setup().stack) + ". " +
                           std::string(told_story(h.setup())->question)));
    for (const char* end : {"1e-4", "1e4"}) EXPECT_TRUE(h.has_text(end));
    EXPECT_TRUE(h.has_text("gradient, against that at the top"));
    h.click_and_settle("gradient-flow.gradient-norms.shape.flat");
    EXPECT_EQ(h.view().expected, ExpectedShape::flat);

    const NamedPart pen = h.named("gradient-flow.gradient-norms.pen");
    h.drag({pen.rect.x + 5, pen.rect.y + 20}, {pen.rect.right() - 5, pen.rect.center().y});
    h.settle();
    EXPECT_FALSE(h.view().expected);
    EXPECT_GT(h.view().drawn.size(), 10u);
    h.click_and_settle("gradient-flow.gradient-norms.shape.flat");
    EXPECT_TRUE(h.view().drawn.empty());
    h.click_and_settle("gradient-flow.gradient-norms.reveal");
    EXPECT_TRUE(h.has("gradient-flow.river.blocks"));
    const StackStudy& study = *h.studies().present;
    const std::string verdict = prediction_verdict(h.view(), study);
    EXPECT_TRUE(h.has_text(verdict));
    for (const ExpectedShape shape : {ExpectedShape::flat, *measured_shape(study)})
        EXPECT_NE(verdict.find(label_of(shape)), std::string::npos) << verdict;
    EXPECT_TRUE(h.has_text("‖∂L/∂x‖, against the top")) << "what was asked for";

    EXPECT_FALSE(h.has_text("1e-1"));
    h.state().view.of<FlowView>().expected = ExpectedShape::vanishes;
    h.settle();
    EXPECT_TRUE(h.has_text("1e-1")) << "the axis holds the guess whole, 1e-12";
}

TEST(GradientFlowWorkspace, LeavingAStoryWithAGuessNamesTheWayBack) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.stories.predict");
    h.click_and_settle("gradient-flow.stories.post-against-pre");
    h.click_and_settle("gradient-flow.gradient-norms.shape.flat");
    const NamedPart gain = h.named("gradient-flow.gain");
    h.drag(gain.rect.center(), {gain.rect.right() - 10, gain.rect.center().y});
    h.settle();
    ASSERT_EQ(told_story(h.setup()), nullptr);
    EXPECT_TRUE(leaves_a_guess(h.view(), h.setup()));
    EXPECT_NE(h.state().status.find("Ctrl+Z"), std::string::npos) << h.state().status;
    EXPECT_TRUE(h.has_text("Ctrl+Z brings the story"));
    h.undo();
    EXPECT_FALSE(h.has("gradient-flow.river.blocks")) << "hidden again";
    EXPECT_EQ(h.view().expected, ExpectedShape::flat);
}

TEST(GradientFlowWorkspace, WithoutASkipTheBandIsReadOtherwise) {
    FlowHarness h;
    EXPECT_TRUE(h.has_text("came down the skip"));
    StackConfig c = small_stack();
    c.skip = Residual::no_skip;
    h.set(c);
    EXPECT_FALSE(h.has_text("came down the skip"));
    EXPECT_TRUE(h.has_text("There is no skip"));
}

// In a small window the question and its answer come before the river.
TEST(GradientFlowWorkspace, TheQuestionIsSeenInASmallWindow) {
    FlowHarness h({.window = {1024, 768}});
    h.click_and_settle("gradient-flow.stories.predict");
    EXPECT_LT(h.named("gradient-flow.river.blocks").rect.y,
              h.named("gradient-flow.gradient-norms.chart").rect.y)
        << "no story is told";
    h.click_and_settle("gradient-flow.stories.post-against-pre");
    EXPECT_LT(h.named("gradient-flow.gradient-norms.reveal").rect.bottom(), 768);
    EXPECT_GT(h.named("gradient-flow.gradient-norms.pen").rect.h, 100);
    h.click_and_settle("gradient-flow.gradient-norms.shape.flat");
    h.click_and_settle("gradient-flow.gradient-norms.reveal");
    EXPECT_LT(h.named("gradient-flow.gradient-norms.chart").rect.bottom(), 768);
    EXPECT_LT(h.named("gradient-flow.gradient-norms.chart").rect.y,
              h.named("gradient-flow.river.blocks").rect.y);
}

TEST(GradientFlowWorkspace, NamesOfAStoryAreSaidInTheLanguageAndOwnNamesAreNot) {
    FlowHarness h({.language = "de"});
    h.click("gradient-flow.stories.batch-norm");
    h.settle();
    EXPECT_TRUE(h.has_text("Batch Norm im Zweig"));
    EXPECT_FALSE(h.has_text("Batch norm in the branch"));
    EXPECT_EQ(h.setup().pinned->front().name, "Batch norm in the branch") << "as sessions keep it";
    EXPECT_TRUE(h.has_text("Keine Norm")) << "what the present stack would be pinned as";
    ASSERT_TRUE(h.state().apply_edits({RenamePin{0, "Training"}}));
    h.settle();
    EXPECT_TRUE(h.has_text("Training"));
}

// One sees the river fill when the skip is switched on.
TEST(GradientFlowWorkspace, TheRiverBeforeTheLastChangeStaysAsAGhost) {
    FlowHarness h;
    StackConfig plain = small_stack();
    plain.skip = Residual::no_skip;
    h.set(plain);
    const auto ghost = [&] {
        const Color edge = theme(h.state().view.theme).ink_soft.with_alpha(0.6f);
        return !h.vertices(edge, h.named("gradient-flow.river.blocks").rect).empty();
    };
    EXPECT_FALSE(ghost());
    h.click_and_settle("gradient-flow.skip.add");
    EXPECT_TRUE(ghost());
    h.undo();
    EXPECT_FALSE(ghost());
    h.click_and_settle("gradient-flow.stories.vanishing");
    EXPECT_FALSE(ghost()) << "a story begins afresh";
}

TEST(FlowRiver, ALogarithmicWidthSaysThatItIsNoShare) {
    FlowHarness h;
    h.unfold("river");
    EXPECT_FALSE(h.has_text("logarithmic, "));
    h.click_and_settle("gradient-flow.river.width.log");
    EXPECT_TRUE(h.has_text("logarithmic, "));
}

} // namespace
} // namespace normscope::testing
