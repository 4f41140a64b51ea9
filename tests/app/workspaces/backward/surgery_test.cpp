// The Backward workspace as it opens: the surgery large, the rest folded.
#include "app/charts/bars.h"
#include "app/charts/number_format.h"
#include "tests/app/workspaces/backward/backwards.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

struct OpenedBackward : Harness {
    explicit OpenedBackward(Setup setup = {}) : Harness(std::move(setup)) {
        key(Key::n3);
        settle();
    }
    const BackwardView& view() { return state().view.of<BackwardView>(); }
    Surgery surgery() { // of the pinned token
        return state()
            .memory.of<BackwardMemory>()
            .backward.of(document())
            .surgery(state().view.pinned_token.value_or(0));
    }
};

TEST(BackwardSurgery, ThePageOpensWithFewControlsOnOneScreen) {
    OpenedBackward h;
    for (const std::string shown : {"dy", "surgery", "add", "parameters"}) {
        const NamedPart& panel = h.named("backward." + shown);
        EXPECT_LE(panel.rect.bottom(), panel.clip.bottom()) << shown;
    }
    for (const std::string folded : {"jacobian", "see-saw", "conventions", "published", "learn"})
        EXPECT_FALSE(h.has("backward." + folded)) << folded;
}

TEST(BackwardSurgery, SaysWhatDyAndDzAreAndWhatIsCutOff) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        OpenedBackward h({.window = window});
        EXPECT_TRUE(h.has_text("dY says how the loss changes")) << window.w;
        EXPECT_TRUE(h.has_text("dz says how the loss changes")) << window.w;
        EXPECT_TRUE(h.has_text("a shift, its mean")) << window.w;
        Document d = h.document();
        d.norm.kind = NormKind::rms;
        h.become(d);
        h.settle();
        EXPECT_TRUE(h.has_text("dz says how the loss changes")) << window.w;
        EXPECT_FALSE(h.has_text("a shift, its mean")) << "RMS norm takes no mean off";
        EXPECT_TRUE(h.has_text("its part along")) << window.w;
    }
}

TEST(BackwardSurgery, AFoldedPanelComesIntoSightAndGoes) {
    OpenedBackward h;
    h.click_and_settle("backward.see-saw.unfold");
    const NamedPart& panel = h.named("backward.see-saw");
    EXPECT_LE(panel.rect.bottom(), panel.clip.bottom() + 1);
    EXPECT_FALSE(h.app().animating());
    h.click_and_settle("backward.see-saw.unfold");
    EXPECT_FALSE(h.has("backward.see-saw"));
    EXPECT_FALSE(h.state().history.can_undo()) << "a look is no edit";
}

TEST(BackwardSurgery, OneBadgeOpensTheListOfAllChecks) {
    OpenedBackward h;
    EXPECT_EQ(std::ranges::count_if(h.log().parts,
                                    [](const auto& part) { return part.name.ends_with(".badge"); }),
              1);
    h.click_and_settle("backward.surgery.badge");
    for (const std::string of : {"dz-group", "dz", "dgamma", "dbeta"})
        EXPECT_TRUE(h.has("backward.checks." + of + ".badge")) << of;
    EXPECT_FALSE(h.has("backward.checks.jacobian.badge")) << "it is not on the page";
}

// All of a row's dY alike: its dz is 0 but for rounding, of either sign, on a scale that begins at
// 0.
TEST(BackwardSurgery, NumbersOfMereRoundingStayInTheirRow) {
    OpenedBackward h;
    for (int hundredths = 1; hundredths <= 60; ++hundredths) {
        const double alike = hundredths / 100.0;
        Document d = h.document();
        d.gamma = std::vector<double>(static_cast<std::size_t>(d.feature_count()), 1.0);
        d.backward.dy = Matrix<double>::Constant(d.token_count(), d.feature_count(), alike).eval();
        h.become(std::move(d));
        h.settle();
        const Rect panel = h.named("backward.surgery").rect;
        const float foot = panel.bottom() - 22 - 5; // the sentence below the rows
        int numbers = 0;
        for (const LoggedText& text : h.log().texts) {
            if (!panel.contains(text.rect.center()) || text.text != "0.0000") continue;
            ++numbers;
            EXPECT_LE(text.rect.bottom(), foot) << alike;
        }
        EXPECT_GT(numbers, 6) << alike;
    }
}

TEST(BackwardSurgery, TheNumbersOfDzLeaveAFifthOfTheirCellsFree) {
    OpenedBackward h;
    for (const char* const part : {"dz", "dx", "df"}) {
        const Rect cells = h.named(std::string("backward.add.") + part).rect;
        const float cell_w = cells.w / static_cast<float>(h.document().feature_count());
        int numbers = 0;
        for (const LoggedText& t : h.log().texts) {
            if (!cells.contains(t.rect.center())) continue;
            EXPECT_LE(t.rect.w, 0.8f * cell_w + 0.5f) << t.text;
            ++numbers;
        }
        EXPECT_EQ(numbers, h.document().x->size()) << part;
    }
}

TEST(BackwardSurgery, PlayMakesOneCutAfterTheOther) {
    OpenedBackward h;
    const Surgery s = h.surgery();
    const Rect panel = h.named("backward.surgery").rect;
    const auto shown = [&](const Vector<double>& row) {
        return std::ranges::any_of(h.log().texts, [&](const LoggedText& t) {
            return t.text == fixed_text(row[0], 4) && panel.contains(t.rect.center());
        });
    };
    EXPECT_TRUE(shown(s.centred) && shown(s.projected) && shown(s.dz));
    h.click("backward.surgery.play");
    h.frame();
    ASSERT_TRUE(h.view().cut);
    EXPECT_TRUE(h.app().animating());
    EXPECT_TRUE(shown(s.a));
    EXPECT_FALSE(shown(s.centred));
    while (h.view().cut && *h.view().cut < 0.5) h.frame();
    EXPECT_TRUE(h.has_text("The first cut"));
    while (h.view().cut && *h.view().cut < 1.5) h.frame();
    ASSERT_TRUE(h.view().cut);
    EXPECT_TRUE(h.has_text("The second cut"));
    EXPECT_TRUE(shown(s.centred));
    EXPECT_FALSE(shown(s.dz)) << "its cut is still to come";
    h.settle();
    EXPECT_FALSE(h.view().cut);
    EXPECT_TRUE(shown(s.dz));
}

TEST(BackwardSurgery, WithReducedMotionEachCutIsAPress) {
    OpenedBackward h;
    h.state().view.reduce_motion = true;
    h.settle();
    for (const double cut : {0.0, 1.0, 2.0}) {
        h.click_and_settle("backward.surgery.play");
        EXPECT_EQ(h.view().cut, cut);
    }
    h.click_and_settle("backward.surgery.play");
    EXPECT_FALSE(h.view().cut);
}

// A number belongs to the bar at whose end it stands.
TEST(BackwardSurgery, ANumberStandsAtTheEndOfItsBar) {
    OpenedBackward h;
    const Surgery s = h.surgery();
    const Rect row = h.named("backward.terms.gamma").rect;
    const Color color = theme(h.state().view.theme).of(Stage::gamma).with_alpha(0.85f);
    for (Index i = 0; i < s.a.size(); ++i) {
        const Rect slot = bar_slot(row, s.a.size(), i);
        const auto corners = h.vertices(color, slot);
        ASSERT_FALSE(corners.empty());
        const auto [top, bottom] = std::ranges::minmax_element(corners, {}, &Point::y);
        const std::string text = fixed_text(s.a[i], 4);
        const auto number = std::ranges::find_if(h.log().texts, [&](const LoggedText& t) {
            return t.text == text && slot.contains(t.rect.center());
        });
        ASSERT_NE(number, h.log().texts.end()) << text;
        const float apart =
            s.a[i] < 0 ? number->rect.y - bottom->y : top->y - number->rect.bottom();
        EXPECT_LT(std::abs(apart), 6) << text;
    }
}

// Beyond the line of what is taken next, and not in what was there before the step.
TEST(BackwardSurgery, ANumberLiesOverNoMarkAndNoGhost) {
    OpenedBackward h;
    const Surgery s = h.surgery();
    const auto number_at = [&](const std::string& row, double value) {
        const Rect r = h.named("backward.terms." + row).rect;
        const auto found = std::ranges::find_if(h.log().texts, [&](const LoggedText& t) {
            return t.text == fixed_text(value, 4) && r.contains(t.rect.center());
        });
        EXPECT_NE(found, h.log().texts.end()) << value;
        return found->rect;
    };
    // The numbers of the two bars that are not shorter than their marks tell the scale.
    const auto mark = [&](Index i) { return s.pull[static_cast<std::size_t>(i)] * s.mean_ax; };
    ASSERT_GT(s.centred[0], mark(0));
    ASSERT_GT(s.centred[2], mark(2));
    ASSERT_LT(s.centred[5], mark(5)) << "its mark is beyond its end";
    const float tall = number_at("mean", s.centred[0]).y, low = number_at("mean", s.centred[2]).y;
    const auto share = static_cast<float>((mark(5) - s.centred[2]) / (s.centred[0] - s.centred[2]));
    EXPECT_NEAR(number_at("mean", s.centred[5]).y, low + share * (tall - low), 1);
    // x̂·mean takes nearly all of the first bar.
    const Rect row = h.named("backward.terms.projection").rect;
    const Rect number = number_at("projection", s.projected[0]);
    const Color ghost = theme(h.state().view.theme).ink_soft.with_alpha(0.14f);
    for (const Point& p : h.vertices(ghost, bar_slot(row, s.a.size(), 0)))
        EXPECT_LE(p.y, number.y + 1);
}

} // namespace
} // namespace normscope::testing
