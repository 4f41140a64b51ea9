#include "app/charts/number_format.h"
#include "app/model/transformer/file_weights.h"
#include "app/session/session_file.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/workspaces/train/train_harness.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

const char* const k_run = "train.run.run";

void expect_session_keeps(const Document& document) {
    const auto read = read_session(write_session(document), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(*read == document);
}

TEST(TrainWorkspace, ARaceRunsToItsEndAndChangesNoDocument) {
    TrainHarness h;
    EXPECT_EQ(h.setup().step, 0);
    const Document before = h.document();
    h.state().history.mark_saved();
    h.run();
    EXPECT_EQ(h.setup().step, 200);
    EXPECT_FALSE(h.state().view.running);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(h.lane(i).trace.steps(), 200) << i;
    EXPECT_FALSE(h.named(k_run).enabled) << "there are no more steps";
    EXPECT_FALSE(h.app().animating());
    EXPECT_EQ(h.document(), before);
    EXPECT_TRUE(h.state().history.saved());
    h.undo();
    EXPECT_FALSE(h.document() == before) << "the race that was set before it ran is taken back";
}

TEST(TrainWorkspace, ARaceThatTakesTooMuchMemoryIsNotRunAndSaysWhy) {
    TrainHarness h;
    h.move(h.center_of(k_run));
    h.settle();
    EXPECT_FALSE(h.race().too_large());
    EXPECT_TRUE(h.has_text(fixed_text(std::max(1.0, h.race().bytes / 1e6), 0) + " MB"));
    RaceSetup huge = small_race();
    huge.common = usual_config(Task::reverse);
    huge.common.layers = 64;
    huge.common.width = 256;
    huge.common.ffn = 1024;
    huge.lanes = usual_lanes(Task::reverse);
    h.set(huge);
    EXPECT_TRUE(h.race().too_large());
    EXPECT_TRUE(h.has_text(fixed_text(h.race().bytes / 1e9, 1) + " GB"));
    EXPECT_TRUE(h.has_text("take fewer lanes"));
    EXPECT_FALSE(h.named(k_run).enabled);
    EXPECT_FALSE(h.named("train.run.one-step").enabled);
    EXPECT_FALSE(h.race().data) << "nothing is made of it";
    h.set(small_race());
    h.run();
    EXPECT_EQ(h.setup().step, 200);
}

TEST(TrainWorkspace, ItPausesWhereItIsAndGoesOn) {
    TrainHarness h;
    h.click(k_run);
    for (int i = 0; i < 20000 && h.setup().step < 10; ++i) h.frame();
    h.press(k_run);
    const Index paused = h.setup().step;
    EXPECT_GE(paused, 10);
    EXPECT_FALSE(h.state().view.running);
    h.frames(5);
    EXPECT_EQ(h.setup().step, paused);
    h.run();
    EXPECT_EQ(h.setup().step, 200);
}

TEST(TrainWorkspace, OneStepAndResetGoThereAndEverythingShowsIt) {
    TrainHarness h;
    h.press("train.run.one-step");
    EXPECT_EQ(h.setup().step, 1);
    EXPECT_EQ(h.lane(1).trace.steps(), 1);
    EXPECT_TRUE(h.has_text("step 1 of 200"));
    EXPECT_TRUE(h.has_text("at step 1"));
    h.press("train.run.reset");
    EXPECT_EQ(h.setup().step, 0);
    EXPECT_FALSE(h.named("train.run.reset").enabled);
}

TEST(TrainWorkspace, TheScrubberGoesBackByMouseAndByKey) {
    TrainHarness h;
    h.run();
    const Rect track = h.named("train.run.step").rect;
    h.drag({track.right() - 9, track.center().y}, {track.center().x, track.center().y});
    h.settle();
    const Index middle = h.setup().step;
    EXPECT_GT(middle, 5);
    EXPECT_LT(middle, 100) << "the middle of a logarithmic track";
    EXPECT_EQ(h.lane(2).shot->step, middle);
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.setup().step, middle + 1);
    h.key_and_settle(Key::home);
    EXPECT_EQ(h.setup().step, 0);
    h.key_and_settle(Key::end);
    EXPECT_EQ(h.setup().step, 200);
}

TEST(TrainWorkspace, ASettingOfAllLanesBeginsTheRaceAnew) {
    TrainHarness h;
    h.run();
    h.press("train.setup.more");
    h.press("train.activation.tanh");
    EXPECT_EQ(h.setup().common.activation, Activation::tanh);
    EXPECT_EQ(h.setup().step, 0);
    EXPECT_EQ(h.lane(0).trace.steps(), 0);
    h.undo();
    EXPECT_EQ(h.setup().step, 200);
    EXPECT_EQ(h.lane(0).trace.steps(), 200) << "the old run is there again";
}

TEST(TrainWorkspace, AClickedLaneIsChangedAlone) {
    TrainHarness h;
    EXPECT_TRUE(h.has("train.task"));
    EXPECT_FALSE(h.has("train.norm.rms"));
    const Rect layers = h.named("train.layers").rect;
    h.press("train.lanes.lane-0.name");
    EXPECT_EQ(h.view().lane, 0u);
    EXPECT_TRUE(h.has("train.norm.rms"));
    EXPECT_FALSE(h.has("train.task"));
    EXPECT_TRUE(h.has_text("Spirals")) << "as in all lanes";
    EXPECT_EQ(h.named("train.layers").rect.y, layers.y) << "no row comes or goes";
    h.press("train.skip.rezero");
    EXPECT_EQ(config_of(h.setup(), (*h.setup().lanes)[0]).skip, Skip::rezero);
    EXPECT_EQ(h.setup().common.skip, Skip::add);
    EXPECT_TRUE(h.has_text(lane_name(h.setup(), (*h.setup().lanes)[0])));
    h.press("train.setup.all-lanes");
    EXPECT_TRUE(h.has("train.task"));
}

// A setting that has no meaning without a norm is replaced by a note in the same place.
TEST(TrainWorkspace, ALaneWithoutANormKeepsAllRowsInTheirPlaces) {
    TrainHarness h;
    h.press("train.setup.more");
    h.press("train.lanes.lane-1.name");
    Rect place = h.all_of("train.norm-place.").at(0).rect;
    place.w = h.named("train.setup").rect.right() - place.x;
    const Rect warmup = h.named("train.warmup").rect;
    h.press("train.norm.none");
    EXPECT_TRUE(h.all_of("train.norm-place.").empty());
    EXPECT_TRUE(std::ranges::any_of(h.log().texts, [&](const LoggedText& note) {
        return place.contains(note.rect.center());
    })) << "why";
    EXPECT_EQ(h.named("train.warmup").rect.y, warmup.y);
}

TEST(TrainWorkspace, TheRunStaysInSightWhereThePageIsScrolled) {
    TrainHarness h({.window = {1024, 768}});
    const Rect run = h.named("train.run.run").rect;
    const float race = h.named("train.race").rect.y;
    h.move({500, 500});
    h.key_and_settle(Key::page_down);
    EXPECT_LT(h.named("train.race").rect.y, race);
    EXPECT_EQ(h.named("train.run.run").rect, run);
    EXPECT_EQ(h.named("train.run.run").in_sight().h, run.h);
}

TEST(TrainWorkspace, TheRunIsInOnePlaceWhateverIsChosenOrOpened) {
    TrainHarness h;
    const auto places = [&] {
        std::vector<float> out;
        for (const char* part : {"run", "one-step", "reset", "pace", "step"}) {
            const Rect r = h.named(std::string("train.run.") + part).rect;
            out.insert(out.end(), {r.x, r.y});
        }
        return out;
    };
    const auto before = places();
    for (const char* name : {"train.lanes.lane-0.name", "train.setup.more", "train.lanes.more",
                             "train.race.more", "train.run.one-step", "train.lanes.add"}) {
        h.press(name);
        EXPECT_EQ(places(), before) << name;
    }
    h.resize({1600, 700});
    h.settle();
    EXPECT_EQ(places(), before);
    h.view().pace = k_fastest;
    h.settle();
    EXPECT_EQ(places(), before);
}

TEST(TrainWorkspace, ThePaceIsOfTheViewAndSlowsARace) {
    TrainHarness h;
    const Document before = h.document();
    h.press("train.run.pace");
    h.key_and_settle(Key::home);
    EXPECT_EQ(h.view().pace, 5);
    EXPECT_EQ(h.document(), before);
    View view = h.state().view;
    view.of<TrainView>().head = 200;
    const auto due = race_due(view, before, 1);
    ASSERT_TRUE(due);
    EXPECT_EQ(apply(before, *due)->train.step, 5) << "in a second";
    h.press("train.run.pace");
    h.key_and_settle(Key::end);
    EXPECT_EQ(h.view().pace, k_fastest);
    h.run();
    EXPECT_EQ(h.setup().step, 200);
}

// The window ends below the row of folds.
TEST(TrainWorkspace, AnUnfoldedPanelComesIntoSight) {
    TrainHarness h({.unfolded = false});
    for (const std::string panel : {"train.inside", "train.phases"}) {
        h.press(panel + ".unfold");
        const NamedPart& part = h.named(panel);
        EXPECT_LE(part.rect.bottom(), part.clip.bottom() + 1) << panel;
    }
}

TEST(TrainWorkspace, TheFirstRaceExplainsTheGuessTheLossAndTheRate) {
    TrainHarness h({.window = {1600, 1000}}, default_race());
    EXPECT_TRUE(h.has_text("log 2 = 0.693"));
    EXPECT_TRUE(h.has_text("A lane is one network. Its loss is 0"));
    EXPECT_TRUE(h.has_text("Rate: how far one step moves the weights"));
}

TEST(TrainWorkspace, TheFirstRaceSaysWhichLaneReachesTheMark) {
    RaceSetup race = default_race();
    race.step = 300;
    TrainHarness h({.window = {1600, 1400}}, race);
    EXPECT_TRUE(h.lane(3).trace.hit) << "layer norm, skip";
    EXPECT_FALSE(h.lane(0).trace.hit);
    const std::string hit = std::to_string(*h.lane(3).trace.hit);
    const auto names_it = [&] { return h.has_text("“Layer norm, skip”"); };
    const auto needs_both = [&] { return h.has_text("It takes both here"); };
    EXPECT_TRUE(names_it());
    EXPECT_TRUE(h.has_text("95 % at step " + hit));
    EXPECT_TRUE(h.has_text("95 %, tested every 25 steps"));
    EXPECT_FALSE(needs_both()) << "the race goes on";
    h.go_to(25);
    EXPECT_FALSE(names_it());
    EXPECT_FALSE(h.has_text(hit)) << "its row says so too";
    race.common.steps = race.step;
    h.set(race);
    EXPECT_TRUE(needs_both());
}

TEST(TrainWorkspace, AShallowRaceSaysThatAllLearn) {
    RaceSetup race = default_race();
    race.common.layers = 5;
    race.common.steps = race.step = 300;
    TrainHarness h({.window = {1600, 1400}}, race);
    EXPECT_TRUE(h.has_text("All four learn here: so few layers need neither."));
}

TEST(TrainWorkspace, LanesThatReachTheMarkAtOneStepAreBothNamed) {
    RaceSetup race = default_race();
    std::vector<Lane> lanes{(*race.lanes)[3], (*race.lanes)[3], (*race.lanes)[0]};
    lanes[1].name = "twin";
    lanes[1].look = 1;
    race.lanes = lanes;
    race.step = 300;
    TrainHarness h({.window = {1600, 1400}}, race);
    EXPECT_EQ(h.lane(0).trace.hit, h.lane(1).trace.hit);
    EXPECT_FALSE(h.lane(2).trace.hit);
    EXPECT_TRUE(h.has_text("“Layer norm, skip” and “twin”"));
}

TEST(TrainWorkspace, LanesAreSwitchedCopiedRenamedAddedAndRemoved) {
    TrainHarness h;
    h.press("train.lanes.more");
    h.press("train.lanes.lane-1.on");
    EXPECT_FALSE((*h.setup().lanes)[1].on);
    EXPECT_FALSE(h.race().lanes[1]);
    EXPECT_FALSE(h.named("train.lanes.copy").enabled) << "of none";
    h.press("train.lanes.lane-0.name");
    h.press("train.lanes.copy");
    EXPECT_EQ(h.setup().lanes->size(), 6u);
    EXPECT_FALSE(h.named("train.lanes.add").enabled) << "six race at most";
    h.press("train.lanes.lane-1.remove");
    EXPECT_EQ(h.setup().lanes->size(), 5u);
    h.double_click(h.center_of("train.lanes.lane-0.name"));
    h.key(Key::a, true);
    h.type("Plain");
    h.key_and_settle(Key::enter);
    EXPECT_EQ((*h.setup().lanes)[0].name, "Plain");
    h.press("train.lanes.add");
    EXPECT_EQ(h.setup().lanes->size(), 6u);
    EXPECT_EQ(h.view().lane, 5u) << "Setup shows the new one";
    for (int i = 0; i < 5; ++i) h.press("train.lanes.lane-0.remove");
    EXPECT_FALSE(h.named("train.lanes.lane-0.remove").enabled) << "a race needs a lane";
}

TEST(TrainWorkspace, ALaneThatDivergesSaysSoInEveryFigure) {
    RaceSetup race = small_race();
    race.common.lr = 1e9;
    race.lanes = std::vector<Lane>{(*race.lanes)[0], (*race.lanes)[2]};
    TrainHarness h({.window = {1600, 1400}}, race);
    h.run();
    ASSERT_TRUE(h.lane(0).trace.diverged);
    const std::string from = "(NaN) after step " + std::to_string(h.lane(0).trace.diverged->step);
    const auto said = std::ranges::count_if(h.log().texts, [&](const LoggedText& text) {
        return text.text.find(from) != std::string::npos;
    });
    EXPECT_EQ(said, 2) << "at its line and in its map";
    EXPECT_FALSE(h.lane(0).shot->finite);
}

TEST(TrainWorkspace, WhatIsPredictedIsShownBesideWhatCame) {
    TrainHarness h;
    h.press("train.race.predict");
    h.press("train.race.lane-1.fate.first");
    h.press("train.race.lane-2.fate.first");
    h.press("train.race.lane-0.fate.blows-up");
    const Rect chart = h.named("train.race.pen").rect;
    h.drag({chart.x + 2, chart.y + 20}, {chart.right() - 2, chart.bottom() - 20});
    ASSERT_TRUE(h.view().predicted);
    EXPECT_EQ(h.view().predicted->first, 2u) << "one comes first";
    const std::map<int, double>& drawn = h.view().predicted->drawn;
    EXPECT_GT(drawn.size(), 55u) << "of 61 places";
    EXPECT_EQ(drawn.rbegin()->first - drawn.begin()->first + 1, static_cast<int>(drawn.size()))
        << "a quick stroke leaves no gaps";
    EXPECT_GT(drawn.begin()->second, drawn.rbegin()->second);
    const auto verdict = [&] { return h.has_text("You: Batch norm first; No norm blows up."); };
    h.run();
    EXPECT_TRUE(h.has("train.race.chart")) << "the race is shown again";
    EXPECT_TRUE(verdict());
    EXPECT_FALSE(h.named("train.race.predict").enabled);
    h.press("train.setup.more");
    h.press("train.activation.tanh");
    h.press("train.run.one-step");
    EXPECT_FALSE(verdict()) << "of another race nothing was said";
}

TEST(TrainWorkspace, PointingAtTheRaceShowsThatStepInTheTable) {
    TrainHarness h;
    const Rect chart = h.named("train.race.chart").rect;
    const auto shows_with_mouse_at = [&](Point at, int step) {
        h.move(at);
        h.frames(2);
        return std::ranges::count(h.log().texts, "at step " + std::to_string(step),
                                  &LoggedText::text) == 1;
    };
    const Point first{chart.x + 2, chart.center().y};
    EXPECT_TRUE(shows_with_mouse_at(first, 0)) << "there is no step yet";
    h.run();
    EXPECT_TRUE(shows_with_mouse_at(first, 1));
    EXPECT_TRUE(shows_with_mouse_at({1, 1}, 200));
}

TEST(TrainWorkspace, TheAxesAreLogarithmicOrLinear) {
    TrainHarness h;
    h.run();
    h.press("train.race.more");
    h.press("train.race.steps-axis.linear");
    EXPECT_FALSE(h.view().log_steps);
    h.press("train.race.loss-axis.linear");
    EXPECT_FALSE(h.view().log_loss);
}

TEST(TrainWorkspace, LossesAreSmoothedOverPaleOnesAndTheSmoothingIsSaid) {
    TrainHarness h;
    const auto said = [&] { return h.has_text("smoothed over 25 steps; pale: each batch"); };
    h.run();
    EXPECT_TRUE(said());
    EXPECT_TRUE(h.has_text(number_text(*h.lane(0).trace.loss_at(200), 3))) << "as the table has it";
    h.move({1, 1});
    h.settle();
    const std::uint64_t smooth = h.draw_digest();
    h.press("train.race.more");
    h.press("train.race.smooth.off");
    EXPECT_FALSE(h.view().smooth);
    EXPECT_FALSE(said());
    h.press("train.race.smooth.on");
    h.press("train.race.more");
    h.move({1, 1});
    h.settle();
    EXPECT_EQ(h.draw_digest(), smooth);
}

TEST(TrainWorkspace, GammaAndBetaStandBesideTheRibbonsAndTheGradientMayBeUpdates) {
    TrainHarness h;
    h.press("train.inside.unfold");
    h.press("train.train-gradient.unfold");
    h.run();
    const std::vector<LayerAffine>& affine = h.lane(1).shot->affine;
    ASSERT_EQ(affine.size(), 3u) << "a layer each";
    EXPECT_EQ(affine[0].gamma.size(), 8u);
    EXPECT_NE(affine[0].gamma[0], 1) << "it has learned";
    EXPECT_TRUE(h.lane(0).shot->affine[0].gamma.empty()) << "no norm";
    EXPECT_TRUE(h.has("train.inside.gamma"));
    EXPECT_TRUE(h.has("train.inside.beta"));
    for (const LaneTrace* trace : {&h.lane(1).trace, &h.lane(2).trace}) {
        EXPECT_LT(trace->layer(1, 1).update_ratio, 0) << "an update is smaller than the weights";
        EXPECT_GT(trace->layer(1, 1).update_ratio, -5);
    }
    for (const bool updates : {true, false}) {
        h.press(updates ? "train.train-gradient.quantity.update"
                        : "train.train-gradient.quantity.gradient");
        EXPECT_EQ(h.view().updates, updates);
        EXPECT_EQ(h.has_text("−3: usual"), updates);
    }
}

TEST(TrainWorkspace, SequencesAreWrittenAndTheirOwnSettingsShown) {
    TrainHarness h;
    h.choose_task("reverse");
    h.press("train.setup.more");
    EXPECT_EQ(h.setup().common.task, Task::reverse);
    EXPECT_TRUE(h.has("train.placement.pre"));
    EXPECT_TRUE(h.has("train.mask.on"));
    EXPECT_FALSE(h.has("train.noise"));
    EXPECT_TRUE(std::holds_alternative<WrittenSentences>(h.lane(0).shot->shown));
    EXPECT_TRUE(h.has("train.maps.lane-0.open"));
    h.press("train.run.one-step");
    EXPECT_EQ(h.lane(0).trace.steps(), 1);
}

TEST(TrainWorkspace, TheNextStepIsShownInFourPhases) {
    TrainHarness h;
    h.go_to(20);
    h.press("train.phases.unfold");
    const MlpStep& step = *h.lane(0).shot->next; // of the first lane
    EXPECT_TRUE(h.has_text("step 21"));
    const auto text = [](float number, int digits) {
        return number_text(static_cast<double>(number), digits);
    };
    const Index w = step.before.layers[2].weight;
    for (const std::string& number :
         {text(step.pass.logits(0, 0), 3), number_text(step.loss, 4),
          text(step.pass.gradients(w), 3), "rate " + number_text(step.learning_rate, 3),
          text(step.after(w), 4)})
        EXPECT_TRUE(h.has_text(number)) << number;
    h.press("train.phases.unfold");
    EXPECT_FALSE(h.has("train.phases"));
}

TEST(TrainWorkspace, ALayerOpensAsAnAddAndNorm) {
    TrainHarness h;
    h.press("train.inside.unfold");
    h.go_to(20);
    const MlpStep& step = *h.lane(1).shot->next;
    const Matrix<float> read = step.pass.layers[1].u; // by φ, after the norm
    h.press("train.inside.lane-1-layer-2");
    EXPECT_EQ(workspace_table()[h.state().view.workspace].id, "add-norm");
    const Document& d = h.document();
    EXPECT_EQ(d.title, "Train, Layer norm, layer 2, step 20");
    EXPECT_EQ(d.token_count(), 32) << "a token is a point of the batch";
    EXPECT_EQ(d.norm.kind, NormKind::layer);
    const MatrixView y = h.state().derived->view(Tensor::y);
    double most = 0;
    for (Index t = 0; t < 32; ++t)
        for (Index i = 0; i < 8; ++i)
            most = std::max(most, std::abs(y(t, i) - static_cast<double>(read(t, i))));
    EXPECT_LT(most, 1e-5) << "Y is what φ of the layer reads";
}

TEST(TrainWorkspace, ALayerOpensByKeyToo) {
    TrainHarness h;
    h.press("train.inside.unfold");
    h.go_to(20);
    for (int i = 0; i < 300 && h.focused() != "train.inside.lane-1-layer-2"; ++i) h.key(Key::tab);
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.document().title, "Train, Layer norm, layer 2, step 20");
}

TEST(TrainWorkspace, ATextIsATaskAndEveryLaneGoesOnWithIt) {
    TrainHarness h;
    h.choose_task("text");
    h.press("train.setup.more");
    EXPECT_EQ(h.setup().common.task, Task::text);
    EXPECT_TRUE(h.setup().input->given.text.starts_with("Shall I compare thee"));
    EXPECT_FALSE(h.has("train.noise"));
    const auto written = [&](std::size_t lane) {
        return std::get<WrittenText>(h.lane(lane).shot->shown);
    };
    const WrittenText at_first = written(2);
    EXPECT_FALSE(at_first.start.empty());
    EXPECT_GE(at_first.text.size(), std::size_t{k_written_characters});
    h.press("train.run.one-step");
    h.press("train.run.one-step");
    EXPECT_EQ(written(2).step, 2);
    EXPECT_EQ(written(2).start, at_first.start);
    EXPECT_NE(written(2).text, at_first.text) << "it has learned something";
    EXPECT_NE(written(1).text, written(2).text);
    expect_session_keeps(h.document());
    h.choose_task("spirals");
    EXPECT_TRUE(h.has("train.noise"));
}

std::string own_points() {
    std::string csv = "width,height,species\n";
    for (int i = 0; i < 80; ++i)
        csv += std::to_string(i < 40 ? i : i + 60) + "," + std::to_string(i % 7) +
               (i < 40 ? ",low\n" : ",high\n");
    return csv;
}

// Two columns that may be the class: the first, called so, and the last.
std::string people(const std::string& first) {
    std::string csv = first + ",height,group\n";
    for (int i = 0; i < 60; ++i)
        csv += std::to_string(i % 2) + "," + std::to_string(i) + ".5," + (i < 57 ? "7\n" : "9\n");
    return csv;
}

double guess_loss(TrainHarness& h) {
    return h.race().data->guess.loss;
}

TEST(TrainWorkspace, PointsOfOnesOwnAreATaskAndASessionKeepsThem) {
    TrainHarness h;
    h.press("train.task");
    EXPECT_FALSE(h.has("train.task.own"));
    h.key_and_settle(Key::escape);
    EXPECT_TRUE(h.named("train.setup.your-data").enabled);
    h.take_file("flowers.csv", own_points());
    EXPECT_EQ(h.setup().common.task, Task::own);
    h.press("train.task");
    EXPECT_TRUE(h.has("train.task.own"));
    h.key_and_settle(Key::escape);
    h.run();
    EXPECT_GT(h.lane(1).shot->test_accuracy, 0.9) << "they are told apart by a line";
    expect_session_keeps(h.document());
    const Workspace& train = workspace_table()[h.state().view.workspace];
    const auto text = train.take_file(h.document(), h.put("short.txt", "abc"));
    ASSERT_FALSE(text);
    EXPECT_TRUE(text.error().message.starts_with("short.txt: the text has 3 characters"))
        << text.error().message;
    EXPECT_FALSE(train.take_file(h.document(), h.put("a.csv", "1,2\n3,x\n")));
    EXPECT_TRUE(train.numbers(h.state().memory, h.document()).starts_with("lane,step,loss"));
}

// The class is mostly low even where x is 1, so that low is the best answer everywhere.
TEST(TrainWorkspace, ALossBelowTheGuessLineWithoutMoreRightAnswersIsExplained) {
    std::string csv = "x,other,species\n";
    for (int i = 0; i < 200; ++i)
        csv += std::to_string(i % 2) + ",0," + (i % 10 == 1 || i % 10 == 3 ? "high\n" : "low\n");
    TrainHarness h;
    h.take_file("mostly.csv", csv);
    const auto explained = [&] {
        return h.has_text("it is surer where it is right than where it is wrong");
    };
    EXPECT_FALSE(explained());
    h.run();
    ASSERT_TRUE(h.lane(1).trace.loss_at(h.setup().step));
    EXPECT_TRUE(explained());
}

TEST(TrainWorkspace, TheColumnOfClassesIsChosenInSetup) {
    TrainHarness h;
    EXPECT_FALSE(h.has("train.setup.class-column.1"));
    h.take_file("people.csv", people("sick"));
    const auto points = [&] { return h.setup().input->given.points; };
    EXPECT_EQ(points().names.class_column, "group");
    EXPECT_FALSE(h.has("train.setup.class-column.3")) << "a measured column is no class";
    EXPECT_NEAR(guess_loss(h), 0.1985, 1e-4) << "57 of 60";
    h.press("train.setup.class-column.1");
    EXPECT_EQ(points().names.class_column, "sick");
    EXPECT_EQ(points().names.features, (std::vector<std::string>{"height", "group"}));
    EXPECT_NEAR(guess_loss(h), std::log(2), 1e-9);
    expect_session_keeps(h.document());
    h.undo();
    EXPECT_EQ(points().names.class_column, "group");
}

TEST(TrainWorkspace, AColumnOfClassesIsCalledAsItsFileCallsIt) {
    TrainHarness h({.language = "de"});
    h.take_file("people.csv", people("loss"));
    const Rect choice = h.named("train.setup.class-column.1").rect;
    std::string label;
    for (const LoggedText& t : h.log().texts)
        if (choice.contains(t.rect.center())) label += t.text;
    EXPECT_EQ(label, "loss");
    h.move(choice.center());
    h.settle();
    EXPECT_TRUE(h.has_text("Lernt diese Spalte als die Klassen")) << "the hint is translated";
}

TEST(TrainWorkspace, ATrainedModelIsOpenedInTheTransformerWorkspace) {
    TrainHarness h;
    h.choose_task("copy");
    for (int i = 0; i < 3; ++i) h.press("train.run.one-step");
    const auto written = std::get<WrittenSentences>(h.lane(2).shot->shown);
    h.press("train.maps.lane-2.open");
    EXPECT_EQ(workspace_table()[h.state().view.workspace].id, "transformer");
    const TransformerSetup& opened = h.document().transformer;
    ASSERT_TRUE(opened.weights);
    EXPECT_EQ(opened.weights->name, "Pre-LN, step 3");
    EXPECT_EQ(opened.source->size(), written.sentences[0].source.size());
    EXPECT_EQ(*opened.source, *opened.target) << "a copy";
    h.undo();
    EXPECT_FALSE(h.document().transformer.weights) << "one step";
}

TEST(TrainWorkspace, TheSweepBeginsOnRequestAndStops) {
    TrainHarness h;
    h.press("train.sweep.unfold");
    const RateSweep& sweep = h.state().memory.of<TrainMemory>().sweep;
    const auto counted = [&] { return h.has_text(std::to_string(sweep.done()) + " of 200"); };
    EXPECT_EQ(sweep.done(), 0u);
    EXPECT_TRUE(counted());
    h.click("train.sweep.sweep");
    for (int i = 0; i < 20000 && sweep.done() < 2; ++i) h.frame();
    h.press("train.sweep.sweep");
    EXPECT_FALSE(h.view().sweeping);
    EXPECT_GE(sweep.done(), 2u);
    EXPECT_FALSE(h.app().animating());
    EXPECT_LT(sweep.done(), sweep.all());
    EXPECT_TRUE(h.named("train.sweep.sweep").enabled) << "it can go on";
    EXPECT_TRUE(counted());
}

// A run is made again from its seed.
TEST(TrainWorkspace, ASessionOpensAtItsStep) {
    TrainHarness h;
    h.run();
    h.key_and_settle(Key::home); // the scrubber has no keyboard yet: nothing goes back
    const auto read = read_session(write_session(h.document()), "a");
    ASSERT_TRUE(read);
    TrainHarness again({}, read->train);
    EXPECT_EQ(again.setup().step, h.setup().step);
    EXPECT_EQ(again.lane(3).trace.loss, h.lane(3).trace.loss);
    EXPECT_EQ(again.lane(3).shot->step, h.setup().step);
}

TEST(TrainWorkspace, LeavingTheWorkspaceStopsTheRace) {
    TrainHarness h;
    h.click(k_run);
    h.frames(3);
    h.key_and_settle(Key::n1);
    EXPECT_FALSE(h.state().view.running);
    EXPECT_FALSE(h.app().animating());
}

} // namespace
} // namespace normscope::testing
