#include "app/workspaces/gradient_flow/flow_view.h"
#include "tests/app/workspaces/gradient_flow/flow_harness.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(GradientFlowWorkspace, AStoryIsOneStepAndSaysWhatToSee) {
    FlowHarness h;
    const Document before = h.document();
    const FlowStory& story = flow_stories()[1];
    h.click(std::string(story.id));
    h.settle();
    EXPECT_EQ(told_story(h.setup()), &story);
    EXPECT_TRUE(h.has_text("Post-LN is flat"));
    EXPECT_FALSE(h.setup().pinned->empty());
    h.undo();
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.has_text("Post-LN is flat")) << "it is not told any more";
    EXPECT_TRUE(h.has_text("The band is the gradient"));
    h.key(Key::y, true);
    h.settle();
    EXPECT_TRUE(h.has_text("Post-LN is flat"));
    h.click("Post");
    h.settle();
    EXPECT_FALSE(h.has_text("Post-LN is flat"));
}

TEST(GradientFlowWorkspace, AStoryMovesAllBlocksAndStaysWhileItsSlidersMove) {
    FlowHarness h;
    h.click("one block");
    h.settle();
    h.click("same-beta");
    h.settle();
    EXPECT_FALSE(h.view().only_block);
    EXPECT_TRUE(h.has_widget("linked"));
    const LoggedWidget beta = h.widgets("track")[7];
    h.drag(beta.rect.center(), {beta.rect.x + 12, beta.rect.center().y});
    h.settle();
    EXPECT_LT(h.setup().stack.beta, -2);
    EXPECT_EQ(h.setup().pinned->front().stack.beta, h.setup().stack.beta);
    EXPECT_TRUE(h.setup().stack.block_affine.empty());
    EXPECT_TRUE(h.has_text("One β slider moves both"));
}

// However wide the parts of the river before it were.
TEST(GradientFlowWorkspace, AStoryFindsItsWidthAfresh) {
    for (const char* before : {"deepnorm", "residual-norm"}) {
        FlowHarness h;
        h.click(before);
        h.settle();
        h.click("same-beta");
        h.settle();
        EXPECT_TRUE(h.has_text("norm of each part, 0.0001 at the axis to 1")) << before;
    }
}

TEST(GradientFlowWorkspace, TheWidthStaysWhileTheSlidersOfAStoryMoveAndWhenItIsUndone) {
    FlowHarness h;
    h.click("same-beta");
    h.settle();
    const auto logarithmic = [&] { return !h.has_text("norm of each part, 0 at the axis"); };
    ASSERT_TRUE(logarithmic());
    const LoggedWidget beta = h.widgets("track")[7];
    h.drag(beta.rect.center(), {beta.rect.center().x + 3, beta.rect.center().y});
    h.settle();
    EXPECT_LT(std::abs(h.setup().stack.beta), 0.5);
    EXPECT_TRUE(logarithmic());
    h.undo();
    h.undo();
    EXPECT_EQ(told_story(h.setup()), nullptr);
    EXPECT_TRUE(logarithmic());
}

TEST(GradientFlowWorkspace, APredictionComesBeforeTheCurve) {
    FlowHarness h;
    h.click("predict");
    h.settle();
    EXPECT_TRUE(h.has_text("Gradient flowing")) << "only a story is hidden";
    EXPECT_TRUE(h.has_widget("blocks"));
    h.click("post-against-pre");
    h.settle();
    EXPECT_FALSE(h.has_widget("blocks"));
    EXPECT_TRUE(h.has_text("What do you expect?"));
    EXPECT_TRUE(h.has_text("Pre-LN FFN, 24 blocks. How large is its gradient"));
    const std::string flat(shape_label(ExpectedShape::flat));
    for (const char* end : {"1e-4", "1e4"}) EXPECT_TRUE(h.has_text(end));
    EXPECT_TRUE(h.has_text("gradient, against that at the top"));
    h.click(flat);
    h.settle();
    EXPECT_EQ(h.view().expected, ExpectedShape::flat);

    const LoggedWidget pen = h.widgets("pen")[0];
    h.drag({pen.rect.x + 5, pen.rect.y + 20}, {pen.rect.right() - 5, pen.rect.center().y});
    h.settle();
    EXPECT_FALSE(h.view().expected);
    EXPECT_GT(h.view().drawn.size(), 10u);
    h.click(flat);
    h.settle();
    EXPECT_TRUE(h.view().drawn.empty());
    h.click("reveal");
    h.settle();
    EXPECT_TRUE(h.has_widget("blocks"));
    EXPECT_TRUE(h.has_text("You expected: " + flat));
    EXPECT_TRUE(h.has_text("Measured:"));
    EXPECT_TRUE(h.has_text("‖∂L/∂x‖, against the top")) << "what was asked for";

    h.state().view.of<FlowView>().expected = ExpectedShape::vanishes;
    h.settle();
    EXPECT_FALSE(h.has_text("1e-12"));
    EXPECT_TRUE(h.has_text("expected, on to"));
}

TEST(GradientFlowWorkspace, LeavingAStoryWithAGuessNamesTheWayBack) {
    FlowHarness h;
    h.click("predict");
    h.settle();
    h.click("post-against-pre");
    h.settle();
    h.click("Flat");
    h.settle();
    const LoggedWidget gain = h.widgets("track")[3];
    h.drag(gain.rect.center(), {gain.rect.right() - 10, gain.rect.center().y});
    h.settle();
    ASSERT_EQ(told_story(h.setup()), nullptr);
    EXPECT_TRUE(h.has_text("This is no more the story that your guess is for: Ctrl+Z"));
    EXPECT_TRUE(h.has_text("so it is shown: Ctrl+Z brings the story"));
    h.undo();
    EXPECT_FALSE(h.has_widget("blocks")) << "hidden again";
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

// Where there is no room for all, the question and its answer come before the river.
TEST(GradientFlowWorkspace, TheQuestionIsSeenInASmallWindow) {
    FlowHarness h({.window = {1024, 768}});
    h.click("predict");
    h.settle();
    EXPECT_LT(h.widgets("blocks")[0].rect.y, h.widgets("chart")[0].rect.y) << "no story is told";
    h.click("post-against-pre");
    h.settle();
    EXPECT_LT(h.widgets("reveal")[0].rect.bottom(), 768);
    EXPECT_GT(h.widgets("pen")[0].rect.h, 100);
    h.click("Flat");
    h.settle();
    h.click("reveal");
    h.settle();
    EXPECT_LT(h.widgets("chart")[0].rect.bottom(), 768);
    EXPECT_LT(h.widgets("chart")[0].rect.y, h.widgets("blocks")[0].rect.y);
}

} // namespace
} // namespace normscope::testing
