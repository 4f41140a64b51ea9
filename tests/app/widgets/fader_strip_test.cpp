// The strip of many faders and its brush.
#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(FaderStrip, ABrushStrokeIsUndoneUnderANameThatCoversIt) {
    Harness h;
    replace_document(h.state(), blank_document(4, 64));
    h.settle();
    const Rect strip = h.named("add-norm.gamma.strip").rect;
    h.drag({strip.x + strip.w * 0.2f, strip.y + 20}, {strip.x + strip.w * 0.7f, strip.y + 30});
    const std::vector<double>& gamma = *h.document().gamma;
    const auto changed = [](double v) { return v != 1; };
    const auto first = std::ranges::find_if(gamma, changed) - gamma.begin();
    const auto last = gamma.rend() - std::find_if(gamma.rbegin(), gamma.rend(), changed) - 1;
    ASSERT_GT(last, first + 10);
    EXPECT_EQ(h.state().history.undo_label(),
              "γ[" + std::to_string(first) + "–" + std::to_string(last) + "] with the brush");
}

TEST(FaderStrip, ABrushStrokeBeyondTheStripStaysWithWhatIsInSight) {
    Harness h;
    replace_document(h.state(), blank_document(4, 512));
    h.settle();
    const Rect strip = h.named("add-norm.gamma.strip").rect;
    h.drag({strip.x + strip.w * 0.5f, strip.y + 20}, {strip.right() + strip.w, strip.y + 30});
    const std::vector<double>& gamma = *h.document().gamma;
    const auto last =
        gamma.rend() - std::find_if(gamma.rbegin(), gamma.rend(), [](double v) { return v != 1; });
    const auto in_sight = static_cast<std::ptrdiff_t>(strip.w / 5) + 1;
    EXPECT_GT(last, in_sight / 2);
    EXPECT_LE(last, in_sight);
}

TEST(FaderStrip, TheStripGoesWhereAFeatureIsPinnedAndTheArrowKeysPin) {
    Harness h;
    replace_document(h.state(), blank_document(4, 512));
    h.settle();
    ASSERT_EQ(h.state().view.of<AddNormView>().fader_scroll, 0);
    h.state().view.pinned_token = 0;
    h.state().view.pinned_feature = 400;
    h.settle();
    const float shown = h.state().view.of<AddNormView>().fader_scroll;
    EXPECT_GT(shown, 400 - h.named("add-norm.gamma.strip").rect.w / 5);
    EXPECT_LT(shown, 400);
    h.state().view.of<AddNormView>().fader_scroll = 0; // a wheel may go elsewhere
    h.settle();
    EXPECT_EQ(h.state().view.of<AddNormView>().fader_scroll, 0);

    h.state().ui.focus = h.named("add-norm.gamma.strip").id;
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.state().view.pinned_feature, 401);
    EXPECT_EQ(h.state().view.of<AddNormView>().fader_scroll, shown + 1);
    h.key_and_settle(Key::up);
    EXPECT_DOUBLE_EQ((*h.document().gamma)[401], 1.1);
    h.key_and_settle(Key::home);
    EXPECT_EQ(h.state().view.pinned_feature, 0);
    EXPECT_EQ(h.state().view.of<AddNormView>().fader_scroll, 0);
}

TEST(FaderStrip, TheArrowKeysLeadWhereTheMouseRestsOnTheStrip) {
    Harness h;
    replace_document(h.state(), blank_document(4, 512));
    h.settle();
    h.click_and_settle(h.named("add-norm.gamma.strip").rect.center());
    ASSERT_TRUE(h.state().view.hover.feature);
    const Index at = *h.state().view.hover.feature;
    for (const Key key : {Key::right, Key::right, Key::up}) {
        h.key_and_settle(key);
    }
    EXPECT_EQ(h.state().view.pinned_feature, at + 2);
    EXPECT_DOUBLE_EQ((*h.document().gamma)[static_cast<std::size_t>(at + 2)], 1.1);
    EXPECT_FALSE(h.state().view.hover.feature);
    h.move({h.named("add-norm.gamma.strip").rect.center().x + 1,
            h.named("add-norm.gamma.strip").rect.center().y});
    h.settle();
    EXPECT_TRUE(h.state().view.hover.feature) << "the mouse is used again";
}

TEST(FaderStrip, TheValueOfAStripIsOfTheFaderLastTouched) {
    Harness h;
    replace_document(h.state(), blank_document(4, 64));
    h.settle();
    const Rect strip = h.named("add-norm.gamma.strip").rect;
    h.click(Point{strip.x + strip.w * 0.52f, strip.y + 20});
    h.move({strip.x + 10, strip.bottom() + 60});
    h.settle();
    const auto pinned = h.state().view.pinned_feature;
    ASSERT_TRUE(pinned && *pinned > 5);
    EXPECT_NE((*h.document().gamma)[static_cast<std::size_t>(*pinned)], 1);
    EXPECT_TRUE(h.has_text(fmt::format("γ[d{}] = ", *pinned)));
}

} // namespace
} // namespace normscope::testing
