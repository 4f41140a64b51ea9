#include "app/document/flow_block.h"
#include "app/workspaces/workspace_table.h"
#include "tests/ui/harness.h"
#include "tests/ui/layout_checks.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// A stack that is measured in a moment.
StackConfig small_stack(int blocks = 6) {
    StackConfig c;
    c.blocks = blocks;
    c.width = 16;
    c.tokens = 8;
    c.sublayer = SublayerKind::ffn;
    return c;
}

// The program in the Gradient flow workspace, by its key.
struct Flow : Harness {
    explicit Flow(Setup setup = {}) : Harness(std::move(setup)) {
        set(small_stack());
        key(Key::n4);
        settle();
    }
    void set(const StackConfig& stack) {
        Document d = document();
        d.flow.stack = stack;
        d.flow.seeds = 2;
        state().history.change(std::move(d), "test");
        settle();
    }
    const FlowSetup& setup() { return document().flow; }
    const FlowView& view() { return state().view.flow; }
    Point block_at(int block) {
        const LoggedWidget river = widgets("blocks")[0];
        const float w = river.rect.w / static_cast<float>(setup().stack.blocks);
        return {river.rect.x + (static_cast<float>(block) - 0.5f) * w, river.rect.center().y};
    }
    void undo() {
        key(Key::z, true);
        settle();
    }
    std::string workspace() { return std::string(workspace_table()[state().view.workspace].id); }
    // Presses on nothing, so that no widget has the mouse.
    void leave() {
        move({1, 1});
        frames(2);
    }
};

TEST(GradientFlowWorkspace, OpensWithItsKeyAndMeasures) {
    Flow h;
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_TRUE(h.has_text("Gradient flowing back through 6 blocks"));
    EXPECT_TRUE(h.has_text("FFN 6"));
    EXPECT_TRUE(h.has_text("‖g0‖"));
    EXPECT_TRUE(h.has_text("Mean length"));
    EXPECT_TRUE(h.has_text("Geometric mean over 2 seeds"));
}

TEST(GradientFlowWorkspace, AStackIsPinnedRestoredRenamedAndRemoved) {
    Flow h;
    const StackConfig first = h.setup().stack;
    h.click("pin");
    h.settle();
    ASSERT_EQ(h.setup().pinned->size(), 1u);
    EXPECT_EQ((*h.setup().pinned)[0].name, stack_name(first));

    h.click("Pre");
    h.settle();
    EXPECT_EQ(h.setup().stack.placement, Placement::pre);
    h.click("pinned");
    h.settle();
    EXPECT_EQ(h.setup().stack, first);
    h.undo();
    EXPECT_EQ(h.setup().stack.placement, Placement::pre);

    h.click("pinned"); // has the focus now
    h.settle();
    h.key(Key::f2);
    h.settle();
    h.type("The first");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.setup().pinned)[0].name, "The first");
    EXPECT_TRUE(h.has_text("The first"));

    h.click("shown");
    h.settle();
    EXPECT_FALSE((*h.setup().pinned)[0].shown);
    h.undo();
    EXPECT_TRUE((*h.setup().pinned)[0].shown);

    h.click("remove");
    h.settle();
    EXPECT_TRUE(h.setup().pinned->empty());
    h.undo();
    ASSERT_EQ(h.setup().pinned->size(), 1u);
    h.undo();
    EXPECT_EQ((*h.setup().pinned)[0].name, stack_name(first));
}

TEST(GradientFlowWorkspace, ADoubleClickRenamesAndDeleteRemoves) {
    Flow h;
    h.click("pin");
    h.settle();
    h.double_click(h.center_of("pinned"));
    h.settle();
    h.type("Twice");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.setup().pinned)[0].name, "Twice");
    h.click("pinned");
    h.settle();
    h.key(Key::del);
    h.settle();
    EXPECT_TRUE(h.setup().pinned->empty());
}

TEST(GradientFlowWorkspace, ADoubleClickRestoresNothing) {
    Flow h;
    h.click("pin");
    h.settle();
    h.click("Pre");
    h.settle();
    const Document before = h.document();
    h.double_click(h.center_of("pinned"));
    h.settle();
    EXPECT_TRUE(h.view().renaming);
    EXPECT_EQ(h.document(), before);
    h.type("Only its name");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.setup().stack.placement, Placement::pre);
    EXPECT_EQ((*h.setup().pinned)[0].name, "Only its name");
    // One click, after which its neighbour moves into its place, restores neither.
    h.click("pin");
    h.settle();
    const StackConfig present = h.setup().stack;
    h.click("pinned");
    h.click("remove");
    h.settle();
    EXPECT_EQ(h.setup().pinned->size(), 1u);
    EXPECT_EQ(h.setup().stack, present);
}

TEST(GradientFlowWorkspace, PinnedStacksThatAStoryHasNoRoomForAreSpokenOf) {
    Flow h;
    h.click("pin");
    h.settle();
    h.click("vanishing");
    h.settle();
    EXPECT_EQ(h.setup().pinned->size(), 2u);
    EXPECT_EQ(h.state().status, "");
    const Document before = h.document();
    h.click("same-beta");
    h.settle();
    EXPECT_EQ(h.setup().pinned->size(), 1u);
    EXPECT_TRUE(h.has_text("made room for “Same β, two fates”: Ctrl+Z brings it back"))
        << h.state().status;
    h.undo();
    EXPECT_EQ(h.document(), before);
}

TEST(GradientFlowWorkspace, AChoiceThatDoesNothingIsSpokenOf) {
    Flow h;
    StackConfig c = small_stack();
    c.placement = Placement::peri;
    h.set(c);
    EXPECT_FALSE(h.has_text("No norm to place"));
    c.norm = NormKind::none;
    h.set(c);
    EXPECT_TRUE(h.has_text("No norm to place"));
    c.placement = Placement::deepnorm;
    h.set(c);
    EXPECT_FALSE(h.has_text("No norm to place")) << "it enlarges the skip all the same";
    c.skip = Residual::no_skip;
    h.set(c);
    EXPECT_TRUE(h.has_text("No skip to enlarge"));
}

TEST(GradientFlowWorkspace, WhileItIsMeasuredNoFrameIsAskedForWithoutNews) {
    Flow h;
    StackConfig large = small_stack(48);
    large.width = 64;
    large.sublayer = SublayerKind::encoder;
    Document d = h.document();
    d.flow.stack = large;
    d.flow.seeds = 6;
    h.state().history.change(std::move(d), "test");
    h.frames(5);
    ASSERT_TRUE(h.app().working());
    EXPECT_FALSE(h.app().animating());
    h.settle();
    EXPECT_FALSE(h.app().working());
    EXPECT_TRUE(h.has_text("Mean length"));
}

TEST(GradientFlowWorkspace, EitherAddAndNormOfAnEncoderBlockOpens) {
    Flow h;
    StackConfig c = small_stack(4);
    c.sublayer = SublayerKind::encoder;
    h.set(c);
    const Point middle = h.block_at(2);
    const float quarter = h.widgets("blocks")[0].rect.w / 16;
    for (const OfBlock sublayer : {OfBlock::first_sublayer, OfBlock::last_sublayer}) {
        const auto wanted = open_block(h.document(), {2, sublayer});
        ASSERT_TRUE(wanted);
        const bool first = sublayer == OfBlock::first_sublayer;
        const Point at{middle.x + (first ? -quarter : quarter), middle.y};
        h.move(at);
        h.frames(2);
        EXPECT_TRUE(
            h.has_text(first ? "Click to open its attention's" : "Click to open its FFN's"));
        h.click(at);
        for (int i = 0; i < 5000 && h.workspace() != "add-norm"; ++i) h.frame();
        h.settle();
        ASSERT_EQ(h.workspace(), "add-norm");
        EXPECT_EQ(h.document().x, wanted->x);
        EXPECT_EQ(h.document().title, wanted->title);
        h.key(Key::n4);
        h.settle();
    }
}

// At every size the first screen holds the river and the controls that change it.
TEST(GradientFlowWorkspace, TheControlsStandBesideTheRiver) {
    for (const auto& [window, scale] :
         {std::pair(Size{1600, 1000}, 1.0f), std::pair(Size{1024, 768}, 1.0f),
          std::pair(Size{1600, 1000}, 1.5f), std::pair(Size{1600, 1000}, 2.5f),
          std::pair(Size{1024, 768}, 1.5f), std::pair(Size{3840, 2160}, 2.5f)}) {
        Flow h({.window = window, .scale = scale});
        const Rect river = h.widgets("blocks")[0].rect;
        const Rect blocks = h.widgets("track")[0].rect;
        EXPECT_LE(blocks.right(), river.x) << window.w << " at " << scale;
        EXPECT_LT(blocks.bottom(), window.h) << window.w << " at " << scale;
        EXPECT_LT(river.y, 0.75f * window.h) << window.w << " at " << scale;
    }
}

TEST(GradientFlowWorkspace, AMessageMakesNothingScroll) {
    Flow h;
    h.state().say("A sentence at the bottom of the window");
    h.settle();
    EXPECT_LE(h.state().content_height, 1000 - 46 - 32) << "between the bar and the message";
}

TEST(GradientFlowWorkspace, ALargeWindowIsFilled) {
    Flow h({.window = {3840, 2160}});
    EXPECT_GT(h.state().content_height, 2160 - 120);
}

TEST(GradientFlowWorkspace, SevenArePinnedAndNoMore) {
    Flow h;
    for (int i = 0; i < 9; ++i) {
        h.click("pin");
        h.settle();
    }
    EXPECT_EQ(h.setup().pinned->size(), k_most_pinned);
    EXPECT_EQ(h.widgets("pinned").size(), k_most_pinned);
}

TEST(GradientFlowWorkspace, AStoryIsOneStepAndSaysWhatToSee) {
    Flow h;
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
    Flow h;
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

TEST(GradientFlowWorkspace, TheWidthIsLogarithmicWhereTheRangeNeedsItUnlessChosen) {
    Flow h;
    EXPECT_TRUE(h.has_text("0 at the axis to"));
    h.click("vanishing");
    h.settle();
    EXPECT_FALSE(h.has_text("0 at the axis to"));
    h.click("linear");
    h.settle();
    EXPECT_EQ(h.view().width, ScaleKind::linear);
    EXPECT_TRUE(h.has_text("0 at the axis to"));
    h.click("vanishing"); // told anew
    h.settle();
    EXPECT_FALSE(h.has_text("0 at the axis to"));
}

TEST(GradientFlowWorkspace, DraggingASliderChangesTheCurvesAsItGoes) {
    Flow h;
    const Document before = h.document();
    const LoggedWidget blocks = h.widgets("track")[0];
    const float y = blocks.rect.center().y;
    h.move({blocks.rect.x + 20, y});
    h.press();
    for (const float x : {0.2f, 0.4f, 0.6f}) {
        h.move({blocks.rect.x + blocks.rect.w * x, y});
        h.frames(2); // what is fluid comes in this frame or the next
        ASSERT_NE(h.state().view.workspace, 0u);
        const int wanted = h.setup().stack.blocks;
        for (int i = 0; i < 2000; ++i) {
            if (h.has_text("through " + std::to_string(wanted) + " block")) break;
            h.frame();
        }
        EXPECT_TRUE(h.has_text("through " + std::to_string(wanted) + " block"));
    }
    h.release();
    h.settle();
    EXPECT_GT(h.setup().stack.blocks, 20);
    h.undo();
    EXPECT_EQ(h.document(), before);
}

TEST(GradientFlowWorkspace, HoverShowsABlocksNumbers) {
    Flow h;
    h.move(h.block_at(3));
    h.frames(3);
    EXPECT_EQ(h.state().view.hover.block, 3);
    EXPECT_TRUE(h.has_text("Block 3: ‖∂L/∂x₂‖ ="));
    EXPECT_TRUE(h.has_text("cosine"));
    EXPECT_TRUE(h.has_text("Jacobian"));
    EXPECT_TRUE(h.has_text("At the input of block 3"));
    h.leave();
    EXPECT_FALSE(h.state().view.hover.block);
    EXPECT_FALSE(h.has_text("Block 3: "));
}

TEST(GradientFlowWorkspace, ArrowKeysWalkAlongTheBlocks) {
    Flow h;
    h.click("linear"); // the widget before the river
    h.leave();
    for (int i = 0; i < 3 && !h.view().block; ++i) {
        h.key(Key::tab);
        h.key(Key::right);
        h.settle();
    }
    EXPECT_EQ(h.view().block, 1);
    h.key(Key::right);
    h.settle();
    EXPECT_EQ(h.view().block, 2);
    EXPECT_TRUE(h.has_text("Block 2: "));
    h.key(Key::end);
    h.settle();
    EXPECT_EQ(h.view().block, 6);
}

TEST(GradientFlowWorkspace, ABlocksAddAndNormOpensWithItsOwnX) {
    Flow h;
    const FlowSetup before = h.setup();
    const auto wanted = open_block(h.document(), {4});
    ASSERT_TRUE(wanted);
    h.click(h.block_at(4));
    for (int i = 0; i < 5000 && h.workspace() != "add-norm"; ++i) h.frame();
    h.settle();
    ASSERT_EQ(h.workspace(), "add-norm");
    EXPECT_EQ(h.document().x, wanted->x);
    EXPECT_EQ(h.setup(), before);
    h.key(Key::n4);
    h.settle();
    EXPECT_EQ(h.view().block, 4);
    h.undo();
    EXPECT_NE(h.document().x, wanted->x);
}

TEST(GradientFlowWorkspace, ABarLightsARouteOfItsLength) {
    Flow h;
    const LoggedWidget bars = h.widgets("lengths")[0];
    const float w = bars.rect.w / 7; // 0 to 6
    h.click(Point{bars.rect.x + 2.5f * w, bars.rect.center().y});
    h.settle();
    EXPECT_EQ(h.view().path_length, 2);
    EXPECT_TRUE(h.has_text("2 sublayers crossed"));
    h.click("another-route");
    h.settle();
    EXPECT_EQ(h.view().path_length, 2);
    EXPECT_EQ(h.view().route_seed, 1u);
    h.click("no-route");
    h.settle();
    EXPECT_FALSE(h.view().path_length);
    h.click(Point{bars.rect.x + 2.5f * w, bars.rect.center().y});
    h.settle();
    h.click(Point{bars.rect.x + 2.5f * w, bars.rect.center().y});
    h.settle();
    EXPECT_FALSE(h.view().path_length);
    h.key(Key::right);
    h.settle();
    EXPECT_EQ(h.view().path_length, 0);
}

TEST(GradientFlowWorkspace, OneBlocksGammaIsItsOwn) {
    Flow h;
    h.click("one block");
    h.settle();
    ASSERT_TRUE(h.view().only_block);
    // γ and β are the sliders before that of the seeds.
    const std::vector<LoggedWidget> tracks = h.widgets("track");
    const LoggedWidget gamma = tracks[6];
    h.drag(gamma.rect.center(), {gamma.rect.x + 12, gamma.rect.center().y});
    h.settle();
    ASSERT_EQ(h.setup().stack.block_affine.size(), 1u);
    EXPECT_EQ(h.setup().stack.block_affine[0].block, 0);
    EXPECT_LT(h.setup().stack.block_affine[0].gamma, 0.5);
    EXPECT_EQ(h.setup().stack.gamma, 1);
    h.click("all blocks");
    h.settle();
    EXPECT_TRUE(h.has_text("mixed"));
    h.click(gamma.rect.center(), 1); // right: back to 1, for all
    h.settle();
    EXPECT_TRUE(h.setup().stack.block_affine.empty());
}

TEST(GradientFlowWorkspace, TheSlidersOfOneBlockFollowTheBlockOfTheRiver) {
    Flow h;
    h.click("one block");
    h.settle();
    EXPECT_EQ(h.view().only_block, 1);
    h.click(h.block_at(4)); // opens it too
    for (int i = 0; i < 5000 && h.workspace() != "add-norm"; ++i) h.frame();
    h.key(Key::n4);
    h.settle();
    EXPECT_EQ(h.view().block, 4);
    EXPECT_EQ(h.view().only_block, 4);
    const LoggedWidget gamma = h.widgets("track")[6];
    h.drag(gamma.rect.center(), {gamma.rect.x + 12, gamma.rect.center().y});
    h.settle();
    ASSERT_EQ(h.setup().stack.block_affine.size(), 1u);
    EXPECT_EQ(h.setup().stack.block_affine[0].block, 3);
}

TEST(GradientFlowWorkspace, TheQuantityIsOneThatTheStackHas) {
    Flow h;
    EXPECT_TRUE(h.has_widget("W₂"));
    EXPECT_FALSE(h.has_widget("attention"));
    h.click("W₂");
    h.settle();
    EXPECT_TRUE(h.has_text("‖∂L/∂W₂‖"));
    StackConfig linear = small_stack();
    linear.sublayer = SublayerKind::linear;
    h.set(linear);
    EXPECT_FALSE(h.has_widget("W₂"));
    EXPECT_TRUE(h.has_text("‖∂L/∂x‖ at each block")) << "what is there instead";
}

TEST(GradientFlowWorkspace, APredictionComesBeforeTheCurve) {
    Flow h;
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
}

TEST(GradientFlowWorkspace, EveryKindOfStackIsShownOrSaysWhyNot) {
    Flow h;
    for (const SublayerKind sublayer :
         {SublayerKind::linear, SublayerKind::tanh, SublayerKind::relu, SublayerKind::ffn,
          SublayerKind::attention, SublayerKind::encoder})
        for (const Residual skip : {Residual::add, Residual::no_skip})
            for (const NormKind norm : {NormKind::none, NormKind::layer, NormKind::batch}) {
                StackConfig c = small_stack(5);
                c.sublayer = sublayer;
                c.skip = skip;
                c.norm = norm;
                h.set(c);
                EXPECT_TRUE(h.has_widget("blocks"));
            }
    StackConfig loud = small_stack(96); // overflows
    loud.sublayer = SublayerKind::linear;
    loud.norm = NormKind::none;
    loud.init.gain = 1e30;
    h.set(loud);
    EXPECT_TRUE(h.has_widget("blocks"));
    EXPECT_TRUE(h.has_text("From block"));
}

struct Screen {
    Size window;
    float scale;
};

// What fills the panels most: many blocks, seven pins with long names, a predicted story, a block
// in focus, a lit route.
TEST(GradientFlowWorkspace, NothingOverlapsHoweverMuchIsShown) {
    for (const Screen screen : {Screen{{1600, 1000}, 1}, Screen{{1024, 768}, 1},
                                Screen{{1024, 768}, 2.5f}, Screen{{1600, 1000}, 1.5f}}) {
        Flow h({.window = screen.window, .scale = screen.scale});
        const auto check = [&](const std::string& what) {
            h.settle();
            const std::string where =
                what + " at " + std::to_string(static_cast<int>(screen.window.w));
            EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << where;
            EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << where;
            EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale, !h.state().status.empty())
                          .value_or(""),
                      "")
                << where;
        };
        const auto scrolled = [&](const std::string& what) {
            check(what);
            for (int page = 0; page < 12; ++page) {
                ImGui::GetIO().MouseWheel = -8;
                h.move({screen.window.w - 4, screen.window.h / 2});
                check(what + ", scrolled");
            }
            ImGui::GetIO().MouseWheel = 1000;
            h.move({screen.window.w - 4, screen.window.h / 2});
            h.settle();
        };
        Document d = h.document();
        std::vector<PinnedStack> pins;
        for (std::size_t i = 0; i < k_most_pinned; ++i)
            pins.push_back({"A stack with a name that is longer than its row " + std::to_string(i),
                            small_stack(static_cast<int>(i) + 2), i != 3});
        d.flow.pinned = pins;
        d.flow.stack.skip = Residual::no_skip;
        h.state().history.change(d, "test");
        scrolled("no skip");
        d.flow.stack = small_stack(96);
        d.flow.stack.init.gain = 3;
        h.state().history.change(d, "test");
        h.state().view.flow.only_block = 96;
        h.state().view.flow.block = 48;
        h.state().view.flow.path_length = 30;
        h.state().view.flow.width = ScaleKind::log;
        scrolled("96 blocks");
        h.state().view.flow.quantity = FlowQuantity::w1;
        h.state().view.flow.only_block.reset();
        scrolled("parameters");
        d.flow = (*find_story("vanishing"))->setup();
        d.flow.linked_affine = true;
        d.flow.seeds = 1;
        h.state().history.change(d, "test");
        h.state().view.flow.predict = true;
        scrolled("prediction");
        h.state().view.flow.expected = ExpectedShape::vanishes;
        h.state().view.flow.revealed = true;
        h.state().view.flow.block.reset();
        scrolled("revealed");
        for (const FlowStory& story : flow_stories()) {
            d.flow = story.setup();
            h.state().history.change(d, "test");
            h.frames(3); // its words are there before its curves
            EXPECT_TRUE(h.has_text(std::string(story.says.substr(0, 12)))) << story.id;
            EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale, false).value_or(""), "")
                << story.id;
        }
        if (::testing::Test::HasFailure()) return; // the first one tells enough
    }
}

TEST(GradientFlowWorkspace, ParticlesAreOffUntilAskedForAndRestElsewhere) {
    Flow h;
    EXPECT_FALSE(h.view().particles);
    h.click("particles");
    h.frames(3);
    EXPECT_TRUE(h.view().particles);
    EXPECT_TRUE(h.app().animating());
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_NE(h.draw_digest(), drawn);
    h.key(Key::n1);
    h.settle(); // comes to rest
    EXPECT_FALSE(h.app().animating());
    h.key(Key::n4);
    h.frames(3);
    h.click("particles");
    h.settle();
    EXPECT_FALSE(h.app().animating());
}

TEST(GradientFlowWorkspace, AtRestNothingIsComputedOrDrawnAnew) {
    Flow h;
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_EQ(h.draw_digest(), drawn);
    EXPECT_FALSE(h.app().animating());
}

} // namespace
} // namespace normscope::testing
