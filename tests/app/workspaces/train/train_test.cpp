#include "app/session/session_file.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/workspaces/train/train_harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

const char* const k_run = "train.run.run";

TEST(TrainWorkspace, ARaceRunsToItsEndAndIsOneStepToUndo) {
    TrainHarness h;
    EXPECT_EQ(h.setup().step, 0);
    h.run();
    EXPECT_EQ(h.setup().step, 200);
    EXPECT_FALSE(h.state().view.running);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(h.lane(i).trace.steps(), 200) << i;
    EXPECT_FALSE(h.named(k_run).enabled) << "there are no more steps";
    EXPECT_FALSE(h.app().animating());
    h.undo();
    EXPECT_EQ(h.setup().step, 0);
    EXPECT_EQ(h.lane(0).shot->step, 0);
    h.key(Key::y, true);
    h.settle();
    EXPECT_EQ(h.setup().step, 200);
    EXPECT_EQ(h.lane(0).shot->step, 200);
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
    h.key(Key::right);
    h.settle();
    EXPECT_EQ(h.setup().step, middle + 1);
    h.key(Key::home);
    h.settle();
    EXPECT_EQ(h.setup().step, 0);
    h.key(Key::end);
    h.settle();
    EXPECT_EQ(h.setup().step, 200);
}

TEST(TrainWorkspace, ASettingOfAllLanesBeginsTheRaceAnew) {
    TrainHarness h;
    h.run();
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
    EXPECT_TRUE(h.has("train.task.spirals"));
    h.press("train.lanes.lane-0.name");
    EXPECT_EQ(h.view().lane, 0u);
    EXPECT_FALSE(h.has("train.task.spirals")) << "lanes have one task";
    h.press("train.skip.rezero");
    EXPECT_EQ(config_of(h.setup(), (*h.setup().lanes)[0]).skip, Skip::rezero);
    EXPECT_EQ(h.setup().common.skip, Skip::add);
    EXPECT_TRUE(h.has_text("No norm, ReZero"));
    h.press("train.setup.all-lanes");
    EXPECT_TRUE(h.has("train.task.spirals"));
}

TEST(TrainWorkspace, LanesAreSwitchedCopiedRenamedAddedAndRemoved) {
    TrainHarness h;
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
    h.key(Key::enter);
    h.settle();
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
    TrainHarness h({}, race);
    h.run();
    ASSERT_TRUE(h.lane(0).trace.diverged);
    EXPECT_TRUE(h.has_text("NaN after step"));
    EXPECT_FALSE(h.lane(0).shot->finite);
}

TEST(TrainWorkspace, PointingAtTheRaceShowsThatStepInTheTable) {
    TrainHarness h;
    h.run();
    const Rect chart = h.named("train.race.chart").rect;
    h.move({chart.x + 2, chart.center().y});
    h.frames(2);
    EXPECT_TRUE(h.has_text("at step 1"));
    h.move({1, 1});
    h.frames(2);
    EXPECT_TRUE(h.has_text("at step 200"));
}

TEST(TrainWorkspace, TheAxesAreLogarithmicOrLinear) {
    TrainHarness h;
    h.run();
    h.press("train.race.steps-axis.linear");
    EXPECT_FALSE(h.view().log_steps);
    h.press("train.race.loss-axis.linear");
    EXPECT_FALSE(h.view().log_loss);
}

TEST(TrainWorkspace, SequencesAreWrittenAndTheirOwnSettingsShown) {
    TrainHarness h;
    h.press("train.task.reverse");
    EXPECT_EQ(h.setup().common.task, Task::reverse);
    EXPECT_TRUE(h.has("train.placement.pre"));
    EXPECT_TRUE(h.has("train.mask.on"));
    EXPECT_FALSE(h.has("train.noise"));
    EXPECT_TRUE(h.has_text("What each lane writes"));
    h.press("train.run.one-step");
    EXPECT_EQ(h.lane(0).trace.steps(), 1);
}

TEST(TrainWorkspace, ATrainedModelIsOpenedInTheTransformerWorkspace) {
    TrainHarness h;
    h.press("train.task.copy");
    for (int i = 0; i < 3; ++i) h.press("train.run.one-step");
    const auto& written = std::get<WrittenSentences>(h.lane(2).shot->shown);
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
    const RateSweep& sweep = h.state().memory.of<TrainMemory>().sweep;
    EXPECT_TRUE(h.has_text("0 of 120 runs"));
    h.click("train.sweep.sweep");
    for (int i = 0; i < 20000 && sweep.done() < 2; ++i) h.frame();
    h.press("train.sweep.sweep");
    EXPECT_FALSE(h.view().sweeping);
    EXPECT_GE(sweep.done(), 2u);
    EXPECT_FALSE(h.app().animating());
    EXPECT_TRUE(h.has_text("Go on"));
    EXPECT_TRUE(h.has_text("Largest that trains"));
}

// A run is made again from its seed.
TEST(TrainWorkspace, ASessionOpensAtItsStep) {
    TrainHarness h;
    h.run();
    h.key(Key::home); // the scrubber has no keyboard yet: nothing goes back
    h.settle();
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
    h.key(Key::n1);
    h.settle();
    EXPECT_FALSE(h.state().view.running);
    EXPECT_FALSE(h.app().animating());
}

} // namespace
} // namespace normscope::testing
