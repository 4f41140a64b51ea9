#include "app/shell/files/figure.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/charts/recording_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

// The panels with studies as they seldom are, on a canvas that remembers what was drawn.
namespace normscope::testing {
namespace {

struct Panels {
    Document document = blank_document(3, 4);
    std::shared_ptr<const Derived> derived = Derived::of(document);
    View view;
    DrawMemory memory;
    FlowStudies studies;
    UiState state;
    Actions actions;
    RecordingCanvas canvas;

    void draw(const std::function<void(FlowPanel&)>& panel, Size size = {1200, 480}) {
        canvas.marks.clear();
        canvas.texts.clear();
        {
            const UnseenFrame unseen({size.w, size.h + 20});
            Ui ui(canvas, theme(ThemeKind::light), state);
            memory.of<FlowMemory>().runner.show(studies);
            const Frame frame{document, *derived, view, nullptr, memory};
            FlowPanel p{{ui, {0, 0, size.w, size.h}, frame, actions}};
            panel(p);
        }
        EXPECT_EQ(canvas.overlapping_texts().value_or(""), "");
        EXPECT_EQ(canvas.text_outside({0, 0, size.w, size.h}).value_or(""), "");
    }
    bool says(std::string_view part) const {
        std::string all;
        for (const auto& text : canvas.texts) all += text.text + " ";
        return all.find(part) != std::string::npos;
    }
    bool has_box() const { // a bar of the colour that says "wrong here"
        for (const auto& mark : canvas.marks)
            if (mark.color == theme(ThemeKind::light).nan.with_alpha(0.5f)) return true;
        return false;
    }
};

StackStudy measured(int blocks) {
    StackStudy study;
    study.stack.blocks = blocks;
    study.stack.sublayer = SublayerKind::ffn;
    SeedFlow seed;
    seed.flow.input_grad_norm = 2;
    for (int i = 0; i < blocks; ++i) {
        BlockFlow b;
        b.grad_norm = 1;
        b.mean_square = 1;
        b.split = {0.9, 0.3, 0.1};
        seed.flow.blocks.push_back(b);
    }
    study.seeds.push_back(seed);
    return study;
}

TEST(FlowPanels, AnErrorStandsWhereTheRiverWouldBe) {
    Panels p;
    StackStudy study;
    study.error = Error{"batch norm needs two tokens or more; take more tokens"};
    p.studies.present = std::make_shared<StackStudy>(study);
    p.draw(river_panel);
    EXPECT_TRUE(p.says("batch norm needs two tokens or more"));
    EXPECT_TRUE(p.says("Take the default stack"));
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("could not be measured"));
}

TEST(FlowPanels, PanelsSayThatTheirNumbersAreOnTheirWay) {
    Panels p;
    p.draw(river_panel);
    EXPECT_TRUE(p.says("Measuring"));
    Panels q;
    q.studies.present = std::make_shared<StackStudy>(measured(4));
    q.draw(paths_panel);
    EXPECT_TRUE(q.says("Splitting the gradient by path length …"));
    StackStudy large = measured(4);
    large.paths_left_out = true;
    Panels r;
    r.studies.present = std::make_shared<StackStudy>(large);
    r.draw(paths_panel);
    EXPECT_TRUE(r.says("would take minutes"));
}

TEST(FlowPanels, AnOverflowIsSaidInWords) {
    Panels p;
    StackStudy study = measured(8);
    for (std::size_t i = 0; i < 3; ++i)
        study.seeds[0].flow.blocks[i].split.skip_norm = std::numeric_limits<double>::infinity();
    p.studies.present = std::make_shared<StackStudy>(study);
    p.draw(river_panel);
    EXPECT_TRUE(p.says("From block 3 down the gradient overflows"));
    EXPECT_TRUE(p.says("overflow"));
    EXPECT_TRUE(p.has_box());
}

TEST(FlowPanels, OfNoGradientNothingIsSplit) {
    Panels p;
    StackStudy study = measured(3);
    study.stack.gamma = 0;
    study.seeds[0].flow.input_grad_norm = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        study.seeds[0].flow.blocks[i].split = {};
        study.seeds[0].flow.blocks[i].grad_norm = i == 2 ? 1 : 0;
    }
    study.seeds[0].paths.emplace();
    study.seeds[0].paths->energy_share.assign(4, 0);
    study.seeds[0].paths->signed_share.assign(4, 0);
    p.studies.present = std::make_shared<StackStudy>(study);
    p.draw(river_panel);
    EXPECT_TRUE(p.says("γ = 0 in every block"));
    EXPECT_FALSE(p.says("float"));
    for (const std::optional<int> length : {std::optional<int>(), std::optional(1)}) {
        p.view.of<FlowView>().path_length = length;
        p.draw(paths_panel);
        EXPECT_TRUE(p.says("nothing to split: no gradient reaches the input"));
        EXPECT_FALSE(p.says("weighted by"));
    }
}

TEST(FlowPanels, ProgressIsALineThatMovesNothing) {
    Panels idle, busy;
    idle.studies.present = busy.studies.present = std::make_shared<StackStudy>(measured(6));
    busy.studies.computing = true;
    busy.studies.progress = 0.4;
    idle.draw(river_panel);
    busy.draw(river_panel);
    ASSERT_EQ(idle.canvas.texts.size(), busy.canvas.texts.size());
    for (std::size_t i = 0; i < idle.canvas.texts.size(); ++i)
        EXPECT_EQ(idle.canvas.texts[i].bounds, busy.canvas.texts[i].bounds);
    EXPECT_EQ(busy.canvas.marks.size(), idle.canvas.marks.size() + 2);
}

TEST(FlowPanels, OnePinnedStackOfAnotherDepthIsDrawnOverItsOwnBlocks) {
    Panels p;
    p.document.flow.pinned = std::vector<PinnedStack>{{"Deep", measured(20).stack, true},
                                                      {"Hidden", measured(9).stack, false}};
    p.studies.present = std::make_shared<StackStudy>(measured(6));
    p.studies.pinned = {std::make_shared<StackStudy>(measured(20)),
                        std::make_shared<StackStudy>(measured(9))};
    p.draw(gradients_panel);
    std::size_t lines = 0;
    for (const auto& mark : p.canvas.marks)
        if (mark.kind == RecordingCanvas::Kind::polyline) {
            ++lines;
            EXPECT_TRUE(mark.points == 21 || mark.points == 7);
        }
    EXPECT_EQ(lines, 2u);
}

TEST(FlowPanels, APinnedStackWithoutSuchAValueIsListedAsNone) {
    Panels p;
    StackStudy linear = measured(6);
    for (BlockFlow& b : linear.seeds[0].flow.blocks) b.weight_grad_norm = 0.5;
    p.document.flow.pinned = std::vector<PinnedStack>{{"An encoder", measured(6).stack, true},
                                                      {"Hidden", measured(6).stack, false}};
    p.studies.present = std::make_shared<StackStudy>(linear);
    p.studies.pinned.assign(2, std::make_shared<StackStudy>(measured(6)));
    p.view.of<FlowView>().quantity = FlowQuantity::weight;
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("1 pinned stack has no such value"));
    p.view.of<FlowView>().block = 2;
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("An encoder none"));
    EXPECT_FALSE(p.says("Hidden"));
    p.view.of<FlowView>().quantity = FlowQuantity::gradient;
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("An encoder 1"));
}

// A stack with all that is shown of one, beside a pinned one, drawn for a file.
void make_picture(Panels& p) {
    p.state.picture = true;
    StackStudy study = measured(4);
    study.seeds[0].paths.emplace();
    study.seeds[0].paths->energy_share = {0.4, 0.3, 0.2, 0.1, 0};
    study.seeds[0].paths->signed_share = study.seeds[0].paths->energy_share;
    p.document.flow.pinned = std::vector<PinnedStack>{{"Beside it", measured(6).stack, true, 3}};
    p.studies.present = std::make_shared<StackStudy>(study);
    p.studies.pinned = {std::make_shared<StackStudy>(measured(6))};
}

TEST(FlowPanels, APictureNamesItsStackAndInvitesNobody) {
    Panels p;
    make_picture(p);
    for (const PanelDraw<FlowView> panel : {river_panel, gradients_panel, paths_panel}) {
        p.draw(panel, {760, 460});
        EXPECT_TRUE(p.says(stack_name(measured(4).stack)));
        EXPECT_TRUE(p.says("width 64"));
        for (const char* control :
             {"Particles", "logarithmic", "activations", "Click", "Hover", "Press", "Enter", "×"})
            EXPECT_FALSE(p.says(control)) << control;
    }
    p.draw(gradients_panel, {760, 460});
    EXPECT_TRUE(p.says(stack_name(measured(4).stack) + " Beside it")) << "its legend";
    p.draw(river_panel, {760, 460});
    EXPECT_TRUE(p.says("‖g‖: the gradient's size; width: that of each part"));
    p.state.picture = false;
    p.view.of<FlowView>().more_quantities = true;
    p.draw(gradients_panel, {760, 460});
    EXPECT_TRUE(p.says("activations")) << "on the screen it does";
    EXPECT_FALSE(p.says("Beside it")) << "the list of what is compared says so";
}

TEST(FlowPanels, ASmallPictureKeepsItsChartBeforeItsWords) {
    Panels p;
    make_picture(p);
    for (const FigureEntry& figure : gradient_flow_workspace().figures) {
        p.draw(figure.draw, figure.least);
        EXPECT_FALSE(p.says("mean over")) << figure.id;
        const auto drawn =
            std::count_if(p.canvas.marks.begin(), p.canvas.marks.end(),
                          [&](const auto& mark) { return mark.bounds.h < figure.least.h - 30; });
        EXPECT_GT(drawn, 5) << figure.id << ": the panel alone has its ground and border";
    }
}

// Marker, colour and dash tell seven pinned stacks and the present one apart, two by two.
TEST(FlowPanels, NoTwoCurvesLookAlike) {
    for (const ThemeKind kind : k_themes) {
        const Theme& look = theme(kind);
        std::vector<LineStyle> styles{present_style(look)};
        for (std::size_t i = 0; i < k_most_pinned; ++i) styles.push_back(pinned_style(look, i));
        for (std::size_t i = 0; i < styles.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                EXPECT_NE(styles[i].marker, styles[j].marker);
                const Color a = styles[i].color, b = styles[j].color;
                // Colours that are near each other are dashed otherwise; the present stack's is
                // like none.
                const bool dashes = styles[i].dash != styles[j].dash;
                EXPECT_GT(std::hypot(a.r - b.r, a.g - b.g, a.b - b.b), j == 0   ? 100
                                                                       : dashes ? 20
                                                                                : 60)
                    << i << ' ' << j << ' ' << static_cast<int>(kind);
            }
    }
}

TEST(FlowPanels, PanelsSayThatTheRunWasStopped) {
    Panels p;
    StackStudy study = measured(6);
    study.seeds_wanted = 32;
    study.seeds.resize(15, study.seeds.front());
    p.studies.present = std::make_shared<StackStudy>(study);
    p.studies.computing = true;
    p.studies.progress = 0.4;
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("15 of 32 seeds so far"));
    p.draw(paths_panel);
    EXPECT_TRUE(p.says("40 %"));
    p.draw(river_panel);
    EXPECT_FALSE(p.says("Stop"));
    p.studies.takes_long = true;
    p.draw(river_panel);
    EXPECT_TRUE(p.says("Stop"));

    p.studies.computing = p.studies.takes_long = false;
    p.studies.progress.reset();
    p.studies.stopped = true;
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("15 of 32 seeds, stopped"));
    p.draw(paths_panel);
    EXPECT_TRUE(p.says("Stopped before"));
    p.draw(river_panel);
    EXPECT_TRUE(p.says("Go on"));
}

TEST(FlowPanels, PanelsSayThatTheyShowTheEarlierStack) {
    Panels p;
    p.studies.present = std::make_shared<StackStudy>(measured(6));
    p.document.flow.stack = p.studies.present->stack;
    p.studies.takes_long = true;
    for (const PanelDraw<FlowView> panel : {river_panel, gradients_panel, paths_panel}) {
        p.draw(panel);
        EXPECT_FALSE(p.says("as before the change"));
    }
    p.document.flow.stack.width = 128;
    for (const PanelDraw<FlowView> panel : {river_panel, gradients_panel, paths_panel}) {
        p.draw(panel);
        EXPECT_TRUE(p.says("as before the change"));
    }
}

TEST(FlowPanels, TheRiverOfTheStackBeforeDoesNotSettleTheScale) {
    Panels p;
    p.studies.present = std::make_shared<StackStudy>(measured(6));
    p.draw(river_panel);
    EXPECT_FALSE(p.actions.view.of<FlowView>().found_width);
    p.document.flow.stack = p.studies.present->stack;
    p.draw(river_panel);
    EXPECT_EQ(p.actions.view.of<FlowView>().found_width, ScaleKind::linear);
}

TEST(FlowPanels, WhichRunAndWhichMeanIsShownIsSaid) {
    Panels p;
    StackStudy study = measured(6);
    study.seeds_wanted = 2;
    study.seeds.push_back(study.seeds.front());
    study.seeds[1].flow.input_grad_norm = 8; // 2 in the first
    study.stack.seed = study.seeds[0].seed = 7;
    study.seeds[1].seed = 8;
    p.document.flow.seeds = 2;
    p.studies.present = std::make_shared<StackStudy>(study);
    p.draw(river_panel);
    EXPECT_TRUE(p.says("through 6 blocks · seed 7"));
    EXPECT_FALSE(p.says("seed 7 of"));
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("geometric mean of seeds 7 to 8"));
    EXPECT_TRUE(p.says("mean 4.00")) << "and the river's own number beside it";
    EXPECT_TRUE(p.says("seed 7: 2.00"));
    p.view.of<FlowView>().block = 1;
    p.draw(gradients_panel);
    EXPECT_TRUE(p.says("4.00 (2.00 to 8.00), seed 7: 2.00"));
}

TEST(FlowPanels, TheValuesOfSevenPinsAreAllListed) {
    Panels p;
    const auto at = [](double norm, int blocks) {
        StackStudy study = measured(blocks);
        study.seeds.push_back(study.seeds.front());
        study.seeds[0].flow.blocks[2].grad_norm = norm;
        study.seeds[1].flow.blocks[2].grad_norm = norm * 1.21;
        return study;
    };
    std::vector<PinnedStack> pins;
    for (std::size_t i = 0; i < k_most_pinned; ++i) {
        const int blocks = i == 3 ? 2 : 6;
        StackStudy study =
            i == 3 ? measured(blocks) : at(10.0 * static_cast<double>(i + 2), blocks);
        pins.push_back({fmt::format("{}. A", i + 1), study.stack, true, i});
        p.studies.pinned.push_back(std::make_shared<StackStudy>(std::move(study)));
    }
    p.document.flow.pinned = pins;
    p.studies.present = std::make_shared<StackStudy>(at(10, 6));
    const Size wide{697, 396}, small{628, 380}, narrow{330, 430};
    for (const Size size : {wide, small, narrow}) {
        p.view.of<FlowView>().block.reset();
        p.draw(gradients_panel, size);
        const auto chart_of = [&] {
            for (const auto& text : p.canvas.texts)
                if (text.text.starts_with("block")) return text.bounds.y;
            return 0.0f;
        };
        const float chart = chart_of();
        p.view.of<FlowView>().block = 4;
        p.draw(gradients_panel, size);
        EXPECT_EQ(chart_of(), chart) << "nothing moves";
        for (const char* value : {"11.0", "22.0", "33.0", "44.0", "none", "66.0", "77.0", "88.0"})
            EXPECT_TRUE(p.says(value)) << value << " at " << size.w;
        for (std::size_t i = 0; i < k_most_pinned; ++i)
            EXPECT_TRUE(p.says(fmt::format("{}. A", i + 1))) << size.w;
        EXPECT_EQ(p.says("(80.0 to 96.8)"), size.w != narrow.w) << size.w;
    }
}

TEST(FlowPanels, PanelsPromiseNoNumbersThatAreNotMeasured) {
    Panels p;
    p.studies.present = std::make_shared<StackStudy>(measured(6));
    p.view.of<FlowView>().block = 2;
    p.draw(river_panel);
    EXPECT_TRUE(p.says("being measured"));
    p.studies.stopped = true;
    p.draw(river_panel);
    EXPECT_FALSE(p.says("being measured"));
    EXPECT_TRUE(p.says("not measured"));
}

TEST(FlowPanels, ARouteThatCrossesABlockTwiceSaysSo) {
    Panels p;
    StackStudy study = measured(6);
    study.stack.sublayer = SublayerKind::encoder;
    study.seeds[0].paths.emplace();
    study.seeds[0].paths->energy_share.assign(13, 1.0 / 13);
    study.seeds[0].paths->signed_share = study.seeds[0].paths->energy_share;
    p.document.flow.stack = study.stack;
    p.studies.present = std::make_shared<StackStudy>(study);
    p.view.of<FlowView>().path_length = 12;
    p.draw(paths_panel, {700, 400});
    EXPECT_TRUE(p.says("The route that is lit crosses 12: 6 blocks, 6 of them twice"));
}

TEST(FlowPanels, ThePartsAtTheInputAddUpAsArrows) {
    Panels p;
    StackStudy study = measured(6);
    GradientFlow& flow = study.seeds[0].flow;
    flow.input_grad_norm = 5;
    flow.blocks[0].split = {.skip_norm = 3, .branch_norm = 4, .cosine = 0};
    p.document.flow.stack = study.stack;
    p.studies.present = std::make_shared<StackStudy>(study);
    p.draw(river_panel);
    EXPECT_TRUE(p.says("At the input block 1's skip brings 3.00, its sublayer 4.00: as arrows (at "
                       "90° to each other) they add up to 5.00."));
}

TEST(FlowPanels, EveryShareHasThreeDigits) {
    Panels p;
    StackStudy study = measured(6);
    p.document.flow.stack = study.stack;
    study.seeds[0].paths.emplace();
    study.seeds[0].paths->energy_share = {0.2, 0.8, 0, 0, 0, 0, 0};
    study.seeds[0].paths->signed_share = study.seeds[0].paths->energy_share;
    p.studies.present = std::make_shared<StackStudy>(study);
    p.draw(paths_panel, {495, 400});
    EXPECT_TRUE(p.says("crosses none brings 20.0 % of them"));
    // A part may work against the others.
    study.seeds[0].paths->signed_share = {-0.125, 1.125, 0, 0, 0, 0, 0};
    p.studies.present = std::make_shared<StackStudy>(study);
    p.view.of<FlowView>().path_length = 0;
    p.draw(paths_panel, {495, 400});
    EXPECT_TRUE(p.says("20.0 % of the parts' squares"));
    EXPECT_TRUE(p.says("−12.5 %"));
}

TEST(FlowPanels, StopKeepsItsPlaceWhenTheFirstSeedComes) {
    Panels p;
    p.studies.computing = p.studies.takes_long = true;
    p.studies.progress = 0.1;
    const auto place = [&] {
        p.draw(river_panel);
        EXPECT_EQ(p.says("Particles"), p.view.of<FlowView>().more_river)
            << "nothing is missing beside it";
        for (const auto& text : p.canvas.texts)
            if (text.text == "Stop") return text.bounds;
        return Rect{};
    };
    for (const bool unfolded : {true, false}) {
        p.view.of<FlowView>().more_river = unfolded;
        p.studies.present.reset();
        const Rect before = place();
        EXPECT_GT(before.w, 0);
        p.studies.present = std::make_shared<StackStudy>(measured(6));
        EXPECT_EQ(place(), before);
    }
}

TEST(FlowPanels, TheScaleOfTheRiverIsWholeOrLeftOut) {
    Panels p;
    p.studies.present = std::make_shared<StackStudy>(measured(6));
    for (const bool unfolded : {true, false})
        for (const float width : {1200.0f, 560.0f, 480.0f, 430.0f, 400.0f, 300.0f}) {
            p.view.of<FlowView>().more_river = unfolded;
            p.draw(river_panel, {width, 480});
            EXPECT_FALSE(p.says("that of each…") || p.says("that of each part,…") ||
                         p.says("0 to…"))
                << width;
        }
    p.draw(river_panel, {1200, 480});
    EXPECT_TRUE(p.says("that of each part, 0 at the axis to"));
    p.draw(river_panel, {300, 480});
    EXPECT_TRUE(p.says("0 to 1")) << "its ends at least";
}

TEST(FlowPanels, EveryLengthHasABarWhereTheyFit) {
    Panels p;
    p.document.flow.stack = measured(24).stack;
    p.studies.present = std::make_shared<StackStudy>(measured(24));
    p.draw(paths_panel, {495, 400}); // its width in a window of 1600
    EXPECT_FALSE(p.says("–"));
    for (const char* length : {"0", "12", "24"}) EXPECT_TRUE(p.says(length));
}

TEST(FlowPanels, ARouteOutOfABarOfSeveralLengthsSaysItsOwn) {
    Panels p;
    StackStudy study = measured(90);
    study.seeds[0].paths.emplace();
    study.seeds[0].paths->energy_share.assign(91, 1.0 / 91);
    study.seeds[0].paths->signed_share = study.seeds[0].paths->energy_share;
    p.document.flow.stack = study.stack;
    p.studies.present = std::make_shared<StackStudy>(study);
    p.view.of<FlowView>().path_length = 41;
    p.draw(paths_panel, {495, 400});
    EXPECT_TRUE(p.says("The route that is lit crosses 41."));
}

} // namespace
} // namespace normscope::testing
