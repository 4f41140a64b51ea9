#include "app/model/flow/flow_setup.h"
#include "tests/app/workspaces/gradient_flow/flow_harness.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace normscope::testing {
namespace {

TEST(GradientFlowWorkspace, AStackIsPinnedRestoredRenamedAndRemoved) {
    FlowHarness h;
    const StackConfig first = h.setup().stack;
    h.click_and_settle("gradient-flow.compared.pin");
    ASSERT_EQ(h.setup().pinned->size(), 1u);
    FlowSetup alone;
    alone.stack = first;
    const std::string name = stack_names(alone).back();
    EXPECT_EQ(stack_names(h.setup())[0], name);
    EXPECT_TRUE(h.has_text(": " + name)) << "it is the pinned one";

    h.click_and_settle("gradient-flow.placement.pre");
    EXPECT_EQ(h.setup().stack.placement, Placement::pre);
    EXPECT_TRUE(h.has_text(": Pre-LN"));
    h.click_and_settle("gradient-flow.compared.pin-0");
    EXPECT_EQ(h.setup().stack, first);
    h.undo();
    EXPECT_EQ(h.setup().stack.placement, Placement::pre);

    h.click_and_settle("gradient-flow.compared.pin-0"); // has the focus now
    h.key_and_settle(Key::f2);
    h.type("The first");
    h.key_and_settle(Key::enter);
    EXPECT_EQ((*h.setup().pinned)[0].name, "The first");
    EXPECT_TRUE(h.has_text("The first"));

    h.click_and_settle("gradient-flow.compared.pin-0.shown");
    EXPECT_FALSE((*h.setup().pinned)[0].shown);
    h.undo();
    EXPECT_TRUE((*h.setup().pinned)[0].shown);

    h.click_and_settle("gradient-flow.compared.pin-0.remove");
    EXPECT_TRUE(h.setup().pinned->empty());
    h.undo();
    ASSERT_EQ(h.setup().pinned->size(), 1u);
    h.undo();
    EXPECT_EQ(stack_names(h.setup())[0], name);
}

TEST(GradientFlowWorkspace, ADoubleClickRenamesAndDeleteRemoves) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.compared.pin");
    h.double_click(h.center_of("gradient-flow.compared.pin-0"));
    h.settle();
    h.type("Twice");
    h.key_and_settle(Key::enter);
    EXPECT_EQ((*h.setup().pinned)[0].name, "Twice");
    h.click_and_settle("gradient-flow.compared.pin-0");
    h.key_and_settle(Key::del);
    EXPECT_TRUE(h.setup().pinned->empty());
}

TEST(GradientFlowWorkspace, ADoubleClickRestoresNothing) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.compared.pin");
    h.click_and_settle("gradient-flow.placement.pre");
    const Document before = h.document();
    h.double_click(h.center_of("gradient-flow.compared.pin-0"));
    h.settle();
    EXPECT_TRUE(h.view().renaming);
    EXPECT_EQ(h.document(), before);
    h.type("Only its name");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.setup().stack.placement, Placement::pre);
    EXPECT_EQ((*h.setup().pinned)[0].name, "Only its name");
    // One click, after which its neighbour moves into its place, restores neither.
    h.click_and_settle("gradient-flow.compared.pin");
    const StackConfig present = h.setup().stack;
    h.click("gradient-flow.compared.pin-0");
    h.click_and_settle("gradient-flow.compared.pin-0.remove");
    EXPECT_EQ(h.setup().pinned->size(), 1u);
    EXPECT_EQ(h.setup().stack, present);
}

TEST(GradientFlowWorkspace, PinnedStacksThatAStoryHasNoRoomForAreSpokenOf) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.compared.pin");
    h.click_and_settle("gradient-flow.stories.vanishing");
    EXPECT_EQ(h.setup().pinned->size(), 2u);
    EXPECT_EQ(h.state().status, "");
    const Document before = h.document();
    h.click_and_settle("gradient-flow.stories.same-beta");
    EXPECT_EQ(h.setup().pinned->size(), 1u);
    EXPECT_EQ(h.state().status, "A stack that you had pinned is left out of “Same β, two fates”, "
                                "whose one β slider would move it too: Ctrl+Z brings it back");
    h.undo();
    EXPECT_EQ(h.document(), before);
    for (int i = 0; i < 7; ++i) {
        h.click("gradient-flow.stack.next-seed");
        h.click_and_settle("gradient-flow.compared.pin");
    }
    h.click_and_settle("gradient-flow.stories.exploding");
    EXPECT_EQ(h.state().status, "A stack that you had pinned is left out of “Exploding”, as at "
                                "most 7 can be pinned: Ctrl+Z brings it back");
}

// A pin that a slider moves says the slider's value.
TEST(GradientFlowWorkspace, ALinkedPinSaysItsBeta) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.stories.same-beta");
    EXPECT_TRUE(h.has_text("Pre-LN, β 2"));
    const NamedPart beta = h.named("gradient-flow.beta");
    h.drag(beta.rect.center(), {beta.rect.x + beta.rect.w * 0.75f, beta.rect.center().y});
    h.settle();
    const std::string now = fmt::format("Pre-LN, β {:.3g}", h.setup().stack.beta);
    EXPECT_NE(now, "Pre-LN, β 2");
    EXPECT_TRUE(h.has_text(now));
    h.move(h.named("gradient-flow.gradient-norms.chart").rect.center());
    h.settle();
    const auto is_now = [&](const LoggedText& text) { return text.text == now; };
    EXPECT_EQ(std::ranges::count_if(h.log().texts, is_now), 2) << "in the list of values too";
}

TEST(GradientFlowWorkspace, SevenArePinnedAndNoMore) {
    FlowHarness h;
    h.unfold();
    for (int i = 0; i < 9; ++i) {
        h.click("gradient-flow.stack.next-seed");
        h.click_and_settle("gradient-flow.compared.pin");
    }
    EXPECT_EQ(h.setup().pinned->size(), k_most_pinned);
    EXPECT_TRUE(h.has("gradient-flow.compared.pin-6"));
    EXPECT_FALSE(h.has("gradient-flow.compared.pin-7"));
}

// The second curve would hide the first.
TEST(GradientFlowWorkspace, AStackIsPinnedOnce) {
    FlowHarness h;
    h.unfold();
    for (int i = 0; i < 2; ++i) {
        h.click_and_settle("gradient-flow.compared.pin");
    }
    EXPECT_EQ(h.setup().pinned->size(), 1u);
    h.click("gradient-flow.stack.next-seed");
    h.click_and_settle("gradient-flow.compared.pin");
    EXPECT_EQ(h.setup().pinned->size(), 2u);
}

// A pin's name is a button, lit while the pin's stack is shown.
TEST(GradientFlowWorkspace, ThePinOfTheStackThatIsShownIsLit) {
    FlowHarness h;
    h.unfold();
    h.click_and_settle("gradient-flow.compared.pin");
    h.click_and_settle("gradient-flow.placement.pre");
    h.click_and_settle("gradient-flow.compared.pin");
    h.leave();
    const auto lit = [&](std::size_t i) {
        const Rect row = h.named("gradient-flow.compared.pin-" + std::to_string(i)).rect;
        return h.vertices(theme(h.state().view.theme).border, row).empty(); // filled
    };
    EXPECT_FALSE(lit(0));
    EXPECT_TRUE(lit(1));
    h.click_and_settle("gradient-flow.compared.pin-0");
    h.leave();
    EXPECT_TRUE(lit(0));
    EXPECT_FALSE(lit(1));
    h.click_and_settle("gradient-flow.stack.next-seed");
    EXPECT_FALSE(lit(0));
    EXPECT_FALSE(h.app().animating());
}

TEST(GradientFlowWorkspace, ANameHasALetterAndNoBlanksAround) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.compared.pin");
    const std::string name = (*h.setup().pinned)[0].name;
    const auto rename = [&](const char* to) {
        h.double_click(h.center_of("gradient-flow.compared.pin-0"));
        h.settle();
        h.type(to);
        h.key_and_settle(Key::enter);
        return (*h.setup().pinned)[0].name;
    };
    EXPECT_EQ(rename("   "), name);
    EXPECT_TRUE(h.state().status_is_error);
    EXPECT_EQ(rename("  Mine "), "Mine");
}

// The hint covers neither the other rows' buttons nor the button that pins.
TEST(GradientFlowWorkspace, ThePinsHintStandsBesideTheList) {
    FlowHarness h;
    h.click_and_settle("gradient-flow.compared.pin");
    h.click_and_settle("gradient-flow.placement.pre");
    h.leave();
    h.move(h.center_of("gradient-flow.compared.pin-0"));
    h.frames(90);
    const ImGuiWindow* hint = ImGui::FindWindowByName("##Tooltip_00");
    ASSERT_NE(hint, nullptr);
    ASSERT_TRUE(hint->Active);
    EXPECT_GT(hint->Pos.x, h.named("gradient-flow.compared.pin-0.remove").rect.right());
    EXPECT_GT(hint->Pos.x, h.named("gradient-flow.compared.pin").rect.right());
}

} // namespace
} // namespace normscope::testing
