#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/gradient_flow/flow_view.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"
#include "tests/app/workspaces/unfolded.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

class NamedParts : public ::testing::TestWithParam<Size> {
  protected:
    Harness h{{.window = GetParam()}};

    // Every name is well formed and stands once; Tab stops at nothing that has none.
    void check(const std::string& state) {
        h.settle();
        EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << state;
        for (const UiState* ui : {&h.state().ui, &h.state().dialog_ui})
            for (const ImGuiID stop : ui->order)
                EXPECT_TRUE(std::ranges::count(h.log().parts, stop, &NamedPart::id)) << state;
    }
};

TEST_P(NamedParts, StandOnceInEveryStateOfAWorkspace) {
    Document d = h.document();
    d.norm = {NormKind::group, 2};
    d.batch.nan_update = 3;
    d.flow.pinned = std::vector<PinnedStack>{{"A", d.flow.stack, true, 0}, {"B", {}, true, 1}};
    for (const LossKind loss : {LossKind::given, LossKind::distance, LossKind::cross_entropy})
        for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
            d.backward.loss = loss;
            d.backward.target_kind = TargetKind::normal;
            h.become(*apply(d, set<&Document::affine_per>(per)));
            for (std::size_t w = 0; w < workspace_table().size(); ++w) {
                h.state().view.workspace = w;
                check(std::string(workspace_table()[w].id));
            }
        }
    View& view = h.state().view;
    view.workspace = 0;
    view.of<AddNormView>().playing = 0;
    check("steps that are played");
    EXPECT_TRUE(h.has("add-norm.stage.forward"));
    view.workspace = *workspace_index("gradient-flow");
    view.of<FlowView>().only_block = 1;
    view.of<FlowView>().more_stack = true;
    check("one block's γ and β");
    EXPECT_TRUE(h.has("gradient-flow.stack.block"));
    ASSERT_TRUE(h.state().apply_edits({TellStory{"vanishing"}}));
    view.of<FlowView>().predict = true;
    check("a story to predict");
    EXPECT_TRUE(h.has("gradient-flow.gradient-norms.shape.flat"));
}

TEST_P(NamedParts, StandOnceInMenusAndDialogs) {
    for (const std::string menu :
         {"file", "edit", "view", "lessons", "help", "example", "workspace", "menu"}) {
        open_menu(h.state().menu, menu, {10, 40, 60, 30}, false);
        check(menu);
        EXPECT_FALSE(h.all_of("menu.").empty()) << menu;
        h.key(Key::escape);
    }
    h.click(h.center_of("add-norm.card-x.cells"), 1);
    check("the menu of a cell");
    EXPECT_TRUE(h.has("add-norm.cell-menu.copy"));
    h.key(Key::escape);
    for (const Command& show : {Command(ask_open), Command(ask_save_as), Command(show_help_sheet),
                                Command([](App::State& s) { ask_export_figure(s, "cards"); })}) {
        show(h.state());
        check("a dialog");
        EXPECT_FALSE(h.all_of("dialog.").empty());
        h.key_and_settle(Key::escape);
    }
}

// One name leads to a panel on the screen and to its picture.
TEST_P(NamedParts, OfAPanelAreThoseOfItsFigure) {
    unfold_pages(h.state());
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        h.state().view.workspace = w;
        h.settle();
        for (const FigureEntry& figure : workspace_table()[w].figures) {
            const std::string name =
                std::string(workspace_table()[w].id) + "." + std::string(figure.id);
            if (figure.stands_alone) continue;
            if (figure.id == "geometry") { // it and what follows have a page of their own
                Document d = blank_document(2, 3);
                h.become(d);
                h.state().view.of<AddNormView>().space.shown = true;
                h.settle();
            }
            ASSERT_TRUE(h.has(name)) << name;
            EXPECT_EQ(h.named(name).kind, PartKind::panel) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, NamedParts, ::testing::Values(Size{1600, 1000}, Size{1024, 768}));

TEST(NamedPart, AMenuItemHasOneNameHoweverItIsReached) {
    for (const Size window : {Size{1600, 1000}, Size{480, 768}}) { // a bar of menus; all in one
        Harness h({.window = window});
        h.key_and_settle(Key::f10);
        if (h.has("bar.menu")) h.move(h.center_of("menu.file"));
        h.settle();
        EXPECT_TRUE(h.has("menu.file.open")) << window.w;
    }
}

TEST(NamedPart, SaysWhetherItIsThereEnabledAndInSight) {
    Harness h({.window = {1024, 768}});
    const NamedPart fader = h.named("add-norm.gamma.d3");
    EXPECT_EQ(fader.kind, PartKind::fader);
    EXPECT_TRUE(fader.enabled);
    EXPECT_GT(fader.in_sight().h, 60);
    EXPECT_EQ(h.named("add-norm.worked-steps").in_sight().h, 0) << "below the end of the window";
    h.key_and_settle(Key::end);
    EXPECT_GT(h.named("add-norm.worked-steps").in_sight().h, 20);
    EXPECT_EQ(find_part(h.log().parts, "backward.learn"), nullptr) << "of another workspace";
    h.key_and_settle(Key::n3);
    h.state().view.pinned_token = 0;
    h.settle();
    EXPECT_FALSE(h.named("backward.surgery.previous").enabled);
    EXPECT_TRUE(h.named("backward.surgery.next").enabled);
}

} // namespace
} // namespace normscope::testing
