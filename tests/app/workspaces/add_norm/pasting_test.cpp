#include "app/io/csv.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/cells.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(Pasting, ABlockFromASpreadsheetIsPastedInOneStep) {
    Harness h;
    const Document before = h.document();
    h.click(cell_of_x(h, 1, 1));
    ImGui::SetClipboardText("1\t2\t3\n4\t5\t6\n");
    h.key(Key::v, true);
    h.settle();
    const Matrix<double>& x = *h.document().x;
    EXPECT_EQ(x(1, 1), 1);
    EXPECT_EQ(x(1, 3), 3);
    EXPECT_EQ(x(2, 1), 4);
    EXPECT_EQ(x(2, 3), 6);
    EXPECT_EQ(x(0, 1), (*before.x)(0, 1));
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(Pasting, ABlockThatReachesOverTheEdgeMakesRoomForItself) {
    Harness h;
    const Document before = h.document();
    const Index tokens = before.token_count(), features = before.feature_count();
    h.click(cell_of_x(h, tokens - 1, features - 1));
    ImGui::SetClipboardText("1\t2\t3\n4\t5\t6\n");
    h.key(Key::v, true);
    h.settle();
    const Document& after = h.document();
    ASSERT_EQ(after.token_count(), tokens + 1);
    ASSERT_EQ(after.feature_count(), features + 2);
    EXPECT_EQ((*after.x)(tokens, features + 1), 6);
    EXPECT_EQ((*after.f)(tokens, features + 1), 0);
    EXPECT_EQ((*after.f)(0, 0), (*before.f)(0, 0));
    for (const char* shape : {"5×8", "4×6"})
        EXPECT_NE(h.state().status.find(shape), std::string::npos) << h.state().status;
    const CellBlock selected = h.state().view.of<AddNormView>().editor_x.block();
    EXPECT_EQ(selected.row, tokens - 1);
    EXPECT_EQ(selected.rows, 2);
    EXPECT_EQ(selected.cols, 3);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before) << "one step";
}

TEST(Pasting, ABlockThatDoesNotFitIsRefusedInWords) {
    Harness h;
    const Document before = h.document();
    h.click(cell_of_x(h, 3, 4));
    std::string row = "1";
    for (Index i = 1; i < k_max_features; ++i) row += "\t1";
    ImGui::SetClipboardText(row.c_str());
    h.key(Key::v, true);
    h.settle();
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.state().status_is_error);
    EXPECT_FALSE(h.state().status.empty());
    EXPECT_EQ(h.state().view.of<AddNormView>().editor_x.block().cols, 1) << "nothing looks pasted";
    h.click("status.dismiss");
    EXPECT_TRUE(h.state().status.empty());
}

TEST(Pasting, NamesAroundAPastedBlockAreSaidToBeLeftOut) {
    Harness h;
    h.click(cell_of_x(h, 0, 0));
    ImGui::SetClipboardText("\ta\tb\nfirst\t1\t2\nsecond\t3\t4\n");
    h.key(Key::v, true);
    h.settle();
    EXPECT_EQ((*h.document().x)(0, 0), 1);
    EXPECT_EQ((*h.document().x)(1, 1), 4);
    EXPECT_TRUE(h.has_text("2×2 numbers; the names around them were left out"));
    EXPECT_FALSE(h.state().status_is_error);
}

TEST(Pasting, AmbiguousNumbersAreRefused) {
    for (const char* text : {"1,5\n2,5\n", "1,5", "#N/A\t7\t8\n", "NA", "\t7\t8\n"}) {
        Harness h;
        const Document before = h.document();
        h.click(cell_of_x(h, 1, 1));
        ImGui::SetClipboardText(text);
        h.key(Key::v, true);
        h.settle();
        EXPECT_EQ(h.document(), before) << text;
        EXPECT_TRUE(h.state().status_is_error) << text;
    }
}

TEST(Pasting, ALargeBlockIsOneStep) {
    Harness h;
    const Document before = h.document();
    const Matrix<double> numbers =
        *apply(blank_document(251, 307), Randomize{Distribution::normal, 3})->x;
    h.click(cell_of_x(h, 1, 1));
    ImGui::SetClipboardText(write_csv({numbers, {}, {}}, '\t').c_str());
    h.key(Key::v, true);
    ASSERT_EQ(h.document().token_count(), 252);
    EXPECT_EQ(h.document().x->block(1, 1, 251, 307), numbers);
    for (const char* shape : {"251×307", "252×308"})
        EXPECT_NE(h.state().status.find(shape), std::string::npos) << h.state().status;
    EXPECT_EQ(h.state().view.of<AddNormView>().editor_x.block().rows, 251);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(Pasting, CopyingWritesWhatPastingReads) {
    Harness h;
    h.click(cell_of_x(h, 0, 0));
    h.key(Key::right, false, true);
    h.key(Key::down, false, true);
    h.key(Key::c, true);
    const Matrix<double>& x = *h.document().x;
    const std::string text = ImGui::GetClipboardText();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\t'), 2);
    h.click(cell_of_x(h, 2, 2));
    h.key(Key::v, true);
    h.settle();
    EXPECT_EQ((*h.document().x)(2, 2), x(0, 0));
    EXPECT_EQ((*h.document().x)(3, 3), x(1, 1));
}

} // namespace
} // namespace normscope::testing
