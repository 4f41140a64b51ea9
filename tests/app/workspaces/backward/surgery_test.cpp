// The Backward workspace as it opens: the surgery large, the rest folded.
#include "app/charts/bars.h"
#include "app/charts/number_format.h"
#include "tests/app/workspaces/backward/backwards.h"
#include "tests/app/workspaces/controls.h"

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
};

TEST(BackwardSurgery, ThePageOpensWithFewControlsOnOneScreen) {
    OpenedBackward h;
    EXPECT_LE(control_count(h, "backward"), 25);
    for (const std::string shown : {"dy", "surgery", "add", "parameters"}) {
        const NamedPart& panel = h.named("backward." + shown);
        EXPECT_LE(panel.rect.bottom(), panel.clip.bottom()) << shown;
    }
    for (const std::string folded : {"jacobian", "see-saw", "conventions", "published", "learn"})
        EXPECT_FALSE(h.has("backward." + folded)) << folded;
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

TEST(BackwardSurgery, PlayMakesOneCutAfterTheOther) {
    OpenedBackward h;
    const Index token = h.state().view.pinned_token.value_or(0);
    const Surgery s =
        backward_of({h.document(), *h.state().derived, h.state().view, nullptr, h.state().memory})
            .surgery(token);
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
    while (h.view().cut && *h.view().cut < 1.5) h.frame();
    ASSERT_TRUE(h.view().cut);
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
    const Index token = h.state().view.pinned_token.value_or(0);
    const Surgery s =
        backward_of({h.document(), *h.state().derived, h.state().view, nullptr, h.state().memory})
            .surgery(token);
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

} // namespace
} // namespace normscope::testing
