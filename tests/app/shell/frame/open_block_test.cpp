#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/study/gradient_flow/flow_runner.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// The program in the Gradient flow workspace with a small stack.
struct Blocks : Harness {
    explicit Blocks(Setup setup = {}) : Harness(std::move(setup)) {
        Document d = document();
        d.flow.stack.blocks = 6;
        d.flow.stack.width = 16;
        d.flow.stack.tokens = 8;
        d.flow.seeds = 2;
        become(std::move(d));
        key(Key::n4);
        settle();
    }
    std::string workspace() { return std::string(workspace_table()[state().view.workspace].id); }
    void open(int block) {
        state().memory.of<FlowMemory>().runner.open_block(state().memory.lab, document(), {block});
        settle();
    }
    void undo() {
        key(Key::z, true);
        settle();
    }
};

TEST(OpenBlock, TheOwnDocumentWaitsWithItsHistory) {
    Blocks h;
    h.state().apply_edits({Edit{SetParam{Param::gamma, 0, 0, 3}}});
    h.state().history.settle(false);
    h.undo(); // so that there is something to do again
    h.key_and_settle(Key::n4);
    const Document before = h.document();
    const std::string undo = h.state().history.undo_label(), redo = h.state().history.redo_label();
    h.open(5);
    ASSERT_EQ(h.workspace(), "add-norm");
    EXPECT_EQ(h.document(), *open_block(before, {5}));
    EXPECT_TRUE(h.has_text("Your own document waits"));
    EXPECT_TRUE(h.has_text("Gradient flow, block 5"));
    h.click_and_settle("add-norm.setup.back-to-stack");
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_EQ(h.document(), before);
    EXPECT_EQ(h.state().history.undo_label(), undo);
    EXPECT_EQ(h.state().history.redo_label(), redo);
    h.key_and_settle(Key::n1);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.has("add-norm.setup.back-to-stack")) << "it has led back";
}

// Whoever comes back walks on with the keys.
TEST(OpenBlock, TheRiverHasTheKeyboardOnReturn) {
    Blocks h;
    h.state().view.of<FlowView>().block = 5;
    const auto walks = [&] {
        const int at = h.state().view.of<FlowView>().block.value_or(0);
        h.key_and_settle(Key::left);
        return h.state().view.of<FlowView>().block == at - 1;
    };
    h.open(5);
    h.click_and_settle("add-norm.setup.back-to-stack");
    EXPECT_TRUE(walks());
    h.open(4);
    h.undo();
    EXPECT_TRUE(walks()) << "by Ctrl+Z";
    h.open(3);
    h.key_and_settle(Key::n4);
    EXPECT_TRUE(walks()) << "by its key";
}

TEST(OpenBlock, MessagesAboutTheBlockLeaveTheStackAlone) {
    Blocks h;
    h.open(5);
    ASSERT_TRUE(h.has_text("γ and β are that norm's")) << h.state().status;
    h.key_and_settle(Key::n3);
    EXPECT_EQ(h.state().status, "") << "it is gone with the next act";
    h.key_and_settle(Key::n4);
    EXPECT_EQ(h.state().status, "") << "by its key";
    h.open(3);
    ASSERT_NE(h.state().status, "");
    h.click_and_settle("add-norm.setup.back-to-stack");
    EXPECT_EQ(h.state().status, "");
}

TEST(OpenBlock, ItsGradientIsTheStacks) {
    Blocks h;
    h.open(5);
    h.key_and_settle(Key::n3);
    EXPECT_TRUE(h.has_text("the gradient at block 5"));
    EXPECT_FALSE(h.has_text("example numbers"));
}

TEST(OpenBlock, UndoLeadsBack) {
    Blocks h;
    const Document before = h.document();
    h.open(5);
    EXPECT_EQ(find_menu(h.state(), "edit")->items.front().label, "Undo Open block 5");
    h.undo();
    EXPECT_EQ(h.workspace(), "gradient-flow") << "where it was clicked";
    EXPECT_EQ(h.document(), before);
    EXPECT_EQ(h.state().status, "");
}

TEST(OpenBlock, PinsComeBackWithTheStack) {
    Blocks h;
    h.state().view.pinned_token = 2;
    h.state().view.pinned_feature = 4;
    for (int i = 0; i < 2; ++i) {
        h.open(5);
        EXPECT_FALSE(h.state().view.pinned_token);
        h.state().view.pinned_token = 7;
        if (i == 0)
            h.undo();
        else
            h.click("add-norm.setup.back-to-stack");
        h.settle();
        EXPECT_EQ(h.state().view.pinned_token, 2);
        EXPECT_EQ(h.state().view.pinned_feature, 4);
    }
}

TEST(OpenBlock, TheFadersAreWhereTheyWereAndNoStepIsLit) {
    Blocks h;
    h.state().view.of<AddNormView>().fader_scroll = 3;
    h.state().view.of<AddNormView>().playing = 2;
    h.open(5);
    EXPECT_EQ(h.state().view.of<AddNormView>().fader_scroll, 0);
    EXPECT_FALSE(h.state().view.of<AddNormView>().playing);
    h.state().view.of<AddNormView>().playing = 2;
    lead_back(h.state());
    EXPECT_EQ(h.state().view.of<AddNormView>().fader_scroll, 3);
    EXPECT_FALSE(h.state().view.of<AddNormView>().playing);
}

TEST(OpenBlock, ItsEditsAreUndoneInItAndNotInTheOwnDocument) {
    Blocks h;
    const Document before = h.document();
    h.open(2);
    const Document opened = h.document();
    h.state().apply_edits({Edit{SetParam{Param::gamma, 0, 0, 2}}});
    h.state().history.settle(false);
    h.settle();
    EXPECT_TRUE(h.has("add-norm.setup.back-to-stack"));
    h.undo();
    EXPECT_EQ(h.document(), opened);
    EXPECT_TRUE(h.has("add-norm.setup.back-to-stack"));
    h.undo();
    EXPECT_FALSE(h.has("add-norm.setup.back-to-stack"));
    EXPECT_EQ(h.document(), before);
}

TEST(OpenBlock, AChangedBlockIsNotLost) {
    Blocks h;
    const Document before = h.document();
    h.open(2);
    h.state().apply_edits({Edit{SetParam{Param::gamma, 0, 0, 2}}});
    const Document changed = h.document();
    h.key_and_settle(Key::n4);
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.has_text("What you changed in block 2 is not in it"));
    ASSERT_EQ(h.state().files.left_unsaved.size(), 1u) << "quitting asks about it";
    h.click_and_settle("status.action");
    EXPECT_EQ(h.document(), changed);
    h.undo();
    EXPECT_EQ(h.document(), before);
}

TEST(OpenBlock, AFileOpensInPlaceOfTheOwnDocument) {
    Blocks h;
    const Document before = h.document();
    h.open(2);
    open_example(h.state(), 3);
    h.settle();
    EXPECT_FALSE(h.has("add-norm.setup.back-to-stack"));
    EXPECT_NE(h.document(), before);
    h.undo();
    EXPECT_EQ(h.document(), before);
}

TEST(OpenBlock, QuittingAsksAboutTheOwnDocument) {
    Blocks h; // changed by the test
    const Document before = h.document();
    h.open(2);
    const Document block = h.document();
    ASSERT_TRUE(h.state().history.saved());
    h.app().request_quit();
    h.settle();
    EXPECT_FALSE(h.app().wants_quit());
    EXPECT_TRUE(h.has_text("Save the changes?"));
    EXPECT_TRUE(h.has_text(before.title));
    EXPECT_EQ(h.document(), block);
}

TEST(OpenBlock, OpensOnlyWhileThePersonStillWaits) {
    Blocks h;
    const Document before = h.document();
    h.state().memory.of<FlowMemory>().runner.open_block(h.state().memory.lab, before, {3});
    h.state().apply_edits({set<&FlowSetup::seeds>(1)}); // another document since
    h.settle();
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_FALSE(h.state().own);
    h.state().memory.of<FlowMemory>().runner.open_block(h.state().memory.lab, h.document(), {3});
    h.state().view.workspace = *workspace_index("backward");
    h.settle();
    EXPECT_EQ(h.document().x, before.x);
    EXPECT_EQ(h.workspace(), "backward");
}

TEST(OpenBlock, TheWayBackFitsEverywhere) {
    for (const auto& [window, scale] :
         {std::pair(Size{1600, 1000}, 1.0f), std::pair(Size{1024, 768}, 1.0f),
          std::pair(Size{1024, 768}, 2.5f)})
        for (const ThemeKind theme : k_themes) {
            Blocks h({.window = window, .scale = scale, .theme = theme});
            h.open(6);
            for (int page = 0; page < 12; ++page) {
                EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "");
                EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "");
                EXPECT_EQ(clipped_text(h.log(), window, scale).value_or(""), "");
                ImGui::GetIO().MouseWheel = -8;
                h.move({window.w - 4, window.h / 2});
                h.settle();
            }
        }
}

} // namespace
} // namespace normscope::testing
