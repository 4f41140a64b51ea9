#include "tests/app/shell/layout_checks.h"
#include "tests/app/workspaces/gradient_flow/flow_harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// At every size the first screen holds the river and the controls that change it.
TEST(GradientFlowWorkspace, TheControlsStandBesideTheRiver) {
    for (const auto& [window, scale] :
         {std::pair(Size{1600, 1000}, 1.0f), std::pair(Size{1024, 768}, 1.0f),
          std::pair(Size{1600, 1000}, 1.5f), std::pair(Size{1600, 1000}, 2.5f),
          std::pair(Size{1024, 768}, 1.5f), std::pair(Size{3840, 2160}, 2.5f)}) {
        FlowHarness h({.window = window, .scale = scale});
        const Rect river = h.named("gradient-flow.river.blocks").rect;
        const Rect blocks = h.named("gradient-flow.blocks").rect;
        EXPECT_LE(blocks.right(), river.x) << window.w << " at " << scale;
        EXPECT_LT(blocks.bottom(), window.h) << window.w << " at " << scale;
        EXPECT_LT(river.y, 0.75f * window.h) << window.w << " at " << scale;
    }
}

// However large the text is, nothing is out of reach and no panel's name is cut.
TEST(GradientFlowWorkspace, EveryControlIsThereAtEveryScale) {
    constexpr Size k_window{1024, 768};
    for (const float scale : {1.0f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f}) {
        FlowHarness h({.window = k_window, .scale = scale});
        Document d = h.document();
        d.flow.pinned = std::vector<PinnedStack>{{"Another", small_stack(5), true, 0}};
        h.become(d);
        FlowView& view = h.state().view.of<FlowView>();
        view.more_stack = view.more_river = true;
        h.settle();
        const Rect river = h.named("gradient-flow.river.blocks").rect;
        for (const char* name :
             {"gradient-flow.river.particles", "gradient-flow.linked-affine",
              "gradient-flow.stack.affine-of.one", "gradient-flow.river.width.log"})
            EXPECT_GT(h.named(name).rect.w, 20 * scale) << name << " at " << scale;
        EXPECT_LE(h.named("gradient-flow.river.particles").rect.bottom(), river.y);
        for (int page = 0; page < 12; ++page) {
            for (const LoggedText& text : h.log().texts) {
                const bool cut = text.text.find("…") != std::string::npos;
                EXPECT_FALSE(cut && text.role == TextRole::title) << text.text << " at " << scale;
                EXPECT_FALSE(cut && text.text.starts_with("cross-")) << "a choice, at " << scale;
            }
            ImGui::GetIO().MouseWheel = -8;
            h.move({k_window.w - 4, k_window.h / 2});
            h.frames(2);
        }
    }
}

TEST(GradientFlowWorkspace, NoMoreThanTwentyFiveControlsAreThereBeforeMoreIsPressed) {
    FlowHarness h;
    EXPECT_LE(controls_within(h.log(), "gradient-flow"), 25u);
    h.unfold();
    EXPECT_TRUE(h.has("gradient-flow.gain"));
    EXPECT_GT(controls_within(h.log(), "gradient-flow"), 25u);
    h.unfold();
    EXPECT_FALSE(h.has("gradient-flow.gain")) << "folded again";
}

TEST(GradientFlowWorkspace, AMessageMakesNothingScroll) {
    FlowHarness h;
    h.state().say("A sentence at the bottom of the window");
    h.settle();
    EXPECT_LE(h.content_height(), 1000 - h.named("bar").rect.h - 32)
        << "between the bar and the message";
}

TEST(GradientFlowWorkspace, ALargeWindowIsFilled) {
    FlowHarness h({.window = {3840, 2160}});
    EXPECT_GT(h.content_height(), 2160 - 120);
}

TEST(GradientFlowWorkspace, EveryKindOfStackIsShownOrSaysWhyNot) {
    FlowHarness h;
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
                EXPECT_TRUE(h.has("gradient-flow.river.blocks"));
            }
    StackConfig loud = small_stack(96); // overflows
    loud.sublayer = SublayerKind::linear;
    loud.norm = NormKind::none;
    loud.init.gain = 1e30;
    h.set(loud);
    EXPECT_TRUE(h.has("gradient-flow.river.blocks"));
    EXPECT_TRUE(h.has_text("From block"));
}

struct Screen {
    Size window;
    float scale;
};

// The fullest panels: many blocks, seven pins with long names, a predicted story, a block in focus,
// a lit route.
TEST(GradientFlowWorkspace, NothingOverlapsHoweverMuchIsShown) {
    for (const Screen screen : {Screen{{1600, 1000}, 1}, Screen{{1024, 768}, 1},
                                Screen{{1024, 768}, 2.5f}, Screen{{1600, 1000}, 1.5f}}) {
        FlowHarness h({.window = screen.window, .scale = screen.scale});
        const auto check = [&](const std::string& what) {
            h.settle();
            const std::string where =
                what + " at " + std::to_string(static_cast<int>(screen.window.w));
            EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << where;
            EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << where;
            EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "") << where;
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
        h.become(d);
        scrolled("no skip");
        d.flow.stack = small_stack(96);
        d.flow.stack.init.gain = 3;
        h.become(d);
        h.state().view.of<FlowView>().only_block = 96;
        h.state().view.of<FlowView>().block = 48;
        h.state().view.of<FlowView>().path_length = 30;
        h.state().view.of<FlowView>().width = ScaleKind::log;
        scrolled("96 blocks");
        h.state().view.of<FlowView>().quantity = FlowQuantity::w1;
        h.state().view.of<FlowView>().only_block.reset();
        scrolled("parameters");
        d.flow = (*find_story("vanishing"))->setup();
        d.flow.linked_affine = true;
        d.flow.seeds = 1;
        h.become(d);
        h.state().view.of<FlowView>().predict = true;
        scrolled("prediction");
        h.state().view.of<FlowView>().expected = ExpectedShape::vanishes;
        h.state().view.of<FlowView>().revealed = true;
        h.state().view.of<FlowView>().block.reset();
        scrolled("revealed");
        for (const FlowStory& story : flow_stories()) {
            d.flow = story.setup();
            h.become(d);
            h.frames(3); // its words are there before its curves
            const std::string beginning(story.says.substr(0, 12));
            // In a window of few lines they stand below the cards.
            for (int line = 0; line < 24 && !h.has_text(beginning); ++line) {
                ImGui::GetIO().MouseWheel = -1;
                h.move({screen.window.w - 4, screen.window.h / 2});
                h.frames(2);
            }
            EXPECT_TRUE(h.has_text(beginning)) << story.id;
            EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "")
                << story.id;
        }
        if (::testing::Test::HasFailure()) return; // the first one tells enough
    }
}

} // namespace
} // namespace normscope::testing
