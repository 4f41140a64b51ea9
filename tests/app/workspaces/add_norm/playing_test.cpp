#include "app/model/edit.h"
#include "app/shell/files/file_commands.h"
#include "app/study/add_norm/play.h"
#include "app/words/add_norm_words.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <imgui_internal.h>

namespace normscope::testing {
namespace {

double time_of(const Harness& h) {
    const AddNormView& v = h.state().view.of<AddNormView>();
    return v.playing ? *v.playing + v.played : -1;
}

// Cells of Y's first token that are covered as not yet made.
bool covered(const Harness& h, const std::string& card) {
    const Rect cells = h.named("add-norm." + card + ".cells").rect;
    const Color cover = theme(ThemeKind::light).panel.with_alpha(0.9f);
    return !h.vertices(cover, cells).empty();
}

TEST(PlaySteps, RunBySpeechToTheirEndAndThenNothingMoves) {
    Harness h;
    h.click("add-norm.cards.play");
    ASSERT_TRUE(h.app().animating());
    const double began = time_of(h);
    h.frames(60); // a second
    EXPECT_NEAR(time_of(h) - began, 0.25, 0.02) << "four seconds a step";
    h.settle();
    EXPECT_EQ(time_of(h), k_played_steps);
    EXPECT_FALSE(h.app().animating());
    const std::uint64_t drawn = h.draw_digest();
    h.frames(5);
    EXPECT_EQ(h.draw_digest(), drawn);
}

TEST(PlaySteps, SpaceRestsAndGoesOnAndEscEnds) {
    Harness h;
    h.click("add-norm.cards.play");
    h.frames(30);
    h.key(Key::space);
    h.settle();
    const double rested = time_of(h);
    EXPECT_GT(rested, 0);
    EXPECT_LT(rested, 1);
    EXPECT_FALSE(h.app().animating());
    h.key(Key::space);
    h.frames(10);
    EXPECT_GT(time_of(h), rested);
    EXPECT_TRUE(h.app().animating());
    h.key(Key::escape);
    h.settle();
    EXPECT_FALSE(h.state().view.of<AddNormView>().playing);
}

TEST(PlaySteps, TheSliderLeadsToAnyMoment) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        h.state().view.of<AddNormView>().playing = 0;
        h.settle();
        const Rect slider = h.named("add-norm.stage.time").rect;
        EXPECT_EQ(h.named("add-norm.stage.time").in_sight().h, slider.h);
        h.click(Point{slider.x + slider.w / 2, slider.center().y});
        h.settle();
        EXPECT_NEAR(time_of(h), 2.5, 0.05);
        const Derived& derived = *h.state().derived;
        EXPECT_TRUE(h.has_text(played_words(derived, 0, played_frame(derived, 0, time_of(h)))));
        h.drag({slider.x + slider.w / 2, slider.center().y},
               {slider.right() + 50, slider.center().y});
        h.settle();
        EXPECT_EQ(time_of(h), k_played_steps);
    }
}

TEST(PlaySteps, CellsAreCoveredUntilTheyAreMade) {
    Harness h;
    const auto view = [&]() -> AddNormView& { return h.state().view.of<AddNormView>(); };
    const std::array<std::string, 3> cards = {"card-z", "card-x-hat", "card-y"};
    for (int step = 0; step < k_played_steps; ++step) {
        view().playing = step;
        view().played = 1;
        h.settle();
        EXPECT_FALSE(covered(h, "card-z")) << step;
        EXPECT_EQ(covered(h, "card-x-hat"), step < 3) << step;
        EXPECT_EQ(covered(h, "card-y"), step < 4) << step;
    }
    view().playing = 0;
    view().played = 0.1;
    h.settle();
    EXPECT_TRUE(covered(h, "card-z"));
    view().playing.reset();
    h.settle();
    for (const std::string& card : cards) EXPECT_FALSE(covered(h, card)) << card;
}

TEST(PlaySteps, WithLessMotionStepsAreShownOneByOneAndNothingMoves) {
    Harness h;
    h.state().view.reduce_motion = true;
    h.click("add-norm.cards.play");
    for (int step = 1; step <= k_played_steps; ++step) {
        EXPECT_FALSE(h.state().view.of<AddNormView>().play_runs);
        h.settle();
        EXPECT_EQ(time_of(h), step);
        EXPECT_FALSE(covered(h, "card-y"));
        h.key(Key::space);
    }
    EXPECT_EQ(time_of(h), -1);
}

TEST(PlaySteps, NothingOfThemOverlaps) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}})
        for (const float scale : {1.0f, 1.5f}) {
            Harness h({.window = window, .scale = scale});
            h.state().view.of<AddNormView>().playing = 2;
            h.settle();
            EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << scale;
            EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << scale;
            EXPECT_EQ(clipped_text(h.log(), window, scale).value_or(""), "") << scale;
        }
}

TEST(PlaySteps, CanBeDrawnOfAnyNumbers) {
    for (const std::string example : {"activations", "nan-token", "batch-of-one", "constant-row",
                                      "overflow", "one-feature", "huge-offset", "small-values"}) {
        const Size window{1024, 768};
        constexpr float k_scale = 1.25f;
        Harness h({.window = window, .scale = k_scale, .example = example});
        h.state().view.workspace = 0;
        for (const NormKind norm : {NormKind::layer, NormKind::batch, NormKind::none}) {
            ASSERT_TRUE(h.state().apply_edits({set<&Document::norm, &Norm::kind>(norm)}) ||
                        h.document().norm == norm);
            for (const double time : {0.5, 1.3, 2.1, 2.4, 2.8, 3.2, 3.5, 3.9, 4.3, 5.0}) {
                const int step = std::min(static_cast<int>(time), 4);
                h.state().view.of<AddNormView>().playing = step;
                h.state().view.of<AddNormView>().played = time - step;
                h.settle();
                EXPECT_TRUE(h.has("add-norm.stage.time")) << example;
                EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << example;
                EXPECT_EQ(clipped_text(h.log(), window, k_scale).value_or(""), "") << example;
            }
        }
    }
}

TEST(PlaySteps, AnyMomentIsDrawnFromTheDocumentAlone) {
    Harness one, other;
    for (const double time : {0.4, 1.3, 2.2, 2.75, 3.5, 4.6}) {
        for (Harness* h : {&one, &other}) {
            h->state().view.of<AddNormView>().playing = static_cast<int>(time);
            h->state().view.of<AddNormView>().played = time - static_cast<int>(time);
            h->settle();
        }
        EXPECT_EQ(one.draw_digest(), other.draw_digest()) << time;
        other.state().view.of<AddNormView>().playing = 4; // the other one came another way
        other.settle();
    }
}

TEST(Cards, FewValuesAreDotsAndManyACurve) {
    Harness h; // 3 × 6
    const Rect plot = h.named("add-norm.before-after.plot").rect;
    const Color z = theme(ThemeKind::light).of(Stage::z).with_alpha(0.85f);
    const auto dots = h.vertices(z, plot).size();
    EXPECT_GT(dots, 0u);
    h.click("add-norm.before-after.curves.curve");
    h.settle();
    EXPECT_EQ(h.vertices(z, plot).size(), 0u);
    h.click("add-norm.before-after.curves.dots");
    h.settle();
    EXPECT_EQ(h.vertices(z, plot).size(), dots);
}

TEST(AddNorm, BeforeAndAfterNamesEveryCurveWhereItIs) {
    for (const float scale : {1.0f, 1.3f, 1.5f, 2.0f})
        for (const CurveStyle style : {CurveStyle::dots, CurveStyle::density, CurveStyle::both}) {
            Harness h({.window = {1024, 768}, .scale = scale});
            h.state().view.of<AddNormView>().curves = style;
            h.settle();
            const auto in_sight = [&] {
                const NamedPart& plot = h.named("add-norm.before-after.plot");
                return plot.in_sight().h > plot.rect.h - 0.5f;
            };
            for (int i = 0; i < 60 && !in_sight(); ++i) {
                ImGui::GetIO().MouseWheel = -1;
                h.move({5, 500});
                h.frame();
            }
            ASSERT_TRUE(in_sight()) << scale;
            const Rect plot = h.named("add-norm.before-after.plot").rect;
            for (const std::string name : {"Z", "Y"})
                EXPECT_EQ(std::ranges::count_if(h.log().texts,
                                                [&](const LoggedText& text) {
                                                    return text.text == name &&
                                                           plot.contains(text.rect.center());
                                                }),
                          1)
                    << name << " " << scale;
        }
}

TEST(Cards, AnEditIsSaidAndTheOldValuesStayAsAGhostUntilEsc) {
    Harness h;
    h.double_click(h.center_of("add-norm.card-x.cells"));
    h.key(Key::a, true);
    h.type("4.5");
    h.key(Key::enter);
    h.settle();
    h.move({5, 500});
    h.settle();
    ASSERT_TRUE(h.state().before);
    const std::string effect = effect_of(*h.state().before, *h.state().derived).value();
    EXPECT_TRUE(h.has_text(effect));
    h.key(Key::escape);
    h.settle();
    EXPECT_FALSE(h.state().before);
    EXPECT_FALSE(h.has_text(effect));
}

TEST(BeforeAndAfter, DotsTravelFromZToY) {
    Harness h;
    const Rect plot = h.named("add-norm.before-after.plot").rect;
    const Color y = theme(ThemeKind::light).of(Stage::y).with_alpha(0.85f);
    const std::size_t all = h.vertices(y, plot).size();
    ASSERT_GT(all, 0u);
    h.click("add-norm.before-after.travel");
    h.frames(10);
    EXPECT_TRUE(h.vertices(y, plot).empty()) << "not there yet";
    EXPECT_TRUE(dots_travel(h.state().view));
    h.settle();
    EXPECT_FALSE(dots_travel(h.state().view));
    EXPECT_EQ(h.vertices(y, plot).size(), all);
    h.state().view.reduce_motion = true;
    h.settle();
    EXPECT_FALSE(h.has("add-norm.before-after.travel")) << "all are there at once";
}

TEST(BeforeAndAfter, DotsTravelWithThePlayedSteps) {
    Harness h({.window = {1100, 2400}}); // where the stage leaves the chart in its place
    const Color y = theme(ThemeKind::light).of(Stage::y).with_alpha(0.85f);
    const auto of_y = [&] {
        h.settle();
        return h.vertices(y, h.named("add-norm.before-after.plot").rect).size();
    };
    const std::size_t all = of_y();
    go_to(h.state().view.of<AddNormView>(), 3.5);
    EXPECT_EQ(of_y(), 0u) << "on the way to x\u0302";
    go_to(h.state().view.of<AddNormView>(), 5);
    EXPECT_EQ(of_y(), all);
}

TEST(WorkedSteps, ATermLightsItsCellsAndShowsItsCode) {
    Harness h;
    h.move({5, 500});
    h.settle();
    const std::uint64_t at_rest = h.draw_digest();
    h.move(h.center_of("add-norm.worked-steps.mean.term-0-0"));
    h.settle();
    EXPECT_EQ(h.state().view.hover.term, FormulaTerm::mean);
    // The digits of the token's cells in Z keep their ink; in x̂ all step back.
    const auto inked = [&](const std::string& card) {
        const Color full = ink_on(theme(ThemeKind::light).heat_mid);
        return h.vertices(full, h.named("add-norm." + card + ".cells").rect).size();
    };
    EXPECT_GT(inked("card-z"), 0u);
    EXPECT_EQ(inked("card-x-hat"), 0u);
    const ImGuiWindow* note = ImGui::FindWindowByName("##Tooltip_00");
    EXPECT_TRUE(note && note->Active) << "the code";
    h.move({5, 500});
    h.settle();
    EXPECT_EQ(h.draw_digest(), at_rest) << "all is as it was";
    EXPECT_FALSE(h.state().view.hover.term);
    h.state().ui.focus = h.named("add-norm.worked-steps.scale-and-shift.term-0-2").id;
    h.state().ui.focus_visible = true;
    h.key(Key::f10, false, true); // the keyboard leads
    h.frames(3);
    EXPECT_EQ(h.state().view.hover.term, FormulaTerm::beta);
}

TEST(Cards, WhatIsPastedLoadedOrMadeByAWorkerIsSaidToo) {
    Harness h;
    const auto expect_told = [&](const std::string& what) {
        h.settle();
        h.move({5, 500});
        h.settle();
        ASSERT_TRUE(h.state().before) << what;
        const auto effect = effect_of(*h.state().before, *h.state().derived);
        EXPECT_TRUE(h.has_text(effect.value())) << what << ": " << h.state().status;
    };
    h.click(h.center_of("add-norm.card-x.cells"));
    ImGui::SetClipboardText("7\t8\n9\t7\n");
    h.key(Key::v, true);
    expect_told("pasted");
    const std::filesystem::path file = h.dir() / "x.csv";
    std::ofstream(file) << "1,2,3,4,5,6\n2,3,4,5,6,7\n3,4,5,6,7,9\n1,5,2,4,9,6\n";
    open_path(h.state(), file, OpenAs::x);
    expect_told("loaded");
}

TEST(Cards, WhatIsUndoneLeavesNoGhost) {
    Harness h;
    h.click("add-norm.try.outlier");
    h.settle();
    ASSERT_TRUE(h.state().before);
    const std::string effect = effect_of(*h.state().before, *h.state().derived).value();
    EXPECT_TRUE(h.has_text(effect));
    h.key(Key::z, true);
    h.settle();
    EXPECT_FALSE(h.state().before);
    EXPECT_FALSE(h.has_text(effect));
}

TEST(AddNormWorkspace, ALongLineOfTermsOpensWithAClick) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        const auto full = [&] { return h.has_text("2.85)"); };
        EXPECT_FALSE(full());
        for (int i = 0; i < 80 && h.named("add-norm.worked-steps.mean.terms").in_sight().h < 10;
             ++i) {
            ImGui::GetIO().MouseWheel = -1;
            h.move({window.w - 20, window.h - 120});
            h.frame();
        }
        h.click("add-norm.worked-steps.mean.terms");
        h.settle();
        EXPECT_TRUE(full());
        h.click("add-norm.worked-steps.mean.terms");
        h.settle();
        EXPECT_FALSE(full());
    }
}

TEST(AddNormWorkspace, WithoutASublayerZIsXAndUndoBringsItBack) {
    Harness h;
    const Document began = h.document();
    h.click("add-norm.try.no-sublayer");
    h.settle();
    EXPECT_EQ(*h.document().f, Matrix<double>::Zero(4, 6));
    EXPECT_NEAR(h.state().derived->view(Tensor::z)(2, 0), 1.8, 1e-6) << "in float32";
    h.key(Key::z, true);
    h.settle();
    EXPECT_EQ(h.document(), began);
}

TEST(Cards, ADragUpMakesACellLargerAndADragDownSmaller) {
    Harness h;
    const Rect cells = h.named("add-norm.card-x.cells").rect;
    const Point at{cells.x + 12, cells.y + 12};
    const double began = (*h.document().x)(0, 0);
    h.drag(at, {at.x, at.y - 50});
    h.settle();
    EXPECT_NEAR((*h.document().x)(0, 0), began + 0.5, 0.011);
    h.frames(20); // a press sooner would be the second of a double click
    h.drag(at, {at.x, at.y + 50});
    h.settle();
    EXPECT_NEAR((*h.document().x)(0, 0), began, 0.021);
}

TEST(Cards, SignsStandHalfWayDownTheRows) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window, .example = "three-features"});
        const Rect cells = h.named("add-norm.card-x.cells").rect;
        int signs = 0;
        for (const LoggedText& text : h.log().texts) {
            if (text.text != "+" || text.rect.y > cells.bottom()) continue;
            ++signs;
            const float cell_h = std::min(cells.h, 84.0f); // one token
            EXPECT_NEAR(text.rect.center().y, cells.y + cell_h / 2, 6);
        }
        EXPECT_EQ(signs, 1);
    }
}

} // namespace
} // namespace normscope::testing
