#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

// Documents of one or two tokens, or of three features: no card is half empty, and no line
// of the worked steps leaves a term out.
namespace normscope::testing {
namespace {

constexpr std::array<Size, 2> k_windows{Size{1600, 1000}, Size{1024, 768}};

TEST(FewTokens, LeaveNoRoomEmptyBetweenTheCellsAndTheirDistribution) {
    constexpr float k_gap = 16; // pixels
    for (const Size window : k_windows)
        for (const Index tokens : {1, 2}) {
            Harness h({.window = window});
            replace_document(h.state(), blank_document(tokens, 3));
            h.settle();
            for (const char* card : {"card-x", "card-y"}) {
                const Tensor which = card == std::string("card-x") ? Tensor::x : Tensor::y;
                const auto& cells =
                    h.state().memory.of<AddNormMemory>().cells_at[static_cast<std::size_t>(which)];
                ASSERT_TRUE(cells);
                const float rows = cells->port.cell_h * static_cast<float>(tokens);
                const Rect below = h.named(std::string("add-norm.") + card + ".distribution").rect;
                EXPECT_LE(below.y - (cells->area.y + rows), k_gap) << window.w << ", " << tokens;
                EXPECT_LE(below.h, 130) << "the card itself is lower";
            }
        }
}

TEST(OneToken, IsInNoDistributionBeforeThePlayedStepsHaveMadeIt) {
    Harness h({.example = "three-features"});
    const Color cover = theme(ThemeKind::light).panel.with_alpha(0.9f);
    const auto covered = [&](const char* card) {
        return !h.vertices(cover, h.named(std::string("add-norm.") + card + ".distribution").rect)
                    .empty();
    };
    h.state().view.of<AddNormView>().playing = 2;
    h.settle();
    EXPECT_FALSE(covered("card-z"));
    EXPECT_TRUE(covered("card-x-hat"));
    EXPECT_TRUE(covered("card-y"));
    h.state().view.of<AddNormView>().playing.reset();
    h.settle();
    EXPECT_FALSE(covered("card-y"));
}

// Three values, of which none is short.
Document long_numbers() {
    Document d = blank_document(1, 3);
    auto x = *d.x;
    for (Index i = 0; i < 3; ++i) x(0, i) = -12.3457 - 1.1113 * static_cast<double>(i * i);
    d.x = std::move(x);
    return d;
}

class FewFeatures : public ::testing::TestWithParam<std::string> {};

TEST_P(FewFeatures, HaveAllTheirTermsInTheWorkedSteps) {
    for (const Size window : k_windows) {
        Harness h({.window = window, .example = "three-features", .language = GetParam()});
        const auto check = [&](const std::string& what) {
            h.settle();
            for (int i = 0; i < 40 && window.w < 1600; ++i) { // to the steps, below the fold
                ImGui::GetIO().MouseWheel = -5;
                h.move({window.w - 4, window.h / 2});
            }
            h.settle();
            const Rect steps = h.named("add-norm.worked-steps").rect;
            int lines = 0;
            for (const LoggedText& t : h.log().texts) {
                if (!steps.contains(t.rect.center())) continue;
                lines += t.text.starts_with("= (") || t.text.starts_with("= ((");
                EXPECT_EQ(t.text.find("…"), std::string::npos) << what << ": " << t.text;
            }
            EXPECT_EQ(lines, 2) << what << ": of the mean and of the variance";
            EXPECT_EQ(clipped_text(h.log(), window, 1).value_or(""), "") << what;
            EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << what;
            for (const LoggedText& t : h.log().texts) {
                const bool seen = t.clip.w > 0 && intersect(t.rect, steps).h > 0;
                if (!seen || t.rect.x < steps.x) continue;
                EXPECT_LE(t.rect.bottom(), steps.bottom() + 1) << what << ": " << t.text;
            }
        };
        check("three features");
        replace_document(h.state(), long_numbers());
        check("long numbers");
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, FewFeatures, ::testing::Values("en", "de", "es"),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace normscope::testing
