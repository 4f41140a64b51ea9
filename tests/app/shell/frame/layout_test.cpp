#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/memory.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <gtest/gtest.h>

// Every example and every theme at the sizes and scales a class may use: no widget lies over
// another, no text over another, and no text is cut without saying so.
namespace normscope::testing {
namespace {

struct Screen {
    Size window;
    float scale;
};

std::string screen_name(const ::testing::TestParamInfo<Screen>& info) {
    return std::to_string(static_cast<int>(info.param.window.w)) + "x" +
           std::to_string(static_cast<int>(info.param.window.h)) + "_at_" +
           std::to_string(static_cast<int>(info.param.scale * 100));
}

class Layout : public ::testing::TestWithParam<Screen> {
  protected:
    static void check(Harness& h, const std::string& what) {
        const Screen& screen = GetParam();
        EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << what;
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << what;
        EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << what;
        EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "") << what;
    }

    // The workspace that the example is for; where it is for none, each of them.
    static void check_workspaces(Harness& h, const Example& shown) {
        for (std::size_t w = 0; w < workspace_table().size(); ++w) {
            const std::string id(workspace_table()[w].id);
            if (!shown.workspace.empty() && shown.workspace != id) continue;
            h.state().view.workspace = w;
            h.settle();
            check(h, id + ", " + shown.id + ", " + std::string(theme_id(h.state().view.theme)));
        }
    }
};

TEST_P(Layout, NothingOverlapsAndNothingIsCut) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    for (std::size_t i = 0; i < h.state().examples.size(); ++i) {
        open_example(h.state(), i);
        check_workspaces(h, h.state().examples[i]);
        if (::testing::Test::HasFailure()) return; // the first one tells enough
    }
}

// A theme changes colours, no places: one example shows it.
TEST_P(Layout, NothingOverlapsAndNothingIsCutInEveryTheme) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    for (const ThemeKind theme : k_themes) {
        h.state().view.theme = theme;
        check_workspaces(h, *find_example(h.state().examples, k_default_example));
    }
}

TEST_P(Layout, TheEndOfTheWorkspaceToo) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        h.state().view.workspace = w;
        for (int i = 0; i < 30; ++i) {
            ImGui::GetIO().MouseWheel = -5;
            h.move({GetParam().window.w - 4, GetParam().window.h / 2});
        }
        h.settle();
        check(h, std::string(workspace_table()[w].id) + ", scrolled to the end");
    }
}

TEST_P(Layout, MenusAndDialogsStayWithinTheWindow) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    const Rect window{0, 0, GetParam().window.w, GetParam().window.h};
    h.key(Key::f10);
    h.settle();
    for (const LoggedText& t : h.log().texts) {
        if (t.text != "Quit") continue;
        EXPECT_LE(t.rect.right(), window.w);
    }
    h.key(Key::escape);
    for (const Command& show : {Command(ask_open), Command(ask_save_as)}) {
        show(h.state());
        h.settle();
        for (const char* name : {"dialog.cancel", "dialog.up"}) {
            const Rect r = h.named(name).rect;
            EXPECT_TRUE(r.x >= 0 && r.y >= 0 && r.right() <= window.w && r.bottom() <= window.h);
        }
        h.key(Key::escape);
        h.settle();
    }
}

INSTANTIATE_TEST_SUITE_P(Screens, Layout,
                         ::testing::Values(Screen{{1024, 768}, 1}, Screen{{1600, 1000}, 1},
                                           Screen{{1440, 900}, 1}, Screen{{1024, 768}, 0.75f},
                                           Screen{{1600, 1000}, 0.75f}, Screen{{1024, 768}, 1.5f},
                                           Screen{{1600, 1000}, 1.5f}, Screen{{1024, 768}, 2.5f},
                                           Screen{{1600, 1000}, 2.5f}, Screen{{3840, 2160}, 2}),
                         screen_name);

// Two rows of cards are more than the window shows: what comes after is below them all the same.
TEST(Layouts, CardsInTwoRowsPushDownWhatFollows) {
    Harness h({.window = {1280, 800}, .scale = 1.25f});
    replace_document(h.state(), blank_document(5, 8));
    h.settle();
    EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "");
    EXPECT_GT(h.named("add-norm.gamma.all").rect.y,
              h.named("add-norm.card-y.cells").rect.bottom() + 100)
        << "the distributions are between";
}

// Lines of numbers as long as these take two lines' room each, and there are fewer of them then.
TEST(Layouts, WorkedStepsOfLongNumbersLeaveRoomForWhatIsBelow) {
    for (const float height : {1000.0f, 1120.0f, 1190.0f, 1300.0f, 1500.0f}) {
        Harness h({.window = {1600, height}});
        ASSERT_TRUE(h.state().apply_edits({SetParam{Param::gamma, 0, 0, -1200.617065},
                                           SetParam{Param::gamma, 1, 5, 2361.163086},
                                           SetParam{Param::beta, 0, 5, -1784.478638}}));
        h.settle();
        EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << height;
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << height;
    }
}

TEST(Rest, AFrameWithoutInputComputesNothingAndDrawsTheSame) {
    Harness h;
    h.settle();
    const auto derived = h.state().derived;
    const int distributions = h.state().memory.of<AddNormMemory>().distributions.made();
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_EQ(h.state().derived, derived);
    EXPECT_EQ(h.state().memory.of<AddNormMemory>().distributions.made(), distributions);
    EXPECT_EQ(h.draw_digest(), drawn);
    EXPECT_FALSE(h.app().animating());
}

TEST(Rest, TheSameInputDrawsTheSameFrame) {
    const auto run = [] {
        Harness h;
        h.drag(h.center_of("add-norm.gamma.d1"), {h.center_of("add-norm.gamma.d1").x, 600}, 5);
        h.move({300, 300});
        h.settle();
        return h.draw_digest();
    };
    EXPECT_EQ(run(), run());
}

} // namespace
} // namespace normscope::testing
