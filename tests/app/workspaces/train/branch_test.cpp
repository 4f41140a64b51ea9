#include "tests/app/workspaces/train/train_harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(TrainWorkspace, ASettingOnTheWayBranchesAndTheOldRunStaysAsAGhost) {
    TrainHarness h;
    h.press("train.setup.more");
    h.run();
    h.go_to(100);
    ASSERT_TRUE(h.has("train.setup.change.here"));
    const LaneTrace old = h.lane(1).trace;
    h.press("train.optimizer.momentum");
    EXPECT_EQ(h.setup().step, 100) << "it goes on from there";
    EXPECT_EQ(last_branch(h.setup()), 100);
    EXPECT_TRUE(h.has_text("100: Optimizer"));
    h.run();
    EXPECT_EQ(h.lane(1).trace.steps(), 200);
    EXPECT_EQ(h.lane(1).trace.loss[99], old.loss[99]);
    EXPECT_NE(h.lane(1).trace.loss[150], old.loss[150]);
    EXPECT_EQ(h.race().before.at(1)->trace.loss, old.loss);
    h.press("train.setup.begin-anew");
    EXPECT_EQ(h.setup().step, 0);
    EXPECT_FALSE(last_branch(h.setup()));
    EXPECT_FALSE(h.has("train.setup.begin-anew"));
    EXPECT_TRUE(h.race().before.contains(1)) << "pale, as the run before";
    h.undo();
    h.undo();
    EXPECT_EQ(h.lane(1).trace.loss, old.loss) << "one step";
}

TEST(TrainWorkspace, SetupShowsTheSettingsOfTheStepThatIsLookedAt) {
    TrainHarness h;
    h.press("train.setup.more");
    h.go_to(100);
    h.press("train.optimizer.momentum");
    ASSERT_EQ(last_branch(h.setup()), 100);
    h.go_to(50);
    h.press("train.optimizer.momentum");
    EXPECT_EQ(last_branch(h.setup()), 50) << "SGD was chosen there, and another can be";
    h.undo();
    EXPECT_EQ(last_branch(h.setup()), 100);
    h.press("train.activation.tanh");
    EXPECT_EQ(h.setup().common.activation, Activation::tanh);
    EXPECT_EQ(h.setup().common.optimizer.kind, Optimizer::sgd);
    EXPECT_EQ(h.setup().step, 50);
}

TEST(TrainWorkspace, AChangeBeginsAnewWhereThatIsChosenOrTheShapesAreOthers) {
    TrainHarness h;
    h.press("train.setup.more");
    h.run();
    h.go_to(100);
    h.press("train.setup.change.anew");
    h.press("train.activation.tanh");
    EXPECT_EQ(h.setup().step, 0);
    h.undo();
    h.press("train.setup.change.here");
    h.press("train.skip.rezero");
    EXPECT_EQ(h.setup().step, 0) << "ReZero has an α more";
    EXPECT_FALSE(last_branch(h.setup()));
}

TEST(TrainWorkspace, ThatAControlBeginsTheRaceAnewIsSaidBeforeItIsPressed) {
    TrainHarness h;
    h.run();
    h.go_to(100);
    h.press("train.lanes.lane-1.name");
    struct Row {
        const char* control;
        bool begins_anew;
    };
    for (const Row& row :
         {Row{"train.norm.none", true}, // γ and β are gone
          Row{"train.norm.batch", false}, Row{"train.layers", true}, Row{"train.lr", false},
          Row{"train.skip.rezero", true}, Row{"train.skip.none", false}}) {
        h.move(h.center_of(row.control));
        h.settle();
        EXPECT_EQ(h.view().begins_anew, row.begins_anew) << row.control;
        EXPECT_EQ(h.has_text("This begins the race anew"), row.begins_anew) << row.control;
    }
    EXPECT_EQ(h.setup().step, 100);
    h.press("train.skip.none");
    EXPECT_EQ(h.setup().step, 100);
}

} // namespace
} // namespace normscope::testing
