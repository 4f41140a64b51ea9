#include "app/language/language.h"
#include "app/model/flow/flow_stories.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

// Every example and every theme at the sizes and scales a class may use: no widget lies over
// another, no text over another, and no text is cut without saying so.
namespace normscope::testing {
namespace {

struct Screen {
    Size window;
    float scale;
};

std::string screen_words(const Screen& screen) {
    return std::to_string(static_cast<int>(screen.window.w)) + "x" +
           std::to_string(static_cast<int>(screen.window.h)) + "_at_" +
           std::to_string(static_cast<int>(screen.scale * 100));
}

std::string screen_name(const ::testing::TestParamInfo<Screen>& info) {
    return screen_words(info.param);
}

void check_layout(Harness& h, const Screen& screen, const std::string& what) {
    EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << what;
    EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << what;
    EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << what;
    EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "") << what;
}

// The workspace that the example is for; where it is for none, each of them.
void check_workspaces(Harness& h, const Screen& screen, const Example& shown) {
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        const std::string id(workspace_table()[w].id);
        if (!shown.workspace.empty() && shown.workspace != id) continue;
        h.state().view.workspace = w;
        h.settle();
        check_layout(h, screen,
                     id + ", " + shown.id + ", " + std::string(theme(h.state().view.theme).id));
    }
}

class Layout : public ::testing::TestWithParam<Screen> {};

TEST_P(Layout, NothingOverlapsAndNothingIsCut) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    for (std::size_t i = 0; i < h.state().examples.size(); ++i) {
        open_example(h.state(), i);
        check_workspaces(h, GetParam(), h.state().examples[i]);
        if (::testing::Test::HasFailure()) return; // the first one tells enough
    }
}

// A theme changes colours, no places: one example shows it.
TEST_P(Layout, NothingOverlapsAndNothingIsCutInEveryTheme) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    for (const ThemeKind theme : k_themes) {
        h.state().view.theme = theme;
        check_workspaces(h, GetParam(), *find_example(h.state().examples, k_default_example));
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
        check_layout(h, GetParam(), std::string(workspace_table()[w].id) + ", scrolled to the end");
    }
}

TEST_P(Layout, MenusAndDialogsStayWithinTheWindow) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    const Rect window{0, 0, GetParam().window.w, GetParam().window.h};
    h.key_and_settle(Key::f10);
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
        h.key_and_settle(Key::escape);
    }
}

INSTANTIATE_TEST_SUITE_P(Screens, Layout,
                         ::testing::Values(Screen{{1024, 768}, 1}, Screen{{1600, 1000}, 1},
                                           Screen{{1440, 900}, 1}, Screen{{1024, 768}, 0.75f},
                                           Screen{{1600, 1000}, 0.75f}, Screen{{1024, 768}, 1.5f},
                                           Screen{{1600, 1000}, 1.5f}, Screen{{1024, 768}, 2.5f},
                                           Screen{{1600, 1000}, 2.5f}, Screen{{3840, 2160}, 2}),
                         screen_name);

// Translated texts are longer or shorter, and have their place all the same.
class TranslatedLayout : public ::testing::TestWithParam<std::tuple<std::string, Screen>> {};

TEST_P(TranslatedLayout, NothingOverlapsAndNothingIsCut) {
    const auto& [language, screen] = GetParam();
    Harness h({.window = screen.window, .scale = screen.scale, .language = language});
    ASSERT_NE(tr("Lessons"), "Lessons") << "the catalogue is read";
    const std::string seen[] = {std::string(k_default_example), "train-six-layers",
                                "transformer-reverse"};
    for (const std::string& id : seen) {
        const auto& all = h.state().examples;
        const auto shown = std::ranges::find(all, id, &Example::id);
        ASSERT_NE(shown, all.end()) << id;
        open_example(h.state(), static_cast<std::size_t>(shown - all.begin()));
        check_workspaces(h, screen, *shown);
    }
    h.state().view.workspace = *workspace_index("gradient-flow");
    const std::string story(flow_stories().front().id);
    ASSERT_TRUE(h.state().apply_edits({TellStory{story}}));
    h.settle();
    check_layout(h, screen, "gradient-flow, " + story);
}

INSTANTIATE_TEST_SUITE_P(Screens, TranslatedLayout,
                         ::testing::Combine(::testing::Values("de", "es"),
                                            ::testing::Values(Screen{{1024, 768}, 1},
                                                              Screen{{1600, 1000}, 1},
                                                              Screen{{1024, 768}, 2.5f})),
                         [](const auto& one) {
                             return std::get<0>(one.param) + "_" +
                                    screen_words(std::get<1>(one.param));
                         });

// Two rows of cards are more than the window shows: what comes after is below them all the same.
TEST(Layouts, CardsInTwoRowsPushDownWhatFollows) {
    Harness h({.window = {1280, 800}, .scale = 1.25f});
    replace_document(h.state(), blank_document(5, 8));
    h.settle();
    EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "");
    EXPECT_GT(h.named("add-norm.gamma.all").rect.y, h.named("add-norm.card-y.cells").rect.bottom());
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

// A display may say that it has no dots at all, or thousands an inch.
TEST(Layout, TheDisplaysScaleStaysWithinBounds) {
    Harness h;
    EXPECT_EQ(h.app().wanted_scale(1), 1);
    EXPECT_EQ(h.app().wanted_scale(2), 2);
    EXPECT_EQ(h.app().wanted_scale(0.01f), k_least_ui_scale);
    EXPECT_EQ(h.app().wanted_scale(14.6f), k_most_ui_scale);
    h.set_scale(k_most_ui_scale);
    EXPECT_EQ(h.app().wanted_scale(2), 2 * k_most_ui_scale);
    EXPECT_EQ(h.app().wanted_scale(INFINITY), 2 * k_most_ui_scale);
    h.set_scale(k_least_ui_scale);
    EXPECT_EQ(h.app().wanted_scale(0.8f), k_least_ui_scale);
}

} // namespace
} // namespace normscope::testing
