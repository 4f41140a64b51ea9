#include "app/session/session_file.h"
#include "app/workspaces/gradient_flow/flow_view.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/random.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <array>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

// Hands that do not know what they want: clicks, drags, keys and typed text at random, seeded, on
// whatever is on the screen. Nothing they do may end the program, overlap or cut what it shows, or
// leave a step that cannot be undone. They keep off File, where they might write.
namespace normscope::testing {
namespace {

class RandomHands : public ::testing::TestWithParam<std::uint64_t> {
  protected:
    static constexpr int k_acts = 150;
    static constexpr Size k_window{1024, 768};

    RandomHands() : random_(GetParam()), h_({.window = k_window, .example = example()}) {}

    template<class T, std::size_t n>
    const T& one_of(const std::array<T, n>& of) {
        return of[random_.below(n)];
    }

    std::string example() {
        static constexpr std::array<const char*, 6> k_examples = {
            "studying", "sentence", "batch-columns", "activations", "nan-token", "one-feature"};
        return one_of(k_examples);
    }

    float across(float from, float to) {
        return from + (to - from) * static_cast<float>(random_.uniform());
    }

    // The lower end of the bar with the menus.
    float bar() const { return 50 * h_.state().view.ui_scale; }

    Point anywhere() { return {across(0, k_window.w), across(bar(), k_window.h)}; }

    Point widget() {
        std::vector<NamedPart> all = h_.log().parts;
        std::erase_if(all, [](const NamedPart& part) { return part.id == 0; }); // panels
        for (int tries = 0; tries < 8 && !all.empty(); ++tries) {
            const NamedPart& w = all[random_.below(all.size())];
            const Rect seen = intersect(w.rect, w.clip);
            if (seen.w < 1 || seen.h < 1 || seen.bottom() <= bar()) continue;
            return {across(seen.x, seen.right()), across(std::max(seen.y, bar()), seen.bottom())};
        }
        return anywhere();
    }

    std::string act();

    // Whether something runs until it is stopped or takes long: stacks and races of any size.
    bool goes_on() const {
        const View& view = h_.state().view;
        return view.running || view.of<FlowView>().particles || h_.working();
    }

    // Draws until nothing moves but what goes on.
    void rest() {
        h_.frame();
        if (goes_on())
            h_.frames(10);
        else
            settle();
    }

    // Such a run may also have begun while the app came to rest, as after measuring a stack.
    void settle() {
        try {
            h_.settle(std::chrono::seconds(2));
        } catch (const std::runtime_error&) {
            if (!goes_on()) h_.settle();
        }
    }

    Random random_;
    Harness h_;
};

std::string at(Point p) {
    return std::to_string(p.x) + ", " + std::to_string(p.y);
}

// Returns what it did.
std::string RandomHands::act() {
    static constexpr std::array k_keys = {
        Key::left,  Key::right,  Key::up,    Key::down, Key::page_up, Key::page_down,
        Key::home,  Key::end,    Key::enter, Key::tab,  Key::space,   Key::del,
        Key::enter, Key::escape, Key::tab,   Key::down, Key::plus,    Key::minus};
    static constexpr std::array k_commands = {Key::a,  Key::c,  Key::d,  Key::v,    Key::x,
                                              Key::z,  Key::z,  Key::y,  Key::n0,   Key::n1,
                                              Key::n2, Key::n3, Key::n4, Key::plus, Key::minus};
    static constexpr std::array<const char*, 14> k_texts = {
        "2",     "-3.5", "nan", "1e308", "-1e400", "1e-320", "0",
        "0.001", "abc",  "inf", "γ",     "1e20",   "-7",     "a longer name than there is room"};
    switch (random_.below(12)) {
    case 0:
    case 1:
    case 2: {
        const Point p = widget();
        h_.click(p);
        return "click " + at(p);
    }
    case 3: {
        const Point p = widget();
        h_.click(p, 1);
        return "right click " + at(p);
    }
    case 4: {
        const Point p = widget();
        h_.double_click(p);
        return "double click " + at(p);
    }
    case 5:
    case 6: {
        const Point from = widget();
        const Point to = random_.below(2) == 0 ? anywhere() : widget();
        h_.drag(from, to, 3);
        return "drag " + at(from) + " to " + at(to);
    }
    case 7: {
        const auto key = one_of(k_keys);
        const bool shift = random_.below(4) == 0;
        h_.key(key, false, shift);
        return "key " + std::to_string(static_cast<int>(key)) + (shift ? " with shift" : "");
    }
    case 8: {
        const auto key = one_of(k_commands);
        h_.key(key, true, random_.below(6) == 0);
        return "ctrl key " + std::to_string(static_cast<int>(key));
    }
    case 9: {
        const Point p = widget();
        const std::string text = one_of(k_texts);
        h_.double_click(p);
        h_.type(text);
        h_.key(random_.below(4) == 0 ? Key::escape : Key::enter);
        return "type " + text + " at " + at(p);
    }
    case 10: {
        const Point p = anywhere();
        const float notches = across(-6, 6);
        h_.move(p);
        ImGui::GetIO().MouseWheel = notches;
        h_.move(p);
        return "wheel " + std::to_string(notches) + " at " + at(p);
    }
    default: {
        const auto workspace = random_.below(workspace_table().size());
        h_.state().view.workspace = workspace;
        return "workspace " + std::to_string(workspace);
    }
    }
}

TEST_P(RandomHands, BreakNothing) {
    const std::string start = write_session(h_.document());
    std::string acts;
    for (int i = 0; i < k_acts; ++i) {
        acts += "\n" + act();
        try {
            rest();
        } catch (const std::runtime_error& error) {
            FAIL() << error.what() << acts;
        }
        // Dialogs are closed: one may list a folder of this machine, which differs by machine.
        for (int k = 0; k < 3 && !h_.state().dialogs.empty(); ++k) h_.key(Key::escape);
        // A box and a menu stand over the page.
        if (h_.has_text("Computing") || h_.state().ui.menu.is_open()) continue;
        ASSERT_EQ(overlapping_widgets(h_.log()).value_or(""), "") << acts;
        if (!h_.state().view.of<AddNormView>().playing) { // numbers that fly pass over others
            ASSERT_EQ(overlapping_texts(h_.log()).value_or(""), "") << acts;
        }
        ASSERT_EQ(clipped_text(h_.log(), k_window, h_.state().view.ui_scale).value_or(""), "")
            << acts;
    }
    h_.state().view.running = false;
    h_.state().view.of<FlowView>().particles = false; // undo may lead to them
    h_.state().view.workspace = *workspace_index("gradient-flow");
    for (int i = 0; i < 3; ++i) h_.key(Key::escape); // menus, what is typed, what is computed
    h_.state().view.workspace = 0;
    rest();
    const std::string end = write_session(h_.document());
    const auto read = read_session(end, "end");
    ASSERT_TRUE(read) << read.error().message << acts;
    EXPECT_EQ(write_session(*read), end) << acts;
    // From an Add & Norm that was opened undo leads back to the document it is a part of.
    const App::State& s = h_.state();
    for (int steps = 0; s.history.can_undo() || s.own; ++steps) {
        ASSERT_LT(steps, 2000) << acts;
        h_.key(Key::z, true);
        rest(); // undo may lead to a race
    }
    Document back = h_.document(); // looking at a step or at words is none to undo
    back.train.step = 0;
    back.transformer.decoded.reset();
    EXPECT_EQ(write_session(back), start) << acts;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHands, ::testing::Range<std::uint64_t>(1, 6));

} // namespace
} // namespace normscope::testing
