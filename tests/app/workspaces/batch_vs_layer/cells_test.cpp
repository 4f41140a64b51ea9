// The cells of Z and of the results in Batch vs Layer: set, probed, selected.
#include "tests/app/workspaces/batch_vs_layer/batch_vs_layer.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

Matrix<double> rows_without(const Matrix<double>& m, Index row) {
    Matrix<double> out = m;
    out.row(row).setZero();
    return out;
}

TEST(BatchVsLayerCells, DraggingACellOfZMovesItsRowOrItsColumn) {
    BatchVsLayer h;
    const Document before = h.document();
    const Matrix<double> z = h.z();
    const std::array<Matrix<double>, 3> old{h.x_hat(0), h.x_hat(1), h.x_hat(2)};
    const Point at = h.z_cell(1, 2);
    h.move(at);
    h.press();
    for (int i = 1; i <= 8; ++i) h.move({at.x + 10.0f * static_cast<float>(i), at.y});
    h.frames(2);
    EXPECT_FALSE(h.probes(1, 2)) << "the drag is told of, not +1";
    EXPECT_TRUE(h.says("norms.layer", "6 of 24"));
    EXPECT_TRUE(h.says("norms.batch", "4 of 24"));
    for (const std::string card : {"norms.layer", "norms.batch"})
        EXPECT_TRUE(h.says(card, " → ")) << "from its old value to the new one";
    h.release();
    h.settle();

    const Matrix<double>& now = h.z();
    EXPECT_NEAR(now(1, 2), z(1, 2) + 0.8, 0.02);
    Matrix<double> others = now - z;
    others(1, 2) = 0;
    EXPECT_TRUE(others.isZero(0));
    EXPECT_TRUE(same_value(*h.document().f, *before.f)) << "the change is made in X";
    for (const std::size_t own : {k_layer, k_rms}) {
        EXPECT_EQ(rows_without(h.x_hat(own), 1), rows_without(old[own], 1));
        EXPECT_NE(h.x_hat(own).row(1), old[own].row(1));
    }
    for (Index d = 0; d < z.cols(); ++d)
        EXPECT_EQ(h.x_hat(k_batch).col(d) == old[k_batch].col(d), d != 2) << d;

    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo()) << "one drag is one step";
}

TEST(BatchVsLayerCells, AValueOfZIsTyped) {
    BatchVsLayer h;
    h.click(h.z_cell(0, 0));
    h.type("2.5");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.z()(0, 0), 2.5);
    EXPECT_EQ((*h.document().x)(0, 0), 2.5 - (*h.document().f)(0, 0));
}

TEST(BatchVsLayerCells, ANumberIsTypedOverWhatIsNone) {
    BatchVsLayer h;
    for (const char* none : {"inf", "-inf", "nan"})
        for (const char* number : {"2.5", "0"}) {
            h.click(h.z_cell(0, 1));
            h.type(none);
            h.key(Key::enter);
            h.settle();
            EXPECT_FALSE(std::isfinite(h.z()(0, 1)));
            ASSERT_TRUE(h.study().norms().not_a_number);
            EXPECT_TRUE(h.says("norms.z", h.study().norms().not_a_number->cause));
            h.click(h.z_cell(0, 1));
            h.type(number);
            h.key(Key::enter);
            h.settle();
            EXPECT_EQ(h.z()(0, 1), std::stod(number)) << "over " << none;
        }
}

TEST(BatchVsLayerCells, ABlockPastedOverTheEdgeOfZMakesRoomForItself) {
    BatchVsLayer h;
    const Index tokens = h.document().token_count(), features = h.document().feature_count();
    h.click(h.z_cell(tokens - 1, features - 1));
    ImGui::SetClipboardText("1\t2\n4\t5\n");
    h.key(Key::v, true);
    h.settle();
    ASSERT_EQ(h.document().token_count(), tokens + 1);
    ASSERT_EQ(h.document().feature_count(), features + 1);
    EXPECT_EQ(h.z()(tokens - 1, features - 1), 1);
    EXPECT_EQ(h.z()(tokens, features), 5);
}

TEST(BatchVsLayerCells, TheMenuOfACellOfZSetsItToZeroByWayOfX) {
    BatchVsLayer h;
    const Document before = h.document();
    ASSERT_NE(h.z()(1, 2), 0);
    h.click(h.z_cell(1, 2), 1);
    h.settle();
    ASSERT_TRUE(h.state().view.menu);
    for (int i = 0; i < 4; ++i) h.key(Key::down); // Cut, Copy, both, and Paste; Fill is off
    h.key(Key::enter);
    h.settle();
    EXPECT_FALSE(h.state().view.menu);
    EXPECT_EQ(h.z()(1, 2), 0);
    EXPECT_EQ((*h.document().x)(1, 2), -(*before.f)(1, 2));
    EXPECT_EQ(*h.document().f, *before.f);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(BatchVsLayerCells, HoverProbesTheCellItIsOn) {
    BatchVsLayer h;
    h.move(h.z_cell(3, 1));
    h.settle();
    EXPECT_TRUE(h.probes(3, 1));
}

TEST(BatchVsLayerCells, TheHeldCellStaysLitWhereverThePointerGoes) {
    BatchVsLayer h;
    const Point at = h.z_cell(1, 2);
    h.move(at);
    h.press();
    for (const Point to :
         {h.z_cell(3, 4), h.center_of("batch-vs-layer.norms.batch.cells"), Point{at.x, 4}}) {
        h.move(to);
        h.frames(2);
        EXPECT_EQ(h.state().view.hover.token, 1);
        EXPECT_EQ(h.state().view.hover.feature, 2);
    }
    const Point elsewhere = h.z_cell(3, 4);
    h.move(elsewhere);
    h.release();
    h.settle();
    EXPECT_EQ(h.state().view.hover.token, 3) << "let go, the mouse leads again";
    EXPECT_EQ(h.state().view.hover.feature, 4);
}

TEST(BatchVsLayerCells, TheProbeFollowsTheKeyboard) {
    BatchVsLayer h;
    h.click(h.z_cell(0, 0));
    h.key(Key::right);
    h.key(Key::down);
    h.settle();
    EXPECT_TRUE(h.probes(1, 1));
    h.move({800, 4}); // off the cells
    h.settle();
    EXPECT_TRUE(h.probes(1, 1));
    h.move(h.z_cell(3, 4)); // and the mouse takes over
    h.settle();
    EXPECT_TRUE(h.probes(3, 4));
}

TEST(BatchVsLayerCells, ZIsMarkedAsSelectedOnlyWithTheFocus) {
    BatchVsLayer h;
    const Point z = h.z_cell(0, 0);
    h.click(z);
    h.move({800, 4});
    h.settle();
    const std::uint64_t with = h.draw_digest();
    h.state().ui.focus = 0;
    h.frames(2);
    EXPECT_NE(h.draw_digest(), with);
}

TEST(BatchVsLayerCells, TheMenuOfAResultCopiesItAndPinsItsToken) {
    BatchVsLayer h;
    const Document d = h.document();
    for (std::size_t norm = 0; norm < k_compared_count; ++norm) {
        const std::string id(k_compared_norms[norm].id);
        const Rect area = h.named("batch-vs-layer.norms." + id + ".cells").rect;
        h.click(Point{area.x + 8, area.y + 8}, 1);
        h.settle();
        const auto& menu = h.state().view.menu;
        ASSERT_TRUE(menu) << norm;
        EXPECT_EQ(menu->compared, norm);
        ImGui::SetClipboardText("");
        h.key(Key::enter); // Copy
        h.settle();
        const double value = h.study().result(norm, NormResult::y)(0, 0);
        EXPECT_EQ(std::stod(ImGui::GetClipboardText()), value) << norm;
        EXPECT_FALSE(h.state().view.menu);
    }
    EXPECT_EQ(h.document(), d);
}

} // namespace
} // namespace normscope::testing
