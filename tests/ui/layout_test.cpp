#include "app/shell/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "tests/ui/harness.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

// Every example in every theme at the sizes and scales a class may use: no widget lies over
// another, no text over another, and no text is cut without saying so.
namespace normscope::testing {
namespace {

constexpr float k_slack = 1.0f;

Rect intersect(const Rect& a, const Rect& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

std::string words(const Rect& r) {
    return "(" + std::to_string(r.x) + ", " + std::to_string(r.y) + ", " + std::to_string(r.w) +
           ", " + std::to_string(r.h) + ")";
}

std::optional<std::string> overlapping_widgets(const DrawLog& log) {
    const auto& all = log.widgets;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            const Rect a = intersect(all[i].rect, all[i].clip);
            const Rect b = intersect(all[j].rect, all[j].clip);
            const Rect both = intersect(a, b);
            if (both.w > k_slack && both.h > k_slack)
                return all[i].name + " " + words(a) + " over " + all[j].name + " " + words(b);
        }
    return std::nullopt;
}

// A line's ascenders and descenders may touch the next line's; its letters may not.
Rect letters(const LoggedText& t) {
    return {t.rect.x, t.rect.y + t.rect.h * 0.2f, t.rect.w, t.rect.h * 0.6f};
}

std::optional<std::string> overlapping_texts(const DrawLog& log) {
    const auto& all = log.texts;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            const Rect both = intersect(intersect(letters(all[i]), all[i].clip),
                                        intersect(letters(all[j]), all[j].clip));
            if (both.w > k_slack && both.h > k_slack)
                return "“" + all[i].text + "” " + words(all[i].rect) + " over “" + all[j].text +
                       "” " + words(all[j].rect);
        }
    return std::nullopt;
}

// Text that its clip cuts. Below and above the part of the workspace that is scrolled into sight it
// may be cut, sideways nowhere.
std::optional<std::string> clipped_text(const DrawLog& log, Size window, float scale, bool status) {
    const float top = 46 * scale;
    const float bottom = window.h - (status ? 32 * scale : 0);
    for (const LoggedText& t : log.texts) {
        const Rect inside = intersect(t.rect, t.clip);
        const bool sideways = inside.w < t.rect.w - k_slack;
        const bool at_edge = (t.rect.y < top && t.rect.bottom() > top) ||
                             (t.rect.y < bottom && t.rect.bottom() > bottom);
        const bool out_of_sight = t.clip.w <= 0 || t.clip.h <= 0 || inside.h <= 0 || at_edge;
        if (out_of_sight) continue;
        const Rect tall = letters(t);
        const bool upright = intersect(tall, t.clip).h < tall.h - k_slack;
        if (sideways || upright)
            return "“" + t.text + "” " + words(t.rect) + " in " + words(t.clip);
    }
    return std::nullopt;
}

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
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << what;
        EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << what;
        EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale, !h.state().status.empty())
                      .value_or(""),
                  "")
            << what;
    }
};

TEST_P(Layout, NothingOverlapsAndNothingIsCut) {
    Harness h({.window = GetParam().window, .scale = GetParam().scale});
    for (const ThemeKind theme : {ThemeKind::light, ThemeKind::dark, ThemeKind::contrast}) {
        h.state().view.theme = theme;
        for (std::size_t i = 0; i < h.state().examples.size(); ++i) {
            open_example(h.state(), i);
            for (std::size_t w = 0; w < workspace_table().size(); ++w) {
                h.state().view.workspace = w;
                h.settle();
                check(h, std::string(workspace_table()[w].id) + ", " + h.state().examples[i].id +
                             ", " + std::string(theme_id(theme)));
                if (::testing::Test::HasFailure()) return; // the first one tells enough
            }
        }
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
        for (const char* name : {"Cancel", "↑ Up"}) {
            if (!h.has_widget(name)) continue;
            const Rect r = h.widgets(name)[0].rect;
            EXPECT_TRUE(r.x >= 0 && r.y >= 0 && r.right() <= window.w && r.bottom() <= window.h);
        }
        h.key(Key::escape);
        h.settle();
    }
}

INSTANTIATE_TEST_SUITE_P(Screens, Layout,
                         ::testing::Values(Screen{{1024, 768}, 1}, Screen{{1600, 1000}, 1},
                                           Screen{{1024, 768}, 0.75f}, Screen{{1600, 1000}, 0.75f},
                                           Screen{{1024, 768}, 1.5f}, Screen{{1600, 1000}, 1.5f},
                                           Screen{{1024, 768}, 2.5f}, Screen{{1600, 1000}, 2.5f},
                                           Screen{{3840, 2160}, 2}),
                         screen_name);

TEST(Rest, AFrameWithoutInputComputesNothingAndDrawsTheSame) {
    Harness h;
    h.settle();
    const auto derived = h.state().derived;
    const int distributions = h.state().memory.distributions.computed();
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_EQ(h.state().derived, derived);
    EXPECT_EQ(h.state().memory.distributions.computed(), distributions);
    EXPECT_EQ(h.draw_digest(), drawn);
    EXPECT_FALSE(h.app().animating());
}

TEST(Rest, TheSameInputDrawsTheSameFrame) {
    const auto run = [] {
        Harness h;
        h.drag(h.center_of("track", 2), {h.center_of("track", 2).x, 600}, 5);
        h.move({300, 300});
        h.settle();
        return h.draw_digest();
    };
    EXPECT_EQ(run(), run());
}

} // namespace
} // namespace normscope::testing
