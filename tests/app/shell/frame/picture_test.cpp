#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/unfolded.h"

#include <gtest/gtest.h>

// The picture that is drawn for a file: nothing in it can be pressed.
namespace normscope::testing {
namespace {

class Picture : public ::testing::TestWithParam<Size> {};

TEST_P(Picture, HasNoControls) {
    Harness h({.window = GetParam()}); // all of every page is in sight
    unfold_pages(h.state());
    Document d = h.document();
    d.backward.loss = LossKind::distance;
    d.batch.nan_update = 3;
    h.become(d);
    const auto controls = [&] {
        return std::ranges::count_if(h.log().parts, [](const NamedPart& part) {
            const bool of_page = !part.name.starts_with("bar.") &&
                                 !part.name.starts_with("status.") &&
                                 !part.name.starts_with("outline.");
            return of_page && (part.kind == PartKind::button || part.kind == PartKind::choice ||
                               part.kind == PartKind::slider);
        });
    };
    const auto faders = [&] {
        return std::ranges::count(h.log().parts, PartKind::fader, &NamedPart::kind);
    };
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        h.state().view.workspace = w;
        h.state().ui.picture = false;
        h.settle();
        EXPECT_GT(controls(), 0) << workspace_table()[w].id;
        h.state().ui.picture = true;
        h.settle();
        EXPECT_EQ(controls(), 0) << workspace_table()[w].id;
        // Faders stay: they are the picture of γ and β.
        const bool has_faders =
            workspace_table()[w].id == "add-norm" || workspace_table()[w].id == "backward";
        EXPECT_EQ(faders(), has_faders ? std::ssize(*d.gamma) * 2 + 2 : 0)
            << workspace_table()[w].id;
    }
}

TEST_P(Picture, SaysWhatIsSet) {
    Harness h({.window = GetParam()});
    unfold_pages(h.state());
    h.state().ui.picture = true;
    h.state().view.workspace = *workspace_index("batch-vs-layer");
    h.settle();
    EXPECT_TRUE(h.has_text("4 of 4")) << "the batch size";
    EXPECT_TRUE(h.has_text("seed 1"));
    EXPECT_TRUE(h.has_text("Padding counted"));
    EXPECT_FALSE(h.has_text("Padding left out"));
}

// Nor does it ask for what can only be done at the screen.
TEST_P(Picture, AsksForNothing) {
    for (const char* example : {"studying", "nan-token"}) {
        Harness h({.window = GetParam(), .example = example});
        unfold_pages(h.state());
        Document d = h.document();
        d.backward.loss = LossKind::distance;
        h.become(d);
        for (const bool picture : {false, true}) {
            h.state().ui.picture = picture;
            std::size_t asked = 0;
            for (const char* workspace : {"batch-vs-layer", "backward"}) {
                h.state().view.workspace = *workspace_index(workspace);
                h.settle();
                for (const char* words :
                     {"(change in", "Drag or type", "point at", "Type a number"})
                    asked += h.has_text(words) ? 1u : 0u;
            }
            EXPECT_EQ(asked > 0, !picture) << example;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Windows, Picture, ::testing::Values(Size{1600, 4000}, Size{1024, 4000}));

} // namespace
} // namespace normscope::testing
