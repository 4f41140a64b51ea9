#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/cells.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

void type_and_enter(Harness& h, const std::string& text) {
    h.type(text);
    h.key(Key::enter);
    h.settle();
}

// A typed text is refused with a sentence, or read as the number that was meant.
TEST(TypedNumbers, OnAChosenCellAreWhatWasTyped) {
    for (const std::string text : {"1,234", "1,5,2", "$5", "–2.5", "(3)", "x7", "'4", "=5", "e5"}) {
        Harness h;
        const double before = (*h.document().x)(1, 1);
        h.click(cell_of_x(h, 1, 1));
        type_and_enter(h, text);
        EXPECT_EQ((*h.document().x)(1, 1), before) << text;
        EXPECT_TRUE(h.state().status_is_error) << text;
    }
    Harness h;
    h.click(cell_of_x(h, 1, 1));
    h.type("−2.5");
    h.key(Key::tab);
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 1), -2.5);
    type_and_enter(h, "2e−3");
    EXPECT_EQ((*h.document().x)(1, 2), 2e-3);
    h.click(cell_of_x(h, 1, 1));
    type_and_enter(h, "−1,5");
    EXPECT_EQ((*h.document().x)(1, 1), -1.5) << "a decimal comma";
}

TEST(TypedNumbers, OnAClickedFaderAreWhatWasTyped) {
    for (const std::string text : {"1,234", "1,5,2", "$5", "x7"}) {
        Harness h;
        const double before = (*h.document().gamma)[1];
        h.click(h.center_of("add-norm.gamma.d1")); // γ[1]
        type_and_enter(h, text);
        EXPECT_EQ((*h.document().gamma)[1], before) << text;
        EXPECT_TRUE(h.state().status_is_error) << text;
    }
    Harness h;
    h.click(h.center_of("add-norm.gamma.d1"));
    type_and_enter(h, "1,234");
    EXPECT_TRUE(h.state().status_is_error);
    type_and_enter(h, "1,5");
    EXPECT_EQ((*h.document().gamma)[1], 1.5) << "a decimal comma";
    type_and_enter(h, "−2.5");
    EXPECT_EQ((*h.document().gamma)[1], -2.5);
    type_and_enter(h, "+.5");
    EXPECT_EQ((*h.document().gamma)[1], 0.5);
}

TEST(TypedNumbers, BesideASliderAreWhatWasTyped) {
    Harness h;
    h.click("add-norm.eps.value");
    h.frames(3);
    type_and_enter(h, "1,234");
    EXPECT_EQ(h.document().eps, 1e-5);
    EXPECT_TRUE(h.state().status_is_error);
    h.click("add-norm.eps.value");
    h.frames(3);
    type_and_enter(h, "0,125");
    EXPECT_EQ(h.document().eps, 0.125);
}

// Several letters in one slow frame.
TEST(TypedNumbers, KeepEveryLetterOfAFrame) {
    Harness h;
    h.click(cell_of_x(h, 1, 1));
    for (const unsigned c : {0x2212u, unsigned{'2'}, unsigned{'e'}, 0x2212u, unsigned{'1'}})
        ImGui::GetIO().AddInputCharacter(c);
    h.frames(3);
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().x)(1, 1), -0.2);
}

} // namespace
} // namespace normscope::testing
