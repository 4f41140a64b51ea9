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

TEST(PageOutline, NamesEveryPanelInEveryLanguage) {
    for (const char* language : {"en", "de", "es"}) {
        Harness h({.window = {1024, 768}, .language = language});
        h.settle();
        for (const std::string panel : {"cards", "before-after", "faders", "setup", "worked-steps"})
            EXPECT_TRUE(h.has("outline." + panel)) << language << " " << panel;
    }
}

TEST(StatusLine, NamesNoMatrixWithoutItsValue) {
    for (const float width : {1024.0f, 1100.0f, 1200.0f, 1600.0f}) {
        Harness h({.window = {width, 768}});
        h.move(h.named("add-norm.card-x.cells").cell(1, 1).center());
        h.settle();
        const Rect line = h.named("status").rect;
        std::string last;
        float right = 0;
        for (const LoggedText& t : h.log().texts) {
            const Point at = t.rect.center();
            if (!line.contains(at) || !t.clip.contains(at) || t.rect.right() < right) continue;
            right = t.rect.right();
            last = t.text;
        }
        EXPECT_TRUE(last == "…" || last.find_first_of("0123456789") != last.npos)
            << width << ": " << last;
    }
}

} // namespace
} // namespace normscope::testing
