#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/widgets/imgui_versions.h"
#include "tests/app/workspaces/cells.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace normscope::testing {
namespace {

TEST(Editing, TheMenuOfACellOpensAndIsWalkedByKey) {
    Harness h;
    h.click(cell_of_x(h, 1, 1));
    h.key(Key::f10, false, true);
    h.settle();
    ASSERT_TRUE(h.state().view.menu) << "Shift+F10";
    EXPECT_FALSE(h.state().menu.is_open()) << "F10 alone opens the bar";
    for (int i = 0; i < 4; ++i) h.key(Key::down); // past Cut, Copy, both, and Paste; Fill is off
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 1), 0);
    EXPECT_FALSE(h.state().view.menu);
    h.key(Key::right);
    EXPECT_EQ(h.state().view.of<AddNormView>().editor_x.cursor.feature, 2)
        << "the keys are the editor's again";
}

TEST(Editing, TheMenuOfACellCutsAndSelectsAll) {
    Harness h;
    const double before = (*h.document().x)(1, 1);
    h.click(cell_of_x(h, 1, 1));
    h.key(Key::f10, false, true);
    h.settle();
    h.key(Key::enter); // Cut is the first
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 1), 0);
    h.key(Key::v, true);
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 1), before);
    h.key(Key::f10, false, true);
    h.settle();
    for (int i = 0; i < 5; ++i) h.key(Key::down); // Set to zero is before it
    h.key(Key::enter);
    h.settle();
    h.key(Key::del);
    h.settle();
    EXPECT_TRUE(h.document().x->isZero(0));
}

constexpr Point k_nowhere{800, 998}; // below the panels

std::string steps_of(Harness& h, std::size_t token) {
    return "Worked steps · " + (*h.document().tokens)[token];
}

TEST(Editing, TheStepsFollowTheCellThatTheKeyboardIsOn) {
    for (const bool rests : {false, true}) { // the mouse, on the cell that was clicked
        Harness h;
        h.click(cell_of_x(h, 0, 1));
        if (!rests) h.move(k_nowhere);
        h.settle();
        EXPECT_TRUE(h.has_text(steps_of(h, 0)));
        h.key(Key::down);
        h.key(Key::down);
        h.settle();
        EXPECT_TRUE(h.has_text(steps_of(h, 2))) << "mouse on the cards: " << rests;
        EXPECT_EQ(h.state().view.hover, (Hover{Tensor::x, 2, 1}));
        h.move(cell_of_x(h, 1, 3));
        h.settle();
        EXPECT_TRUE(h.has_text(steps_of(h, 1))) << "the mouse has moved";
        h.move(k_nowhere);
        h.settle();
        EXPECT_TRUE(h.has_text(steps_of(h, 2))) << "it has gone";
        h.key(Key::escape);
        h.settle();
        EXPECT_TRUE(h.has_text(steps_of(h, 0))) << "the clicked one is pinned";
    }
}

TEST(Editing, TheLinkedCellStaysLitWhileItIsDragged) {
    for (const auto& [workspace, name] : {std::pair(Key::n1, "add-norm.card-x.cells"),
                                          {Key::n2, "batch-vs-layer.norms.z.cells"},
                                          {Key::n3, "backward.dy.cells"}}) {
        Harness h;
        h.key(workspace);
        h.settle();
        const Rect cells = h.named(name).rect;
        const float w = cells.w / static_cast<float>(h.document().feature_count());
        const float y = cells.y + cells.h / static_cast<float>(h.document().token_count()) / 2;
        const Point from{cells.x + w * 1.5f, y}; // of feature 1
        const Document before = h.document();
        h.move(from);
        h.settle();
        const Hover at = h.state().view.hover;
        ASSERT_EQ(at.token, Index{0});
        ASSERT_EQ(at.feature, Index{1});
        h.press();
        EXPECT_EQ(h.state().view.hover, at);
        for (const Point by : {Point{w, 0}, Point{3 * w, 0}, Point{w, cells.h / 2}, // neighbours
                               Point{-3 * w, 0}, Point{cells.w + 60, 0}}) {         // outside
            h.move({from.x + by.x, from.y + by.y});
            h.frame();
            EXPECT_EQ(h.state().view.hover, at) << by.x << ", " << by.y;
        }
        EXPECT_FALSE(h.document() == before);
        h.move({from.x + 3 * w, from.y});
        h.release();
        h.settle();
        EXPECT_EQ(h.state().view.hover.feature, Index{4}) << "let go, it is the mouse's again";
    }
}

TEST(Editing, TheLinkedFaderStaysLitWhileItIsDragged) {
    Harness h;
    const Point cap = h.center_of("add-norm.gamma.d1"); // γ[1]
    h.move(cap);
    h.frame();
    h.press();
    for (const Point to : {Point{cap.x + 90, cap.y - 30}, cell_of_x(h, 2, 4)}) {
        h.move(to);
        h.frame();
        EXPECT_EQ(h.state().view.hover, (Hover{std::nullopt, std::nullopt, Index{1}}));
    }
    h.release();
    h.settle();
    EXPECT_EQ(h.state().view.hover, (Hover{Tensor::x, 2, 4}));
}

TEST(Editing, ADragBesideTheCellsChangesNone) {
    Harness h;
    replace_document(h.state(), blank_document(1, 1));
    h.settle();
    const Document before = h.document();
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    const float middle = cells.center().y; // one feature's cell does not reach so far to the right
    h.drag({cells.right() - 60, middle}, {cells.right() - 10, middle});
    EXPECT_EQ(h.document(), before);
}

TEST(Editing, SpacePinsAndLetsGoWhatTheKeyboardIsOn) {
    Harness h;
    h.click(cell_of_x(h, 0, 1));
    h.move(k_nowhere);
    h.key(Key::down);
    h.key(Key::space);
    h.settle();
    EXPECT_EQ(h.state().view.pinned_token, Index{1});
    EXPECT_EQ(h.state().view.pinned_feature, Index{1});
    EXPECT_TRUE(h.state().status.starts_with("Pinned “")) << h.state().status;
    h.key(Key::space);
    h.settle();
    EXPECT_FALSE(h.state().view.pinned_token);
    EXPECT_TRUE(h.state().status.starts_with("No longer pinned: “")) << h.state().status;

    h.key(Key::f10, false, true);
    h.settle();
    h.key(Key::up); // Feature, the last
    h.key(Key::up); // Token
    h.key(Key::up);
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.state().view.pinned_token, Index{1}) << "from the menu too";
}

TEST(Editing, APinIsNotHiddenByACellThatWasSelectedBefore) {
    Harness h;
    h.click(cell_of_x(h, 0, 1));
    h.key(Key::right);
    const Point name{h.center_of("add-norm.card-x.tokens").x, cell_of_x(h, 2, 1).y};
    h.click(name);
    h.move(k_nowhere);
    h.settle();
    EXPECT_TRUE(h.has_text(steps_of(h, 2)));
}

// The leftmost and rightmost x of the focus colour, at the height of X's cells.
std::pair<float, float> focus_extent(Harness& h) {
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    const ImU32 wanted = to_imgui(theme(h.state().view.theme).focus);
    std::pair<float, float> x{1e6f, -1e6f};
    const ImDrawData* data = ImGui::GetDrawData();
    for (const ImDrawList* list : lists_of(*data))
        for (const ImDrawVert& v : list->VtxBuffer)
            if (v.col == wanted && v.pos.y > cells.y && v.pos.y < cells.bottom())
                x = {std::min(x.first, v.pos.x), std::max(x.second, v.pos.x)};
    return x;
}

TEST(Editing, OnlyTheMatrixWithTheKeyboardShowsASelection) {
    Harness h;
    h.click(cell_of_x(h, 1, 1));
    h.move(k_nowhere);
    h.settle();
    const Rect x = h.named("add-norm.card-x.cells").rect;
    const Rect f = h.named("add-norm.card-f.cells").rect;
    const float margin = 6;
    EXPECT_GT(focus_extent(h).first, x.x - margin);
    EXPECT_LT(focus_extent(h).second, x.right() + margin);
    h.key(Key::tab);
    h.settle();
    EXPECT_GT(focus_extent(h).first, f.x - margin);
    EXPECT_LT(focus_extent(h).second, f.right() + margin);
    EXPECT_EQ(h.state().view.hover.tensor, Tensor::f) << "and it is what lights up";
    h.key(Key::tab, false, true);
    h.settle();
    EXPECT_LT(focus_extent(h).second, x.right() + margin);
}

TEST(Editing, TypingReplacesTheSelectedCellAndEnterMovesOn) {
    Harness h;
    h.click(cell_of_x(h, 1, 2));
    h.type("-2.5");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 2), -2.5);
    h.type("7");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().x)(2, 2), 7) << "Enter went down";
    h.key(Key::z, true);
    h.key(Key::z, true);
    EXPECT_FALSE(h.state().history.can_undo()) << "two values, two steps";
}

TEST(Editing, AMatrixOfAnotherShapeIsSeenWhole) {
    Harness h;
    const Document small = h.document();
    h.become(blank_document(200, 100));
    h.settle();
    const MatrixViewport zoomed{8, 100, 50};
    h.state().view.viewport = zoomed;
    h.settle();
    h.state().apply_edits({Insert{Axis::token, 100}});
    h.settle();
    EXPECT_EQ(h.state().view.viewport, zoomed) << "one more does not move the eye";
    h.state().apply_edits({SetInput{Input::x, Matrix<double>(201, 100), {}, {}, "x.csv"}});
    h.settle();
    EXPECT_EQ(h.state().view.viewport, zoomed) << "values are none of the view's business";
    while (h.document() != small) {
        ASSERT_TRUE(h.state().history.can_undo());
        h.key(Key::z, true);
        h.settle();
    }
    EXPECT_EQ(h.state().view.viewport, MatrixViewport{});
}

TEST(Editing, AltPlusAndMinusZoomALargeMatrixAboutTheCursor) {
    Harness h;
    const auto zoom = [&] { return h.state().view.viewport.zoom; };
    h.click(cell_of_x(h, 1, 1));
    h.key(Key::equal, false, false, true);
    h.settle();
    EXPECT_EQ(zoom(), 1) << "all digits are there";

    h.become(blank_document(200, 100));
    h.settle();
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    h.click(Point{cells.right() - 10, cells.bottom() - 10});
    h.settle();
    const MatrixEditorState selected = h.state().view.of<AddNormView>().editor_x;
    ASSERT_TRUE(selected.active);
    for (int i = 0; i < 9; ++i) h.key(Key::equal, false, false, true);
    h.settle();
    EXPECT_GT(zoom(), 5);
    EXPECT_EQ(h.state().view.of<AddNormView>().editor_x, selected);
    const MatrixViewport& v = h.state().view.viewport;
    EXPECT_GT(v.row, 100);
    EXPECT_LE(v.row, static_cast<float>(selected.cursor.token));
    EXPECT_GT(v.col, 50);
    EXPECT_LE(v.col, static_cast<float>(selected.cursor.feature));
    for (int i = 0; i < 12; ++i) h.key(Key::minus, false, false, true);
    h.settle();
    EXPECT_EQ(zoom(), 1);
    EXPECT_EQ(h.document(), blank_document(200, 100)) << "no minus was typed";
}

TEST(Editing, TheEditedCellIsScrolledIntoSight) {
    Harness h;
    h.become(blank_document(200, 100));
    h.settle();
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    h.state().view.viewport.zoom = 1000;
    h.settle();
    h.click(Point{cells.x + 10, cells.y + 10});
    h.settle();
    const auto scrolled_away = [&] {
        h.state().view.viewport.row = 100;
        h.state().view.viewport.col = 50;
        h.settle();
    };
    const auto in_sight = [&] {
        const MatrixViewport& v = h.state().view.viewport;
        return v.row == 0 && v.col == 0;
    };
    scrolled_away();
    h.type("7");
    h.settle();
    EXPECT_TRUE(in_sight());
    h.key(Key::escape);
    h.settle();

    scrolled_away();
    h.key(Key::enter);
    h.settle();
    EXPECT_TRUE(in_sight()) << "Enter opens the cell too";
    h.key(Key::escape);
    h.settle();

    for (const Key key : {Key::del, Key::v}) {
        ImGui::SetClipboardText("5");
        scrolled_away();
        h.key(key, key == Key::v);
        h.settle();
        EXPECT_TRUE(in_sight()) << "what is set to zero or pasted";
    }

    // Keys that move the selection take the view along, to the far end and no farther.
    h.key(Key::end, true);
    h.settle();
    const MatrixViewport& v = h.state().view.viewport;
    EXPECT_GT(v.row, 0);
    EXPECT_GT(v.col, 0);
    EXPECT_LT(v.row, static_cast<float>(h.document().token_count()) - 1);
    EXPECT_EQ(h.state().view.of<AddNormView>().editor_x.cursor.token,
              h.document().token_count() - 1);
}

TEST(Editing, EscTakesBackWhatIsBeingTyped) {
    Harness h;
    const Document before = h.document();
    h.click(cell_of_x(h, 0, 0));
    h.type("99");
    h.key(Key::escape);
    h.settle();
    EXPECT_EQ(h.document(), before);
}

TEST(Editing, UndoTakesWhatWasSaidOfARefusalAway) {
    Harness h;
    h.click(cell_of_x(h, 0, 0));
    h.type("7");
    h.key(Key::enter);
    h.click(cell_of_x(h, 3, 4));
    ImGui::SetClipboardText("no numbers");
    h.key(Key::v, true);
    h.settle();
    ASSERT_TRUE(h.state().status_is_error);
    h.key(Key::z, true);
    EXPECT_TRUE(h.state().status.empty()) << h.state().status;
}

TEST(Editing, EscTakesBackWhatIsTypedAndThenLetsTheCellGo) {
    Harness h;
    const Document before = h.document();
    h.click(cell_of_x(h, 1, 1));
    h.key(Key::down);
    h.type("5");
    h.key(Key::escape);
    h.settle();
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.state().view.of<AddNormView>().editor_x.active);
    EXPECT_TRUE(h.state().ui.focus_visible) << "the keys still lead";
    h.key(Key::escape);
    EXPECT_FALSE(h.state().view.of<AddNormView>().editor_x.active);
    h.key(Key::n2);
    h.settle();
    EXPECT_EQ(h.document(), before);
    EXPECT_EQ(h.state().view.workspace, 1u) << "a digit is the program's again";
}

TEST(Editing, EscOnABlockLeavesItsCell) {
    Harness h;
    h.click(cell_of_x(h, 1, 1));
    h.key(Key::right, false, true);
    h.key(Key::escape);
    EXPECT_TRUE(h.state().view.of<AddNormView>().editor_x.active);
    EXPECT_EQ(h.state().view.of<AddNormView>().editor_x.block().cols, 1);
}

TEST(Editing, DeleteSetsTheSelectedCellsToZero) {
    Harness h;
    h.click(cell_of_x(h, 1, 2));
    h.key(Key::del);
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 2), 0);
}

TEST(Editing, HoveringComputesNothingTwice) {
    Harness h;
    h.move(cell_of_x(h, 2, 3));
    h.settle();
    EXPECT_EQ(h.state().view.hover.token, Index{2});
    EXPECT_EQ(h.state().view.hover.feature, Index{3});
    const auto derived = h.state().derived;
    const int distributions = h.state().memory.of<AddNormMemory>().distributions.made();
    h.move(cell_of_x(h, 1, 1));
    h.settle();
    h.move(cell_of_x(h, 2, 3));
    h.settle();
    EXPECT_EQ(h.state().derived, derived);
    const int again = h.state().memory.of<AddNormMemory>().distributions.made();
    h.move(cell_of_x(h, 1, 1));
    h.settle();
    EXPECT_EQ(h.state().memory.of<AddNormMemory>().distributions.made(), again);
    EXPECT_GE(again, distributions);
}

TEST(Editing, TheStripBelowHasTheDigitsThatCellsHaveNoRoomFor) {
    Harness h({.window = {1024, 768}});
    h.move(cell_of_x(h, 2, 5)); // 2.1 + 0.75
    h.settle();
    EXPECT_TRUE(h.has_text("studying, d5"));
    EXPECT_TRUE(h.has_text("0.75"));
    EXPECT_TRUE(h.has_text("2.85"));
    h.move({1, 1});
    h.settle();
    EXPECT_FALSE(h.has_text("studying, d5"));
}

TEST(Editing, AMessageMovesNothing) {
    Harness h;
    const auto places = [&] {
        std::vector<std::pair<float, float>> all;
        for (const NamedPart& part : h.all_of("add-norm."))
            all.emplace_back(part.rect.y, part.rect.h);
        return all;
    };
    const auto before = places();
    h.state().say("A sentence");
    h.settle();
    EXPECT_TRUE(h.has_text("A sentence"));
    EXPECT_EQ(places(), before);
}

TEST(TypingIntoAField, APressOfAButtonEndsItAndIsNotLost) {
    Harness h;
    const auto amount = [&] { return h.center_of("add-norm.try.shift.amount"); }; // of the shift
    const double before = (*h.document().x)(0, 0);
    h.click(amount());
    h.settle();
    h.key(Key::a, true);
    h.type("3");
    h.click("add-norm.try.shift");
    h.settle();
    EXPECT_EQ(h.state().view.of<AddNormView>().shift, 3);
    EXPECT_DOUBLE_EQ((*h.document().x)(0, 0), before + 3);

    h.click("add-norm.try.seed");
    h.settle();
    h.key(Key::a, true);
    h.type("11");
    h.click("add-norm.try.randomize");
    h.settle();
    const auto is_of_seed = [&](std::uint64_t seed) {
        const auto expected =
            apply(h.document(), Randomize{h.state().view.of<AddNormView>().distribution, seed});
        EXPECT_EQ(h.state().view.of<AddNormView>().seed, seed)
            << "the one that is shown made the numbers";
        EXPECT_EQ(*h.document().x, *expected->x);
    };
    is_of_seed(11);
    h.click("add-norm.try.randomize");
    h.settle();
    is_of_seed(12);

    h.key(Key::z, true);
    h.key(Key::z, true);
    EXPECT_EQ(h.state().view.of<AddNormView>().seed, 11u) << "undo takes the seed back";
    h.click("add-norm.try.randomize");
    h.settle();
    is_of_seed(11);
    h.key(Key::z, true);
    h.key(Key::y, true);
    h.click("add-norm.try.randomize");
    h.settle();
    is_of_seed(12);
}

} // namespace
} // namespace normscope::testing
