#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(PageOutline, LeadsToEachPanelOfALongPage) {
    Harness h({.window = {1024, 768}});
    h.settle();
    ASSERT_TRUE(h.has("outline.cards"));
    EXPECT_FALSE(h.has("outline.card-x")) << "it stands in the cards";
    EXPECT_GT(h.named("add-norm.worked-steps").rect.y, 768) << "below the fold";
    h.click_and_settle("outline.worked-steps");
    EXPECT_GT(h.named("add-norm.worked-steps").in_sight().h, 200);
    h.click_and_settle("outline.cards");
    EXPECT_GT(h.named("add-norm.cards").in_sight().h, 200);
    EXPECT_LT(h.named("add-norm.cards").rect.bottom(), h.named("outline.cards").rect.y + 400);
}

TEST(PageOutline, IsNotThereWhereThePageFits) {
    Harness h({.window = {1600, 1600}});
    h.settle();
    EXPECT_FALSE(h.has("outline.cards"));
}

TEST(PageOutline, FollowsTheWorkspace) {
    Harness h({.window = {1024, 768}});
    h.key_and_settle(Key::n3);
    EXPECT_TRUE(h.has("outline.surgery"));
    EXPECT_FALSE(h.has("outline.worked-steps"));
}

} // namespace
} // namespace normscope::testing
