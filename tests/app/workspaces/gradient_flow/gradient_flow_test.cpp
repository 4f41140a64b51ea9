#include "app/charts/number_format.h"
#include "app/study/gradient_flow/flow_runner.h"
#include "tests/app/workspaces/gradient_flow/flow_harness.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <string>
#include <vector>

namespace normscope::testing {
namespace {

TEST(GradientFlowWorkspace, OpensWithItsKeyAndMeasures) {
    FlowHarness h;
    EXPECT_EQ(h.workspace(), "gradient-flow");
    ASSERT_TRUE(h.studies().present);
    EXPECT_TRUE(h.studies().present->refined);
    EXPECT_TRUE(h.has("gradient-flow.river.blocks"));
    const double mean_length = h.studies().present->seeds.front().paths->mean_length();
    for (const std::string text : {"6 blocks", "FFN 6", "‖g0‖", "seeds 0 to 1"})
        EXPECT_TRUE(h.has_text(text)) << text;
    EXPECT_TRUE(h.has_text(fixed_text(mean_length, 2)));
}

TEST(GradientFlowWorkspace, AChoiceThatDoesNothingIsSpokenOf) {
    struct Choice {
        Placement placement;
        NormKind norm;
        Residual skip;
        bool places_none, enlarges_none;
    };
    FlowHarness h;
    StackConfig c = small_stack();
    for (const Choice& choice :
         {Choice{Placement::peri, NormKind::layer, Residual::add, false, false},
          Choice{Placement::peri, NormKind::none, Residual::add, true, false},
          Choice{Placement::deepnorm, NormKind::none, Residual::add, false, false},
          Choice{Placement::deepnorm, NormKind::none, Residual::no_skip, false, true}}) {
        c.placement = choice.placement;
        c.norm = choice.norm;
        c.skip = choice.skip;
        h.set(c);
        EXPECT_EQ(h.has_text("No norm to place"), choice.places_none) << stack_name(c);
        EXPECT_EQ(h.has_text("No skip to enlarge"), choice.enlarges_none) << stack_name(c);
    }
}

TEST(GradientFlowWorkspace, WhileItIsMeasuredNoFrameIsAskedForWithoutNews) {
    FlowHarness h;
    StackConfig large = small_stack(48);
    large.width = 64;
    large.sublayer = SublayerKind::encoder;
    Document d = h.document();
    d.flow.stack = large;
    d.flow.seeds = 6;
    h.become(std::move(d));
    h.frames(5);
    ASSERT_TRUE(h.app().working());
    EXPECT_FALSE(h.app().animating());
    h.settle();
    EXPECT_FALSE(h.app().working());
    EXPECT_EQ(h.studies().present->stack, large);
    EXPECT_TRUE(h.studies().present->refined);
}

TEST(GradientFlowWorkspace, EitherAddAndNormOfAnEncoderBlockOpens) {
    FlowHarness h;
    StackConfig c = small_stack(4);
    c.sublayer = SublayerKind::encoder;
    h.set(c);
    const Point middle = h.block_at(2);
    const float quarter = h.named("gradient-flow.river.blocks").rect.w / 16;
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
        h.key_and_settle(Key::n4);
    }
}

TEST(GradientFlowWorkspace, TheWidthIsLogarithmicWhereTheRangeNeedsItUnlessChosen) {
    FlowHarness h;
    h.unfold("river");
    EXPECT_EQ(h.width(), ScaleKind::linear);
    ASSERT_TRUE(h.state().apply_edits({TellStory{"vanishing"}}));
    h.settle();
    EXPECT_EQ(h.width(), ScaleKind::log);
    h.click_and_settle("gradient-flow.river.width.linear");
    EXPECT_EQ(h.view().width, ScaleKind::linear);
}

TEST(GradientFlowWorkspace, AStoryInWhichTheGradientVanishesBeginsOnALinearScale) {
    FlowHarness h;
    h.unfold("river");
    h.click_and_settle("gradient-flow.stories.vanishing");
    EXPECT_EQ(h.view().width, ScaleKind::linear);
    h.click_and_settle("gradient-flow.river.width.log");
    EXPECT_EQ(h.view().width, ScaleKind::log);
    h.click_and_settle("gradient-flow.stories.deepnorm");
    EXPECT_FALSE(h.view().width) << "the other stories choose by their numbers";
}

TEST(GradientFlowWorkspace, DraggingASliderChangesTheCurvesAsItGoes) {
    FlowHarness h;
    const Document before = h.document();
    const NamedPart blocks = h.named("gradient-flow.blocks");
    const float y = blocks.rect.center().y;
    h.move({blocks.rect.x + 20, y});
    h.press();
    for (const float x : {0.2f, 0.4f, 0.6f}) {
        h.move({blocks.rect.x + blocks.rect.w * x, y});
        h.frames(2); // what is fluid comes in this frame or the next
        ASSERT_NE(h.state().view.workspace, 0u);
        const int wanted = h.setup().stack.blocks;
        const auto shown = [&] { return h.studies().present->stack.blocks; };
        for (int i = 0; i < 2000 && shown() != wanted; ++i) h.frame();
        EXPECT_EQ(shown(), wanted);
    }
    h.release();
    h.settle();
    EXPECT_GT(h.setup().stack.blocks, 20);
    h.undo();
    EXPECT_EQ(h.document(), before);
}

TEST(GradientFlowWorkspace, HoverShowsABlocksNumbers) {
    FlowHarness h;
    h.move(h.block_at(3));
    h.frames(3);
    EXPECT_EQ(h.state().view.hover.block, 3);
    EXPECT_TRUE(h.tells_of_block(3));
    const StackStudy& study = *h.studies().present;
    const double angle = std::acos(study.seeds.front().flow.blocks[2].split.cosine);
    EXPECT_TRUE(h.has_text(fixed_text(angle * 180 / std::numbers::pi, 0) + "°"));
    EXPECT_TRUE(h.has_text(flow_norm_text(study.block_gain[2]))) << "of its Jacobian";
    EXPECT_TRUE(h.has_text("x₂: ")) << "in the chart";
    h.leave();
    EXPECT_FALSE(h.state().view.hover.block);
    EXPECT_FALSE(h.tells_of_block(3));
}

TEST(GradientFlowWorkspace, TheChartShowsTheInputAndTheOutputOfTheStackToo) {
    FlowHarness h;
    const Rect chart = h.named("gradient-flow.gradient-norms.chart").rect;
    const float y = chart.y + chart.h / 2;
    h.move({chart.x + 2, y});
    h.frames(3);
    EXPECT_TRUE(h.has_text("x₀: "));
    h.move({chart.right() - 2, y});
    h.frames(3);
    EXPECT_TRUE(h.has_text("x₆: "));
}

TEST(GradientFlowWorkspace, ArrowKeysWalkAlongTheBlocks) {
    FlowHarness h;
    h.unfold("river");
    h.click("gradient-flow.river.width.linear"); // the widget before the river
    h.leave();
    for (int i = 0; i < 3 && !h.view().block; ++i) {
        h.key(Key::tab);
        h.key_and_settle(Key::right);
    }
    EXPECT_EQ(h.view().block, 1);
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.view().block, 2);
    EXPECT_TRUE(h.tells_of_block(2));
    h.key_and_settle(Key::end);
    EXPECT_EQ(h.view().block, 6);
}

TEST(GradientFlowWorkspace, AChosenBlockIsLetGoOfByEscAndByAClickOnNothing) {
    FlowHarness h;
    h.unfold();
    const Rect river = h.named("gradient-flow.river.blocks").rect;
    const Rect tokens = h.named("gradient-flow.tokens").rect;
    const auto choose = [&] {
        h.state().view.of<FlowView>().block = 3;
        h.leave();
        EXPECT_TRUE(h.tells_of_block(3)) << "it is looked at without the mouse";
    };
    choose();
    h.key_and_settle(Key::escape);
    EXPECT_FALSE(h.view().block);
    EXPECT_FALSE(h.tells_of_block(3));
    choose();
    h.click_and_settle(Point{tokens.right() + 70, river.y + 20}); // between the panels
    EXPECT_FALSE(h.view().block);
    choose();
    h.click_and_settle(tokens.center());
    EXPECT_EQ(h.view().block, 3) << "a control is something";
}

TEST(GradientFlowWorkspace, AHintSaysThatAPressOpensTheBlock) {
    FlowHarness h;
    h.unfold();
    EXPECT_TRUE(h.has_text("Click a block to open its Add & Norm"));
    h.click_and_settle("gradient-flow.stack.affine-of.one");
    EXPECT_FALSE(h.has_text("Click a block to open its Add & Norm"));
    EXPECT_TRUE(h.has_text("Click a block to set its γ and β"));
    h.click_and_settle("gradient-flow.stories.predict");
    EXPECT_TRUE(h.has_text("Press a story: its curves stay hidden"));
}

TEST(GradientFlowWorkspace, ADoubleClickOnATrackTypesAndMovesNothing) {
    FlowHarness h;
    const Rect blocks = h.named("gradient-flow.blocks").rect;
    const Point far{blocks.right() - 20, blocks.center().y};
    for (const char* typed : {"", "many"}) {
        h.double_click(far);
        h.settle();
        EXPECT_EQ(h.setup().stack.blocks, 6) << typed;
        h.type(typed);
        h.key_and_settle(*typed ? Key::enter : Key::escape);
        EXPECT_EQ(h.setup().stack.blocks, 6) << typed;
        h.leave();
        h.frames(60);
    }
    h.double_click(far);
    h.settle();
    h.type("9");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.setup().stack.blocks, 9);
    h.frames(60);
    h.click_and_settle(far);
    EXPECT_GT(h.setup().stack.blocks, 70) << "one click moves it there";
}

TEST(GradientFlowWorkspace, ABlocksAddAndNormOpensWithItsOwnX) {
    FlowHarness h;
    const FlowSetup before = h.setup();
    const auto wanted = open_block(h.document(), {4});
    ASSERT_TRUE(wanted);
    h.click(h.block_at(4));
    for (int i = 0; i < 5000 && h.workspace() != "add-norm"; ++i) h.frame();
    h.settle();
    ASSERT_EQ(h.workspace(), "add-norm");
    EXPECT_EQ(h.document().x, wanted->x);
    EXPECT_EQ(h.setup(), before);
    h.key_and_settle(Key::n4);
    EXPECT_EQ(h.view().block, 4);
    h.undo();
    EXPECT_NE(h.document().x, wanted->x);
}

TEST(GradientFlowWorkspace, ABarLightsARouteOfItsLength) {
    FlowHarness h;
    const NamedPart bars = h.named("gradient-flow.path-lengths.lengths");
    const float w = bars.rect.w / 7; // 0 to 6
    h.click_and_settle(Point{bars.rect.x + 2.5f * w, bars.rect.center().y});
    EXPECT_EQ(h.view().path_length, 2);
    EXPECT_TRUE(h.has_text(share_text(15.0 / 64)));
    h.click_and_settle("gradient-flow.path-lengths.another-route");
    EXPECT_EQ(h.view().path_length, 2);
    EXPECT_EQ(h.view().route_seed, 1u);
    h.click_and_settle("gradient-flow.path-lengths.no-route");
    EXPECT_FALSE(h.view().path_length);
    h.click_and_settle(Point{bars.rect.x + 2.5f * w, bars.rect.center().y});
    h.click_and_settle(Point{bars.rect.x + 2.5f * w, bars.rect.center().y});
    EXPECT_FALSE(h.view().path_length);
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.view().path_length, 0);
}

TEST(GradientFlowWorkspace, OneBlocksGammaIsItsOwn) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.stack.affine-of.one");
    ASSERT_TRUE(h.view().only_block);
    const NamedPart gamma = h.named("gradient-flow.gamma");
    h.drag(gamma.rect.center(), {gamma.rect.x + 12, gamma.rect.center().y});
    h.settle();
    ASSERT_EQ(h.setup().stack.block_affine.size(), 1u);
    EXPECT_EQ(h.setup().stack.block_affine[0].block, 0);
    EXPECT_LT(h.setup().stack.block_affine[0].gamma, 0.5);
    EXPECT_EQ(h.setup().stack.gamma, 1);
    h.click_and_settle("gradient-flow.stack.affine-of.all");
    EXPECT_TRUE(h.has_text("mixed"));
    h.click_and_settle(gamma.rect.center(), 1);
    h.click_and_settle("gradient-flow.gamma.menu.reset"); // to 1, for all
    EXPECT_TRUE(h.setup().stack.block_affine.empty());
}

TEST(GradientFlowWorkspace, TheSlidersOfOneBlockFollowTheBlockOfTheRiver) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.stack.affine-of.one");
    EXPECT_EQ(h.view().only_block, 1);
    h.click_and_settle(h.block_at(4)); // chooses it, and opens nothing
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_EQ(h.view().block, 4);
    EXPECT_EQ(h.view().only_block, 4);
    const NamedPart gamma = h.named("gradient-flow.gamma");
    h.drag(gamma.rect.center(), {gamma.rect.x + 12, gamma.rect.center().y});
    h.settle();
    ASSERT_EQ(h.setup().stack.block_affine.size(), 1u);
    EXPECT_EQ(h.setup().stack.block_affine[0].block, 3);
}

TEST(GradientFlowWorkspace, TheQuantityIsOneThatTheStackHas) {
    FlowHarness h;
    h.unfold("gradient-norms");
    EXPECT_TRUE(h.has("gradient-flow.gradient-norms.quantity.w2"));
    EXPECT_FALSE(h.has("gradient-flow.gradient-norms.quantity.attention"));
    h.click_and_settle("gradient-flow.gradient-norms.quantity.w2");
    EXPECT_TRUE(h.has_text("‖∂L/∂W₂‖"));
    StackConfig linear = small_stack();
    linear.sublayer = SublayerKind::linear;
    h.set(linear);
    EXPECT_FALSE(h.has("gradient-flow.gradient-norms.quantity.w2"));
    EXPECT_FALSE(h.has_text("‖∂L/∂W₂‖")) << "another is there instead";
}

TEST(GradientFlowWorkspace, ParticlesAreOffUntilAskedForAndRestElsewhere) {
    FlowHarness h;
    h.unfold("river");
    EXPECT_FALSE(h.view().particles);
    h.click("gradient-flow.river.particles");
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
    h.click_and_settle("gradient-flow.river.particles");
    EXPECT_FALSE(h.app().animating());
}

TEST(GradientFlowWorkspace, AtRestNothingIsComputedOrDrawnAnew) {
    FlowHarness h;
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_EQ(h.draw_digest(), drawn);
    EXPECT_FALSE(h.app().animating());
}

// To move one block's γ nobody has to come back from another workspace.
TEST(GradientFlowWorkspace, OfOneBlockAClickChoosesAndADoubleClickOpens) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.stack.affine-of.one");
    h.click_and_settle(h.block_at(4));
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_FALSE(h.app().working());
    EXPECT_EQ(h.view().only_block, 4);
    const NamedPart gamma = h.named("gradient-flow.gamma");
    h.drag(gamma.rect.center(), {gamma.rect.right() - 4, gamma.rect.center().y});
    h.settle();
    ASSERT_EQ(h.setup().stack.block_affine.size(), 1u);
    EXPECT_EQ(h.setup().stack.block_affine[0].block, 3) << "counted from 0";
    h.double_click(h.block_at(2));
    for (int i = 0; i < 5000 && h.workspace() != "add-norm"; ++i) h.frame();
    EXPECT_EQ(h.workspace(), "add-norm");
    ASSERT_TRUE(h.state().view.came_from);
    EXPECT_EQ(h.state().view.came_from->part, "block 2");
}

TEST(GradientFlowWorkspace, EscStopsWhatTakesLongAndGoOnMeasuresTheRest) {
    FlowHarness h;
    StackConfig large = small_stack(96);
    large.width = 128;
    large.tokens = 64;
    Document d = h.document();
    d.flow.stack = large;
    d.flow.seeds = 32;
    h.become(std::move(d));
    const auto some = [&] { // until then the stack before stands there
        return h.has("gradient-flow.river.measuring") && h.studies().present->stack == large &&
               !h.studies().present->seeds.empty();
    };
    for (int i = 0; i < 20000 && !some(); ++i) h.frame();
    ASSERT_TRUE(some());
    h.key_and_settle(Key::escape);
    EXPECT_FALSE(h.app().working());
    EXPECT_TRUE(h.studies().stopped);
    const std::size_t done = h.studies().present->seeds.size();
    EXPECT_LT(done, 32u);
    EXPECT_TRUE(h.has_text(std::to_string(done) + " of 32"));
    h.click("gradient-flow.river.measuring");
    h.frames(3);
    EXPECT_TRUE(h.app().working());
    EXPECT_FALSE(h.studies().stopped);
    h.set(small_stack());
    EXPECT_TRUE(h.studies().present->refined);
    EXPECT_TRUE(h.has_text("seeds 0 to 1"));
}

TEST(GradientFlowWorkspace, ArrowsTakeTheFocusAlongWithTheChoice) {
    FlowHarness h;
    h.unfold();
    const auto press = [&](Key key) { h.key_and_settle(key); };
    h.click_and_settle("gradient-flow.sublayer.linear");
    // Across the lines, to the end and back.
    const std::vector<std::string> walk = {"tanh",    "relu",    "ffn",      "attention",
                                           "encoder", "encoder", "attention"};
    for (std::size_t i = 0; i < walk.size(); ++i) {
        press(i < 6 ? Key::right : Key::left);
        EXPECT_EQ(h.focused(), "gradient-flow.sublayer." + walk[i]) << i;
    }
    EXPECT_EQ(h.setup().stack.sublayer, SublayerKind::attention);
    EXPECT_TRUE(h.state().ui.focus_visible) << "one sees where the arrows are";
    h.click_and_settle("gradient-flow.norm.layer");
    press(Key::left);
    EXPECT_EQ(h.setup().stack.norm, NormKind::none);
    press(Key::right);
    press(Key::right);
    EXPECT_EQ(h.setup().stack.norm, NormKind::batch);
    EXPECT_EQ(h.focused(), "gradient-flow.norm.batch");
    press(Key::tab);
    EXPECT_EQ(h.focused(), "gradient-flow.placement.post") << "one stop a choice";
}

TEST(GradientFlowWorkspace, AButtonThatIsDisabledByItsPressKeepsItsPlaceForTab) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.compared.pin");
    h.undo(); // it can be pressed, and has the keyboard
    h.key_and_settle(Key::enter);
    ASSERT_EQ(h.setup().pinned->size(), 1u);
    EXPECT_EQ(h.focused(), "gradient-flow.compared.pin");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.setup().pinned->size(), 1u);
    h.key(Key::tab, false, true);
    EXPECT_EQ(h.focused(), "gradient-flow.compared.pin-0.remove") << "what stands before it";
}

TEST(GradientFlowWorkspace, TabBeginsWithTheFirstControl) {
    FlowHarness h;
    h.key(Key::tab);
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.setup().stack.blocks, 7);
    h.key_and_settle(Key::n1);
    h.key_and_settle(Key::n4);
    h.key(Key::tab);
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.setup().stack.blocks, 8);
}

} // namespace
} // namespace normscope::testing
