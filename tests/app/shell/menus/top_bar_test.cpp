#include "app/language/language.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>

namespace normscope::testing {
namespace {

struct BarScreen {
    Size window;
    float scale;
};

std::string bar_words(const BarScreen& screen) {
    return std::to_string(static_cast<int>(screen.window.w)) + "x" +
           std::to_string(static_cast<int>(screen.window.h)) + "_at_" +
           std::to_string(static_cast<int>(screen.scale * 100));
}

class TopBar : public ::testing::TestWithParam<std::tuple<std::string, BarScreen>> {};

TEST_P(TopBar, EveryWorkspaceIsNamedAndOpens) {
    const auto& [language, screen] = GetParam();
    Harness h({.window = screen.window, .scale = screen.scale, .language = language});
    h.settle();
    const Rect bar = h.named("bar").rect;
    EXPECT_LE(bar.h, 70 * screen.scale);
    for (std::size_t i = workspace_table().size(); i-- > 0;) {
        const Workspace& workspace = workspace_table()[i];
        const bool list = h.has("bar.workspace"); // in place of the tabs
        if (list) {
            h.click_and_settle("bar.workspace");
            h.click_and_settle("menu.workspace." + std::string(workspace.id));
        } else {
            h.click("bar." + std::string(workspace.id));
        }
        EXPECT_EQ(h.state().view.workspace, i);
        const Rect tab = h.named("bar." + (list ? "workspace" : std::string(workspace.id))).rect;
        EXPECT_TRUE(bar.inset(-0.01f).encloses(tab)) << workspace.id;
        const auto says = [&](const LoggedText& t) {
            return tab.contains(t.rect.center()) &&
                   t.text.find(tr(workspace.label)) != std::string::npos;
        };
        EXPECT_TRUE(std::ranges::any_of(h.log().texts, says)) << workspace.id;
    }
    h.settle();
    EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "");
    EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "");
    EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "");
}

INSTANTIATE_TEST_SUITE_P(
    Screens, TopBar,
    ::testing::Combine(::testing::Values("en", "de", "es"),
                       ::testing::Values(BarScreen{{1024, 768}, 1}, BarScreen{{1600, 1000}, 1},
                                         BarScreen{{1600, 1000}, 1.5f}, BarScreen{{1600, 1000}, 2},
                                         BarScreen{{1600, 1000}, 2.5f}, BarScreen{{1024, 768}, 2},
                                         BarScreen{{1024, 768}, 2.5f})),
    [](const auto& one) {
        return std::get<0>(one.param) + "_" + bar_words(std::get<1>(one.param));
    });

TEST(TopBars, HaveOneLineThenTabsBelowThenOneMenuOfAll) {
    Harness h;
    EXPECT_FLOAT_EQ(h.named("bar").rect.h, 46);
    h.resize({1024, 768});
    h.settle();
    for (const char* menu : {"file", "edit", "view", "lessons", "help", "example", "theme"})
        EXPECT_TRUE(h.has("bar." + std::string(menu))) << menu;
    EXPECT_GT(h.named("bar.train").rect.y, h.named("bar.file").rect.bottom());
    h.resize({410, 768});
    h.settle();
    EXPECT_FALSE(h.has("bar.file"));
    for (const char* control : {"workspace", "example", "theme"})
        EXPECT_TRUE(h.has("bar." + std::string(control))) << control;
    h.click("bar.menu");
    h.settle();
    for (const char* menu : {"file", "edit", "view", "lessons", "help", "example"})
        EXPECT_TRUE(h.has("menu." + std::string(menu))) << menu;
}

} // namespace
} // namespace normscope::testing
