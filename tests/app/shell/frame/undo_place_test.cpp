// Undo leads to the workspace where the change was made.
#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

struct Places : Harness {
    std::string workspace() { return std::string(workspace_table()[state().view.workspace].id); }
    void edit(const Edit& what) {
        ASSERT_TRUE(state().apply_edits({what}));
        settle();
    }
    void press(Key k, bool ctrl = false) {
        key(k, ctrl);
        settle();
    }
};

TEST(UndoPlace, AChangeMadeElsewhereIsUndoneWhereItIsSeen) {
    Places h;
    h.edit(SetParam{Param::gamma, 3, 3, 1.4});
    h.press(Key::n4);
    h.edit(set<&FlowSetup::seeds>(1));
    h.press(Key::n3);
    h.press(Key::z, true);
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_TRUE(h.has_text("Undone: Seeds → 1, in Gradient flow"));
    h.press(Key::z, true);
    EXPECT_EQ(h.workspace(), "add-norm");
    EXPECT_TRUE(h.has_text("Undone: γ[3] → 1.40, in Add & Norm"));
    h.press(Key::y, true);
    EXPECT_EQ(h.state().status, "") << "it is done again where one is";
    h.press(Key::y, true);
    EXPECT_EQ(h.workspace(), "gradient-flow");
    EXPECT_TRUE(h.has_text("Done again: Seeds → 1, in Gradient flow"));
}

TEST(UndoPlace, AChangeMadeHereIsUndoneWithoutAWord) {
    Places h;
    h.press(Key::n3);
    h.edit(set<&BackwardSetup::loss>(LossKind::sum));
    h.press(Key::z, true);
    EXPECT_EQ(h.workspace(), "backward");
    EXPECT_EQ(h.state().status, "");
}

TEST(UndoPlace, AnotherDocumentIsUndoneWhereOneIs) {
    Places h;
    open_example(h.state(), 2);
    h.settle();
    h.press(Key::n3);
    h.press(Key::z, true);
    EXPECT_EQ(h.workspace(), "backward");
}

} // namespace
} // namespace normscope::testing
