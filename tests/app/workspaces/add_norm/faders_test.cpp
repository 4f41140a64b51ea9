// Faders, sliders and the numbers beside them.
#include "app/layout/sliders.h"
#include "app/shell/files/file_commands.h"
#include "app/widgets/controls.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"
#include "tests/app/workspaces/unfolded.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <utility>

namespace normscope::testing {
namespace {

TEST(Faders, DraggingAFaderIsOneUndoStepHoweverManyFramesItTakes) {
    Harness h;
    const Document before = h.document();
    const Point cap = h.center_of("add-norm.gamma.d1"); // γ[1]
    h.drag(cap, {cap.x, cap.y - 60}, 40);
    ASSERT_NE((*h.document().gamma)[1], (*before.gamma)[1]);
    EXPECT_EQ((*h.document().gamma)[0], (*before.gamma)[0]) << "its neighbours stay";
    EXPECT_TRUE(h.state().history.undo_label().starts_with("γ[")) << h.state().history.undo_label();
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo());
    h.key(Key::y, true);
    EXPECT_NE((*h.document().gamma)[1], (*before.gamma)[1]);
}

TEST(Faders, AValueThatIsNoNumberIsTypedShownAndTakenBack) {
    Harness h;
    const Document before = h.document();
    h.double_click(h.center_of("add-norm.gamma.d1"));
    h.type("nan");
    h.key(Key::enter);
    h.settle();
    EXPECT_TRUE(std::isnan((*h.document().gamma)[1]));
    EXPECT_TRUE(h.has_text("NaN"));
    const Point cap = h.center_of("add-norm.gamma.d1");
    h.drag(cap, {cap.x, cap.y - 20});
    EXPECT_TRUE(std::isfinite((*h.document().gamma)[1])) << "a drag begins at 1";
    h.key(Key::z, true);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);

    Document wide = blank_document(4, 64);
    wide.gamma = std::vector<double>(64, std::nan(""));
    replace_document(h.state(), wide);
    h.settle();
    EXPECT_TRUE(std::isnan((*h.document().gamma)[0]));
}

TEST(Faders, SayWhatTheyAreForAndWhatUndoesTheNorm) {
    constexpr std::pair<const char*, const char*> k_said[] = {
        {"layer", "γ=√(σ²+ε) and β=μ undo the norm of one token."},
        {"rms", "and β=0 undo the norm of one token."},
        {"batch", "and β=μ undo the norm."}, // of every token: γ is the feature's
        {"none", "Training learns γ and β: they"}};
    Harness h;
    for (const auto& [norm, said] : k_said) {
        h.click_and_settle(std::string("add-norm.norm.") + norm);
        EXPECT_TRUE(h.has_text(said)) << norm;
    }
}

TEST(Faders, GiveNoHeightToWordsWhereTheyHaveLittle) {
    Harness h({.window = {1024, 768}});
    EXPECT_FALSE(h.has_text("Training learns γ and β"));
    EXPECT_GT(h.named("add-norm.gamma.d1").in_sight().h, 60);
}

TEST(Sliders, GiveTheNumbersThatOneWouldType) {
    EXPECT_EQ(to_significant(3.0000000000000004e-9, 1), 3e-9);
    EXPECT_EQ(to_significant(0.30000000000000004, 1), 0.3);
    EXPECT_EQ(to_significant(0.0999999999999, 1), 0.1);
    EXPECT_EQ(to_significant(-12345, 2), -12000);
    const SliderSpec spec = two_digits(1, 1e-5, 1e5, 1, "");
    for (int i = 0; i <= 1000; ++i) {
        const double v = spec.from_unit(i / 1000.0);
        EXPECT_EQ(v, std::stod(fmt::format("{:.1e}", v)));
        EXPECT_NEAR(spec.to_unit(v), i / 1000.0, 0.003);
    }
    EXPECT_EQ(spec.from_unit(0), 1e-5);
    EXPECT_EQ(spec.from_unit(1), 1e5);
}

TEST(Faders, AFaderWithTheKeyboardLightsItsFeature) {
    Harness h;
    h.state().ui.focus = h.named("add-norm.gamma.d1").id; // γ[1]
    h.state().ui.focus_visible = true;
    h.frame();
    EXPECT_EQ(h.state().view.hover.feature, 1);
    h.key(Key::tab);
    h.frame();
    EXPECT_EQ(h.state().view.hover.feature, 2);
}

TEST(Faders, TabGoesFromTheLowEndOfARangeToItsHighOne) {
    Harness h;
    h.state().ui.focus = h.named("add-norm.gamma.range-low").id;
    h.state().ui.focus_visible = true;
    h.frame();
    h.key(Key::tab);
    h.frame();
    EXPECT_EQ(h.state().ui.focus, h.named("add-norm.gamma.range-high").id);
}

TEST(Faders, AFaderIsLiveAndLeavesTheStatisticsAlone) {
    Harness h;
    const int before = h.state().derived->normalized();
    const double y = h.state().derived->view(Tensor::y)(0, 1);
    const Point cap = h.center_of("add-norm.gamma.d1");
    h.move(cap);
    h.frame();
    h.press();
    h.move({cap.x, cap.y - 50});
    EXPECT_NE(h.state().derived->view(Tensor::y)(0, 1), y) << "in the very frame of the move";
    EXPECT_EQ(h.state().derived->normalized(), before);
    EXPECT_TRUE(h.state().ghost) << "the curves as they stood when the drag began";
    h.release();
    EXPECT_FALSE(h.state().ghost);
}

TEST(Faders, ADraggedFrameIsDrawnAsOneAtRest) {
    for (const auto& [workspace, fader] :
         {std::pair(Key::n1, "add-norm.gamma.d1"), {Key::n3, "backward.gamma.d1"}}) {
        Harness h({.window = {1600, 3000}});
        unfold_pages(h.state());
        h.key(workspace);
        h.settle();
        const Point from = h.center_of(fader);
        h.move(from);
        h.frame();
        h.press();
        h.move({from.x + 3, from.y - 20}); // past where a press becomes a drag
        for (const Point by : {Point{9, -31}, Point{30, -17}, Point{9, -40}}) {
            const Document before = h.document();
            h.move({from.x + by.x, from.y + by.y});
            EXPECT_FALSE(before == h.document());
            const std::uint64_t dragged = h.draw_digest();
            h.frame();
            EXPECT_EQ(h.draw_digest(), dragged);
            h.move({from.x + by.x, from.y + by.y}); // the mouse comes, and nothing changes
            EXPECT_EQ(h.draw_digest(), dragged);
        }
        h.release();
    }
}

TEST(Faders, EscTakesBackWhatIsBeingDragged) {
    for (const auto& [workspace, fader] :
         {std::pair(Key::n1, "add-norm.gamma.d1"), {Key::n3, "backward.gamma.d1"}}) {
        Harness h({.window = {1600, 3000}});
        unfold_pages(h.state());
        h.key(workspace);
        h.settle();
        h.state().view.of<AddNormView>().playing = 1; // Esc would end this too
        h.settle();
        const Document before = h.document();
        const Point from = h.center_of(fader);
        h.move(from);
        h.frame();
        h.press();
        for (const float by : {5.0f, 12.0f, 20.0f}) h.move({from.x, from.y - by});
        ASSERT_NE(h.document(), before);
        h.key(Key::escape);
        EXPECT_EQ(h.document(), before);
        EXPECT_TRUE(h.state().view.of<AddNormView>().playing) << "only the drag was meant";
        h.move({from.x, from.y - 40}); // the button is still down
        h.settle();
        EXPECT_EQ(h.document(), before);
        h.release();
        h.settle();
        EXPECT_EQ(h.document(), before);
        EXPECT_FALSE(h.state().history.can_undo());
        EXPECT_FALSE(h.state().history.can_redo());
    }
}

TEST(Faders, OfTheWidestRangeStandWhereTheirValuesAre) {
    Harness h;
    h.state().apply_edits({SetParamRange{Param::gamma, {-1.7e308, 1.7e308}}});
    h.settle();
    const Point from = h.center_of("add-norm.gamma.d1");
    h.drag(from, {from.x, from.y - 30});
    const double value = (*h.document().gamma)[1];
    EXPECT_GT(value, 1e307);
    const FaderRange range = h.document().range(Param::gamma);
    EXPECT_EQ(range, (FaderRange{-1.7e308, 1.7e308}));
    EXPECT_GT(range.unit_of(value), 0.6);
    EXPECT_LT(range.unit_of(value), 0.9);
}

TEST(Faders, TheMenuOfAFaderResetsTypesAndCopies) {
    Harness h;
    const double before = (*h.document().gamma)[1];
    h.click(h.center_of("add-norm.gamma.d1"), 1);
    h.settle();
    EXPECT_EQ((*h.document().gamma)[1], before) << "a menu changes nothing by itself";
    h.click("add-norm.gamma.d1.menu.copy");
    h.settle();
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), fmt::format("{}", before));
    EXPECT_FALSE(h.has("add-norm.gamma.d1.menu.copy")) << "it is closed";
    h.click(h.center_of("add-norm.gamma.d1"), 1);
    h.settle();
    h.click("add-norm.gamma.d1.menu.type");
    h.frames(3);
    h.type("2.5");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().gamma)[1], 2.5);
    h.click(h.center_of("add-norm.gamma.d1"), 1);
    h.settle();
    h.click("add-norm.gamma.d1.menu.reset");
    h.settle();
    EXPECT_EQ((*h.document().gamma)[1], 1.0);
}

TEST(Faders, TheMenuOpensByKeyAndEscClosesItAlone) {
    Harness h;
    h.click("add-norm.gamma.d1");
    const Document before = h.document();
    h.key(Key::f10, false, true);
    h.settle();
    ASSERT_TRUE(h.has("add-norm.gamma.d1.menu.reset"));
    h.key(Key::escape);
    h.settle();
    EXPECT_FALSE(h.has("add-norm.gamma.d1.menu.reset"));
    EXPECT_EQ(h.document(), before);
    EXPECT_EQ(h.focused(), "add-norm.gamma.d1");
    h.key(Key::menu);
    h.settle();
    h.key(Key::down);
    h.key(Key::enter);
    h.settle();
    EXPECT_FALSE(h.has("add-norm.gamma.d1.menu.reset"));
    EXPECT_EQ(h.state().view.workspace, 0u);
}

TEST(Faders, ItsMenuAndDeleteTakeARangeBackThatGrewToATypedValue) {
    Harness h;
    const Point cap = h.center_of("add-norm.gamma.d1");
    for (const bool by_key : {false, true}) {
        h.double_click(cap);
        h.type("50");
        h.key(Key::enter);
        h.settle();
        const Document grown = h.document();
        ASSERT_EQ(grown.gamma_range.hi, 50);
        if (by_key)
            h.key(Key::del);
        else {
            h.click(cap, 1);
            h.settle();
            h.click("add-norm.gamma.d1.menu.reset");
        }
        h.settle();
        EXPECT_EQ((*h.document().gamma)[1], 1.0);
        EXPECT_EQ(h.document().gamma_range, k_gamma_range);
        h.key(Key::z, true);
        EXPECT_EQ(h.document(), grown);
    }
}

TEST(Faders, ADoubleClickOnAValueOpensItForTyping) {
    Harness h;
    h.double_click(h.center_of("add-norm.gamma.d1.value"));
    h.frames(3);
    h.type("2.5");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().gamma)[1], 2.5);
    EXPECT_EQ(h.state().view.workspace, 0u) << "no digit was taken for the key of a workspace";
}

TEST(Faders, ADoubleClickOnASliderOpensItsValueForTyping) {
    Harness h;
    h.double_click(h.center_of("add-norm.eps"));
    h.frames(3);
    h.type("0.25");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.document().eps, 0.25);
    EXPECT_EQ(h.state().view.workspace, 0u) << "no digit was taken for the key of a workspace";
}

TEST(Sliders, EpsilonIsADigitAndAPowerOfTen) {
    Harness h;
    const Rect track = h.named("add-norm.eps").rect;
    h.move(track.center());
    h.press();
    std::set<double> seen;
    for (float x = track.x; x < track.right(); x += 3) {
        h.move({x, track.center().y});
        const double eps = h.document().eps;
        EXPECT_EQ(eps, std::stod(fmt::format("{:.0e}", eps))) << fmt::format("{}", eps);
        seen.insert(eps);
    }
    h.release();
    EXPECT_GT(seen.size(), 20u);
}

// Gives the keyboard to a widget, as Tab does.
void focus(Harness& h, const NamedPart& widget) {
    h.state().ui.focus = widget.id;
    h.state().ui.focus_visible = true;
    h.settle();
}

TEST(Faders, EnterOpensTheNumberBesideASlider) {
    Harness h;
    const NamedPart value = h.named("add-norm.eps.value");
    focus(h, value);
    h.key(Key::enter);
    EXPECT_EQ(h.state().ui.text_edit, value.id) << "the same Enter does not end it";
    h.frames(3);
    h.type("0.25");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ(h.document().eps, 0.25);
}

void type_two_and_a_half(Harness& h) {
    h.type("2");
    h.settle();
    EXPECT_EQ(h.state().view.workspace, 0u) << "no digit was taken for the key of a workspace";
    h.type(".5");
    h.key(Key::enter);
    h.settle();
}

// A character a frame, as they come from a quick hand.
void type_quickly(Harness& h, const std::string& text) {
    for (const char c : text) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
        h.frame();
    }
    h.settle();
    h.key(Key::enter);
    h.settle();
}

TEST(Faders, TypingOnAFaderOrATrackThatHasTheKeyboardTypesItsValue) {
    Harness h;
    focus(h, h.named("add-norm.gamma.d1")); // γ[1]
    type_two_and_a_half(h);
    EXPECT_EQ((*h.document().gamma)[1], 2.5);
    focus(h, h.named("add-norm.eps"));
    type_quickly(h, "3.25");
    EXPECT_EQ(h.document().eps, 3.25);
    focus(h, h.named("add-norm.gamma.d2")); // γ[2]
    type_quickly(h, "0.75");
    EXPECT_EQ((*h.document().gamma)[2], 0.75);
}

TEST(Faders, AClickGivesTheFaderTheDigitsAndADragDoesNot) {
    Harness h;
    const Point gamma_1 = h.center_of("add-norm.gamma.d1");
    h.click(gamma_1);
    type_two_and_a_half(h);
    EXPECT_EQ((*h.document().gamma)[1], 2.5);
    EXPECT_EQ(h.state().view.workspace, 0u);
    h.drag(gamma_1, {gamma_1.x, gamma_1.y + 20});
    h.key(Key::n2);
    EXPECT_EQ(h.state().view.workspace, 1u);
}

TEST(Faders, TypingReplacesTheNumberBesideASlider) {
    Harness h;
    focus(h, h.named("add-norm.eps.value"));
    type_two_and_a_half(h);
    EXPECT_EQ(h.document().eps, 2.5);
}

TEST(Faders, EnterOpensTheValueOfAFader) {
    Harness h;
    focus(h, h.named("add-norm.gamma.d1")); // γ[1]'s
    h.key(Key::enter);
    h.frames(3);
    h.type("2.5");
    h.key(Key::enter);
    h.settle();
    EXPECT_EQ((*h.document().gamma)[1], 2.5);
}

TEST(Faders, AVeryLargeValueFitsBelowItsFader) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        Document d = h.document();
        std::vector<double> gamma = *d.gamma;
        gamma[2] = -5.26e19;
        gamma[3] = 1234567;
        d.gamma = gamma;
        h.become(d);
        h.settle();
        const auto below = [&](const std::string& fader) { // the digits under it
            const Rect value = h.named("add-norm.gamma." + fader + ".value").rect;
            std::string text;
            for (const LoggedText& t : h.log().texts)
                if (value.contains(t.rect.center())) text += t.text;
            return text;
        };
        EXPECT_TRUE(below("d2").starts_with("−5")) << below("d2");
        EXPECT_TRUE(below("d2").ends_with("e19")) << below("d2");
        EXPECT_EQ(below("d3").find("…"), std::string::npos) << below("d3");
        EXPECT_EQ(below("d0"), "1.00") << "the others keep theirs";
    }
}

TEST(Faders, LongValuesBelowFadersStandApart) {
    Harness h;
    Document d = h.document();
    d.beta = std::vector<double>(6, -8600000);
    h.become(d);
    h.settle();
    std::vector<Rect> rects;
    for (const NamedPart& value : h.all_of("add-norm.beta.d"))
        for (const LoggedText& t : h.log().texts)
            if (t.text.ends_with("e6") && value.rect.contains(t.rect.center()))
                rects.push_back(t.rect);
    ASSERT_GE(rects.size(), 6u);
    for (std::size_t i = 1; i < rects.size(); ++i)
        EXPECT_GE(rects[i].x - rects[i - 1].right(), 3) << i;
}

// Narrow ones have values and names on two lines by turns; each still stands below its own fader.
TEST(Faders, ThereIsOneForEachOfSixteenFeaturesWithItsValueBelow) {
    Harness h({.window = {1600, 1000}});
    for (const Index n : {7, 8, 9, 12, 16}) {
        Document d = blank_document(3, n);
        std::vector<double> gamma(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] = 0.01 * static_cast<double>(i);
        d.gamma = gamma;
        d.beta = std::vector<double>(gamma.size(), -1.25);
        replace_document(h.state(), d);
        h.settle();
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << n;
        EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << n;
        const auto each = static_cast<std::size_t>(n) + 1; // and one for all
        for (std::size_t i = 0; i < 2 * each; ++i) {
            const bool beta = i >= each;
            const std::size_t at = i % each;
            const std::string value = beta      ? "−1.25"
                                      : at == 0 ? "…"
                                                : fmt::format("{:.2f}", gamma[at - 1]);
            const std::string name = at == 0 ? "all" : fmt::format("d{}", at - 1);
            const Rect track = h.named((beta ? "add-norm.beta." : "add-norm.gamma.") + name).rect;
            for (const std::string& text : {value, name})
                EXPECT_TRUE(std::ranges::any_of(h.log().texts,
                                                [&](const LoggedText& t) {
                                                    return t.text == text &&
                                                           t.rect.y > track.bottom() &&
                                                           std::abs(t.rect.center().x -
                                                                    track.center().x) < 1.5f;
                                                }))
                    << text << " of " << i << " of " << n;
        }
    }
}

TEST(Faders, EnterEndsTypingInOneAndOpensNoOther) {
    Harness h;
    h.click("add-norm.gamma.d5"); // γ[5] has the keyboard
    h.click("add-norm.gamma.d2.value");
    h.type("4");
    h.key(Key::enter);
    EXPECT_EQ((*h.document().gamma)[2], 4);
    EXPECT_EQ(h.state().ui.text_edit, 0u);
    EXPECT_EQ(h.state().ui.focus, h.named("add-norm.gamma.d2").id);
}

TEST(Faders, ANarrowFaderMovesItsOwnValueAlone) {
    Harness h({.window = {1600, 1000}});
    replace_document(h.state(), blank_document(3, 16));
    h.settle();
    const Point cap = h.center_of("add-norm.gamma.d11"); // γ[11]
    h.drag(cap, {cap.x + 3, cap.y - 40}, 10);
    std::vector<double> gamma = *h.document().gamma;
    EXPECT_GT(std::exchange(gamma[11], 1), 1);
    EXPECT_EQ(gamma, std::vector<double>(16, 1.0));
}

TEST(Faders, HomeAndEndGoToTheEndsOfASlider) {
    Harness h;
    h.click(h.center_of("add-norm.eps"));
    h.key(Key::end);
    h.settle();
    EXPECT_EQ(h.document().eps, 1);
    h.key(Key::home);
    h.settle();
    EXPECT_EQ(h.document().eps, 0);
}

TEST(Faders, ArrowKeysMoveTheFaderThatHasTheFocus) {
    Harness h;
    const Point cap = h.center_of("add-norm.gamma.d1");
    h.click(cap);
    const double clicked = (*h.document().gamma)[1];
    h.key(Key::up);
    EXPECT_NEAR((*h.document().gamma)[1], clicked + 0.1, 1e-9);
    h.key(Key::home);
    EXPECT_EQ((*h.document().gamma)[1], h.document().gamma_range.lo) << "as of a slider";
    h.key(Key::end);
    EXPECT_EQ((*h.document().gamma)[1], h.document().gamma_range.hi);
    h.key(Key::del);
    EXPECT_EQ((*h.document().gamma)[1], 1.0);
}

} // namespace
} // namespace normscope::testing
