#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(Menu, TitlesOpenUnderTheMouseAndCloseOutside) {
    Harness h;
    h.click("bar.file");
    EXPECT_EQ(h.state().menu.id, "file");
    EXPECT_TRUE(h.has_text("Save as…"));
    h.settle();
    h.move(h.center_of("bar.view"));
    h.settle();
    EXPECT_EQ(h.state().menu.id, "view") << "an open menu follows the mouse along the bar";
    h.click(Point{900, 700});
    EXPECT_FALSE(h.state().menu.is_open());
    EXPECT_FALSE(h.has_text("Save as…"));
}

TEST(Menu, AChoiceRunsItsCommand) {
    Harness h;
    h.click_and_settle("bar.view");
    h.click("menu.view.dark");
    EXPECT_EQ(h.state().view.theme, ThemeKind::dark);
    EXPECT_FALSE(h.state().menu.is_open());
}

TEST(Menu, IsWalkedByKeyboard) {
    Harness h;
    h.key(Key::f10);
    EXPECT_EQ(h.state().menu.id, "file");
    h.key(Key::right); // the first item of File has no submenu
    EXPECT_EQ(h.state().menu.id, "edit");
    h.key(Key::right);
    EXPECT_EQ(h.state().menu.id, "view");
    h.key(Key::down);
    h.key(Key::enter); // the second theme
    EXPECT_EQ(h.state().view.theme, ThemeKind::dark);
    h.key(Key::h, false, false, true);
    EXPECT_EQ(h.state().menu.id, "help");
    h.key(Key::escape);
    EXPECT_FALSE(h.state().menu.is_open());
}

TEST(Menu, SubmenusOpenToTheRightAndCloseToTheLeft) {
    Harness h;
    h.key(Key::v, false, false, true);
    for (int i = 0; i < 4; ++i) h.key(Key::down); // past the themes
    h.key(Key::right);
    ASSERT_EQ(h.state().menu.path.size(), 2u);
    EXPECT_TRUE(h.has_text("Larger"));
    h.key(Key::left);
    EXPECT_EQ(h.state().menu.path.size(), 1u);
    h.key(Key::right);
    h.key(Key::enter); // Larger
    EXPECT_GT(h.state().view.ui_scale, 1.0f);
}

TEST(Menu, EscLeavesASubmenuThatTheMouseRestsOn) {
    Harness h;
    h.click_and_settle("bar.view");
    h.move(h.center_of("menu.view.scale"));
    h.settle();
    ASSERT_EQ(h.state().menu.path.size(), 2u);
    h.key_and_settle(Key::escape);
    EXPECT_EQ(h.state().menu.path.size(), 1u);
    h.key_and_settle(Key::escape);
    EXPECT_FALSE(h.state().menu.is_open());
}

TEST(Menu, CutCopyAndPasteAreOfTheSelectedCells) {
    Harness h;
    const Matrix<double> before = *h.document().x;
    const auto choose = [&](const std::string& item) {
        h.click_and_settle("bar.edit");
        h.click_and_settle("menu.edit." + item);
    };
    choose("paste");
    EXPECT_EQ(*h.document().x, before) << "no cell is selected: the item is off";
    h.key(Key::escape);
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    h.click_and_settle(Point{cells.x + 10, cells.y + 10});
    h.click_and_settle("bar.edit");
    EXPECT_TRUE(h.has_text("Ctrl+V"));
    h.key_and_settle(Key::escape);
    choose("select-all");
    choose("cut");
    EXPECT_TRUE(h.document().x->isZero(0));
    choose("paste");
    EXPECT_EQ(*h.document().x, before);
    h.key(Key::z, true);
    h.key(Key::z, true);
    EXPECT_EQ(*h.document().x, before);
    EXPECT_FALSE(h.state().history.can_undo());
}

TEST(Menu, NamesWhatIsUndoneAndRedone) {
    Harness h;
    h.click("add-norm.gamma.d1");
    h.key(Key::del); // γ[1] back to 1
    const std::string label = h.state().history.undo_label();
    ASSERT_FALSE(label.empty());
    h.click("bar.edit");
    EXPECT_TRUE(h.has_text("Undo " + label)) << label;
    h.settle();
    h.click("menu.edit.undo");
    EXPECT_FALSE(h.state().history.can_undo());
    h.click("bar.edit");
    EXPECT_TRUE(h.has_text("Redo " + label));
}

TEST(Menu, TheLitExampleSaysWhatToLookAt) {
    Harness h;
    h.click_and_settle("bar.example");
    h.move(h.center_of("menu.example.nan-token"));
    h.settle();
    EXPECT_TRUE(h.has_text("One NaN makes its whole"));
    h.move({20, 700});
    h.settle();
    h.key_and_settle(Key::down);
    EXPECT_FALSE(h.has_text("One NaN makes its whole"));
}

TEST(Menu, AnExampleIsOpenedAndTakenBack) {
    Harness h;
    const Document before = h.document();
    h.click_and_settle("bar.example");
    h.click("menu.example.evenly-spaced");
    EXPECT_EQ(h.document().title, "2, 4, 6, 8");
    EXPECT_EQ(h.document().feature_count(), 4);
    EXPECT_TRUE(h.state().history.saved()) << "an example needs no saving";
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

// An example of Train changes the race alone, in one step.
TEST(Menu, AnExampleOfAWorkspaceChangesItsPartAlone) {
    Harness h;
    h.state().apply_edits({SetParam{Param::gamma, 1, 1, 2}});
    h.settle();
    const Document before = h.document();
    const auto train = std::ranges::find(h.state().examples, "train-spirals", &Example::id);
    h.state().view.workspace = *workspace_index("train");
    open_example(h.state(), static_cast<std::size_t>(train - h.state().examples.begin()));
    h.settle();
    Document without = h.document();
    EXPECT_NE(without.train, before.train);
    without.train = before.train;
    EXPECT_EQ(without, before);
    EXPECT_TRUE(h.has_text(train->title)) << "the bar names the workspace's own example";
    EXPECT_TRUE(h.state().files.left_unsaved.empty());
    h.state().view.workspace = *workspace_index("add-norm");
    h.settle();
    EXPECT_EQ(shown_example(h.state())->id, "studying");
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(Menu, ExamplesStandUnderTheirKinds) {
    Harness h;
    h.click_and_settle("bar.example");
    EXPECT_TRUE(h.has_text("Traps"));
    EXPECT_FALSE(h.has("menu.example.train-spirals")) << "it is in a submenu";
    h.move(h.center_of("menu.example.train-spirals-kind"));
    h.settle();
    EXPECT_TRUE(h.has("menu.example.train-spirals-kind.train-spirals"));
}

TEST(Menu, EachExampleStandsInTheMenuOfEveryWorkspaceOnce) {
    Harness h;
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        h.state().view.workspace = w;
        std::size_t count = 0;
        for (const MenuItem& item : example_items(h.state()))
            count += item.children.empty() ? 1 : item.children.size();
        EXPECT_EQ(count, h.state().examples.size()) << w;
    }
}

TEST(Menu, ExamplesOfTheOpenWorkspaceComeFirst) {
    Harness h;
    const auto first = [&](const std::string& workspace) {
        h.state().view.workspace = *workspace_index(workspace);
        open_menu(h.state().menu, "example", {10, 40, 60, 30}, false);
        h.settle();
        const std::string name = h.all_of("menu.example.").front().name;
        h.key(Key::escape);
        return name;
    };
    EXPECT_EQ(first("add-norm"), "menu.example.studying");
    EXPECT_TRUE(first("transformer").starts_with("menu.example.transformer-"));
    EXPECT_TRUE(first("train").starts_with("menu.example.train-"));
}

TEST(Menu, AnExampleOfMatricesLeadsAwayFromAWorkspaceThatShowsNone) {
    Harness h;
    h.state().view.workspace = *workspace_index("gradient-flow");
    const auto outlier = std::ranges::find(h.state().examples, "outlier", &Example::id);
    open_example(h.state(), static_cast<std::size_t>(outlier - h.state().examples.begin()));
    h.settle();
    EXPECT_EQ(h.state().view.workspace, *workspace_index("add-norm"));
}

TEST(Menu, TheScaleFollowsItsKeys) {
    Harness h;
    h.key(Key::equal, true);
    EXPECT_FLOAT_EQ(h.state().view.ui_scale, 1.1f);
    h.key(Key::minus, true);
    h.key(Key::minus, true);
    EXPECT_FLOAT_EQ(h.state().view.ui_scale, 0.9f);
    h.key(Key::n0, true);
    EXPECT_FLOAT_EQ(h.state().view.ui_scale, 1.0f);
}

TEST(Menu, ALongListScrollsToWhatIsLit) {
    Harness h({.window = {700, 300}});
    h.click_and_settle("bar.example");
    for (int i = 0; i < 15; ++i) h.key(Key::down);
    EXPECT_GT(h.state().menu.scroll.at(0), 0);
    h.key(Key::enter);
    EXPECT_NE(h.document().title, "A sentence with γ and β");
}

TEST(Menu, HelpListsTheKeys) {
    Harness h({.window = {1600, 2400}});
    h.key_and_settle(Key::f1);
    EXPECT_TRUE(h.has_text("Keyboard and mouse"));
    for (const char* heading : {"Cells of X and F(X)", "Batch vs Layer", "Backward",
                                "Gradient flow", "Everywhere", "Commands"})
        EXPECT_TRUE(h.has_text(heading)) << heading;
    EXPECT_TRUE(h.has_text("light a route of its length")) << "of one workspace";
    EXPECT_TRUE(h.has_text("Ctrl+Shift+S"));
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(h.state().dialogs.empty());
}

TEST(TabKey, WalksThroughTheWidgetsAndEnterPressesThem) {
    Harness h;
    h.key(Key::tab);
    EXPECT_TRUE(h.state().ui.focus_visible);
    const ImGuiID first = h.state().ui.focus;
    h.key(Key::tab);
    EXPECT_NE(h.state().ui.focus, first);
    h.key(Key::tab, false, true);
    EXPECT_EQ(h.state().ui.focus, first);
}

} // namespace
} // namespace normscope::testing
