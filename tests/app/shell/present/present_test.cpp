// One panel over the whole window, for a class.
#include "app/shell/present/present.h"

#include "app/lessons/panel.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <span>

namespace normscope::testing {
namespace {

std::string panel_of(const App::State& s, std::size_t i) {
    const Workspace& workspace = workspace_table()[s.view.workspace];
    return std::string(workspace.id) + "." + std::string(workspace.figures[i].id);
}

TEST(Presenter, F5ShowsOnePanelAndEscGivesTheWindowBack) {
    Harness h({.example = "three-features"});
    std::vector<bool> full;
    h.state().services.full_screen = [&](bool on) { full.push_back(on); };
    const View before = h.state().view;
    h.key_and_settle(Key::f5);
    EXPECT_TRUE(h.has(panel_of(h.state(), 0)));
    EXPECT_FALSE(h.has("add-norm.setup"));
    EXPECT_FALSE(h.has("bar.example"));
    h.key_and_settle(Key::page_down);
    EXPECT_TRUE(h.has("add-norm.card-x"));
    EXPECT_FALSE(h.has("add-norm.card-y"));
    EXPECT_GT(h.named("add-norm.card-x").rect.w, 1500);
    h.key_and_settle(Key::right);
    EXPECT_TRUE(h.has("add-norm.card-f"));
    h.key_and_settle(Key::page_up);
    EXPECT_TRUE(h.has("add-norm.card-x"));
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(h.has("add-norm.setup"));
    EXPECT_EQ(h.state().view.ui_scale, before.ui_scale);
    EXPECT_EQ(full, (std::vector<bool>{true, false}));
}

// From eight metres a picture of two is read where capitals are a fortieth of its height.
TEST(Presenter, DigitsOfACardAreReadFromTheLastRow) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}, Size{1920, 1080}}) {
        Harness h({.window = window, .example = "three-features"});
        h.key(Key::f5);
        for (int i = 0; i < 5; ++i) {
            h.key_and_settle(Key::page_down);
            int digits = 0;
            for (const LoggedText& t : h.log().texts) {
                const bool in_a_cell = t.role == TextRole::number || text_role_spec(t.role).digits;
                if (!in_a_cell || t.text.find('.') == std::string::npos) continue;
                constexpr float k_capital = 0.6f; // of a line
                EXPECT_GE(t.rect.h * k_capital, window.h / 40) << t.text;
                ++digits;
            }
            EXPECT_GE(digits, 3) << i << ", " << window.w;
        }
    }
}

// X is dragged and Y watched on one page, in digits of a thirtieth of its height.
TEST(Presenter, XAndYStandOnOnePage) {
    for (const char* const example : {"three-features", "studying"}) {
        Harness h({.example = example});
        h.key_and_settle(Key::f5);
        const auto figures = workspace_table()[0].figures;
        const auto page = std::ranges::find(figures, "x-to-y", &FigureEntry::id);
        h.state().present.panel = static_cast<std::size_t>(page - figures.begin());
        h.frames(3);
        h.settle();
        int digits = 0;
        for (const LoggedText& t : h.log().texts) {
            if (t.role == TextRole::bar || t.text.find('.') == std::string::npos) continue;
            constexpr float k_capital = 0.6f; // of a line
            EXPECT_GE(t.rect.h * k_capital, 1000.0f / 30) << t.text;
            ++digits;
        }
        EXPECT_EQ(digits, 2 * h.document().x->size()) << example;
        EXPECT_TRUE(h.has_text("X, Y")) << "one key for both";
        const double x_before = (*h.document().x)(0, 0);
        const double y_before = h.state().derived->view(Tensor::y)(0, 0);
        const Rect x = h.named("add-norm.card-x.cells").rect;
        h.drag({x.x + x.w / 8, x.y + x.h / 8}, {x.x + x.w / 8 + 60, x.y + x.h / 8});
        h.settle();
        EXPECT_NE((*h.document().x)(0, 0), x_before);
        EXPECT_NE(h.state().derived->view(Tensor::y)(0, 0), y_before);
    }
}

TEST(Presenter, EveryPanelOfEveryWorkspaceFitsItsWindow) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        for (std::size_t w = 0; w < workspace_table().size(); ++w) {
            h.state().view.workspace = w;
            if (!h.state().present.on) h.key(Key::f5);
            h.settle();
            for (std::size_t i = 0; i < workspace_table()[w].figures.size(); ++i) {
                h.state().present.panel = i;
                h.frames(2);
                h.settle();
                const std::string what = panel_of(h.state(), i) + " " + std::to_string(window.w);
                EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << what;
                EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << what;
                EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << what;
            }
        }
    }
}

TEST(Presenter, AFaderIsDraggedAndTakenBackWhileItIsPresented) {
    Harness h({.example = "three-features"});
    const Document before = h.document();
    h.key_and_settle(Key::f5);
    while (!h.has("add-norm.faders")) {
        h.key_and_settle(Key::page_down);
    }
    const Point cap = h.center_of("add-norm.gamma.d1");
    h.drag(cap, {cap.x, cap.y - 100});
    EXPECT_NE((*h.document().gamma)[1], 1);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(Presenter, BlackHidesEverythingAndTheSpotlightAllButTheMouse) {
    Harness h;
    h.key_and_settle(Key::f5);
    h.move({400, 300});
    h.settle();
    const auto corners = [&](Color color, Rect in) { return h.vertices(color, in).size(); };
    h.key_and_settle(Key::s);
    const Color dim = Color{0, 0, 0}.with_alpha(0.82f);
    EXPECT_GT(corners(dim, {0, 0, 1601, 1001}), 100u);
    EXPECT_EQ(corners(dim, {350, 250, 100, 100}), 0u) << "what is around the mouse stays bright";
    h.key(Key::s);
    h.key_and_settle(Key::period);
    EXPECT_TRUE(h.state().present.black);
    for (const Rect corner : {Rect{-1, -1, 2, 2}, Rect{1599, 999, 2, 2}})
        EXPECT_EQ(corners(Color{0, 0, 0}, corner), 1u);
    h.key_and_settle(Key::period);
    EXPECT_FALSE(h.state().present.black);
}

TEST(Presenter, WhatALessonCoversStaysCovered) {
    Harness h;
    ASSERT_TRUE(begin_lesson(h.state(), "centre-and-size"));
    const std::vector<std::string> covers = lesson_covers(h.state().lesson->player);
    ASSERT_FALSE(covers.empty());
    h.key_and_settle(Key::f5);
    const std::span<const FigureEntry> figures =
        workspace_table()[h.state().view.workspace].figures;
    int covered = 0;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        h.state().present.panel = i;
        h.frames(3);
        h.settle();
        if (std::ranges::find(covers, panel_of(h.state(), i)) == covers.end()) continue;
        EXPECT_TRUE(h.has_text("Answer first")) << panel_of(h.state(), i);
        ++covered;
    }
    EXPECT_GT(covered, 0);
}

TEST(Presenter, RaisedHandsAreCounted) {
    Harness h;
    h.key_and_settle(Key::f5);
    for (int i = 0; i < 3; ++i) h.click("presenter.hands-b");
    h.click_and_settle(h.center_of("presenter.hands-b"), 1);
    EXPECT_EQ(h.state().present.hands, (std::array<int, 6>{0, 2, 0, 0, 0, 0}));
    EXPECT_TRUE(h.has_text("B 2"));
}

TEST(Presenter, TheKeysOfTheAnswersCountHands) {
    Harness h;
    h.key_and_settle(Key::f5);
    for (const Key key : {Key::a, Key::d, Key::d, Key::b, Key::d}) h.key(key);
    h.key_and_settle(Key::d, false, true);
    EXPECT_EQ(h.state().present.hands, (std::array<int, 6>{1, 1, 0, 2, 0, 0}));
    EXPECT_FALSE(h.state().present.black);
    EXPECT_FLOAT_EQ(share_of_hands(h.state(), 3), 0.5f);
}

TEST(Presenter, TheBarIsAsHighOnEveryPage) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        h.key_and_settle(Key::f5);
        const Rect next = h.named("presenter.next").rect;
        for (int i = 0; i < 6; ++i) {
            h.key_and_settle(Key::page_down);
            EXPECT_TRUE(next.inset(-0.01f).encloses(h.named("presenter.next").rect)) << i;
        }
        h.key_and_settle(Key::l);
        EXPECT_TRUE(next.inset(-0.01f).encloses(h.named("presenter.next").rect))
            << "the list of panels";
    }
}

TEST(Presenter, APanelIsChosenFromTheListOfPictures) {
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        Harness h;
        h.state().view.workspace = w;
        h.key_and_settle(Key::f5);
        h.key_and_settle(Key::l);
        const auto figures = workspace_table()[w].figures;
        const std::string last = "presenter.panel-" + std::string(figures.back().id);
        for (const FigureEntry& figure : figures)
            EXPECT_TRUE(h.has("presenter.panel-" + std::string(figure.id)));
        EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << w;
        h.click_and_settle(last);
        EXPECT_FALSE(h.state().present.list);
        EXPECT_EQ(shown_panel(h.state()).id, figures.back().id);
        h.key_and_settle(Key::l);
        h.key_and_settle(Key::escape);
        EXPECT_TRUE(h.state().present.on) << "Esc puts the list away first";
    }
}

TEST(Presenter, ArrowsWalkTheListAndEnterShowsThePanel) {
    Harness h;
    h.key_and_settle(Key::f5);
    h.key_and_settle(Key::page_down);
    h.key_and_settle(Key::l);
    const auto figures = workspace_table()[0].figures;
    const auto tile = [&](std::size_t i) {
        return "presenter.panel-" + std::string(figures[i].id);
    };
    const Color words_on_it = theme(h.state().view.theme).on_accent;
    const auto is_filled = [&](std::size_t i) {
        const Rect r = h.named(tile(i)).rect;
        const float label = 30; // the tile's lowest pixels, with its name
        return h.vertices(words_on_it, {r.x, r.bottom() - label, r.w + 1, label + 1}).size() > 0;
    };
    EXPECT_EQ(h.focused(), tile(1)) << "the panel that was shown";
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.focused(), tile(2));
    EXPECT_TRUE(is_filled(1)) << "it stays marked";
    EXPECT_FALSE(is_filled(2));
    EXPECT_TRUE(h.state().present.list) << "an arrow turns no page there";
    h.key_and_settle(Key::down);
    EXPECT_GT(h.named(h.focused()).rect.y, h.named(tile(2)).rect.bottom());
    EXPECT_EQ(h.named(h.focused()).rect.x, h.named(tile(2)).rect.x);
    h.key_and_settle(Key::up);
    h.key_and_settle(Key::left);
    h.key_and_settle(Key::left);
    h.key_and_settle(Key::left);
    EXPECT_EQ(h.focused(), tile(0)) << "there is none before the first";
    h.key_and_settle(Key::enter);
    EXPECT_FALSE(h.state().present.list);
    EXPECT_EQ(shown_panel(h.state()).id, figures[0].id);
    h.key_and_settle(Key::right);
    EXPECT_EQ(shown_panel(h.state()).id, figures[2].id) << "the arrows turn pages again";
}

// A cell of X was dragged on the page that shows X and Y.
class PresenterCell : public ::testing::Test {
  protected:
    Harness h{{.example = "studying"}};
    Point cell;

    void SetUp() override {
        h.key_and_settle(Key::f5);
        for (int i = 0; i < 6; ++i) h.key_and_settle(Key::page_down);
        const NamedPart cells = h.named("add-norm.card-x.cells");
        cell = cells.cell(1, 1).center();
        h.drag(cell, {cell.x + 60, cell.y});
        h.settle();
    }
    // A key with its letter, as a keyboard sends both.
    void press(Key key, const char* letter) {
        ImGui::GetIO().AddInputCharactersUTF8(letter);
        h.key_and_settle(key);
    }
};

TEST_F(PresenterCell, ADraggedCellLeavesThePresenterItsKeys) {
    press(Key::a, "a");
    EXPECT_EQ(h.state().ui.text_edit, 0u);
    EXPECT_EQ(h.state().present.hands[0], 1);
    press(Key::period, ".");
    EXPECT_EQ(h.state().ui.text_edit, 0u);
    EXPECT_TRUE(h.state().present.black);
    press(Key::period, ".");
    press(Key::l, "l");
    EXPECT_TRUE(h.state().present.list);
}

TEST_F(PresenterCell, ADigitOrAMinusOpensTheCellWhichThenTakesEveryKey) {
    const Document dragged = h.document();
    h.type("-");
    ASSERT_NE(h.state().ui.text_edit, 0u);
    press(Key::period, ".");
    h.type("5");
    EXPECT_FALSE(h.state().present.black);
    h.key_and_settle(Key::enter);
    EXPECT_EQ((*h.document().x)(1, 1), -0.5);
    h.click_and_settle(cell);
    h.type("7");
    h.key_and_settle(Key::escape);
    EXPECT_EQ((*h.document().x)(1, 1), -0.5);
    EXPECT_EQ(h.state().ui.text_edit, 0u);
    EXPECT_TRUE(h.state().present.on) << "Esc took back the typing and no more";
}

TEST_F(PresenterCell, TheErrorOfACellGoesWithItsPageAndTheBarCountsOn) {
    EXPECT_TRUE(h.has_text("7 of 13: X → Y"));
    h.type("1l");
    h.key_and_settle(Key::enter);
    EXPECT_TRUE(h.has_text("Expected a number"));
    h.key_and_settle(Key::page_down);
    EXPECT_FALSE(h.has_text("Expected a number"));
    EXPECT_TRUE(h.has_text("8 of 13: Before and after"));
    h.key_and_settle(Key::page_up);
    h.click_and_settle(cell);
    h.type("1l");
    h.key_and_settle(Key::enter);
    h.key_and_settle(Key::z, true);
    EXPECT_FALSE(h.has_text("Expected a number"));
    EXPECT_TRUE(h.has_text("7 of 13: X → Y"));
}

TEST(Presenter, HomeBringsBackWhatStoodWhenItBegan) {
    Harness h;
    h.key_and_settle(Key::f5);
    const Document began = h.document();
    h.state().apply_edits({SetParam{Param::gamma, 1, 1, 2}});
    h.settle();
    h.state().apply_edits({SetParam{Param::beta, 1, 1, 2}});
    h.settle();
    const Document changed = h.document();
    h.key_and_settle(Key::home);
    EXPECT_EQ(h.document(), began);
    h.key_and_settle(Key::z, true);
    EXPECT_EQ(h.document(), changed) << "it is one step";
    h.click_and_settle("presenter.as-it-began");
    EXPECT_EQ(h.document(), began) << "a button does it too";
}

TEST(Presenter, TheMinutesGoOnWhileNobodyTouchesAnything) {
    Harness h;
    double now = 1e5; // seconds
    h.state().services.clock = [&] { return now; };
    h.key_and_settle(Key::f5);
    EXPECT_TRUE(h.has_text("0 min"));
    EXPECT_EQ(h.app().next_frame_in(), 60);
    now += 59;
    EXPECT_EQ(h.app().next_frame_in(), 1) << "no frame was drawn meanwhile";
    now += 1;
    EXPECT_LE(*h.app().next_frame_in(), 0);
    h.frame();
    EXPECT_TRUE(h.has_text("1 min"));
    EXPECT_EQ(h.app().next_frame_in(), 60);
}

TEST(Presenter, AtRestAFrameIsDueOnlyWhenTheMinuteIsOver) {
    Harness h;
    EXPECT_FALSE(h.app().next_frame_in());
    h.key_and_settle(Key::f5);
    ASSERT_TRUE(h.app().next_frame_in());
    EXPECT_GT(*h.app().next_frame_in(), 30);
    EXPECT_FALSE(h.app().animating());
}

} // namespace
} // namespace normscope::testing
