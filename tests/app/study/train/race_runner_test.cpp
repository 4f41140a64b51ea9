#include "app/study/train/race_runner.h"
#include "tests/app/model/norm_race.h"

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <thread>

namespace normscope {
namespace {

RaceSetup small_race(Index step = 0) {
    RaceSetup s = testing::norm_race();
    s.common.layers = 3;
    s.common.width = 8;
    s.common.points = 40;
    s.common.steps = 300;
    s.step = step;
    return s;
}

// A runner and its lab.
struct Race : RaceRunner {
    explicit Race(int threads) : lab(threads) {}
    void frame(const RaceSetup& setup, Index ahead = 0) {
        update(lab, setup, ahead);
        lab.end_frame();
    }
    Lab lab;
};

// On threads of the lab, and in the frames.
class RaceTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, RaceTest, ::testing::Values(0, 2));

// Runs a race as a window would, frame after frame, until all there is to know is known.
void settle(Race& race, const RaceSetup& setup, Index ahead = 0) {
    for (int calm = 0; calm < 3;) {
        race.frame(setup, ahead);
        calm = race.lab.computing() ? 0 : calm + 1;
        std::this_thread::yield();
    }
}

const LaneTrace& trace(const RaceRunner& runner, std::size_t lane) {
    return runner.state().lanes.at(lane)->trace;
}

void expect_same(const RaceRunner& a, const RaceRunner& b) {
    ASSERT_EQ(a.state().lanes.size(), b.state().lanes.size());
    for (std::size_t i = 0; i < a.state().lanes.size(); ++i) {
        EXPECT_EQ(trace(a, i).loss, trace(b, i).loss) << i;
        EXPECT_TRUE(trace(a, i).layers == trace(b, i).layers) << i;
        EXPECT_EQ(std::get<PointMap>(a.state().lanes[i]->shot->shown).probability,
                  std::get<PointMap>(b.state().lanes[i]->shot->shown).probability)
            << i;
    }
}

TEST_P(RaceTest, ARaceThatCannotBeTrainedSaysWhyAndIsNotBegunAgain) {
    RaceSetup s = testing::norm_race();
    s.common = usual_config(Task::text); // without a text
    s.lanes = usual_lanes(Task::text);
    Race runner(GetParam());
    for (int i = 0; i < 3; ++i) settle(runner, s);
    for (const auto& lane : runner.state().lanes) {
        ASSERT_TRUE(lane->error);
        EXPECT_FALSE(lane->shot);
    }
}

// Within the bounds of every setting.
RaceSetup huge_race() {
    RaceSetup s = testing::norm_race();
    s.common = usual_config(Task::reverse);
    s.common.layers = 64;
    s.common.width = 256;
    s.common.ffn = 1024;
    s.common.steps = 100;
    s.lanes = usual_lanes(Task::reverse);
    s.step = 5;
    return s;
}

TEST_P(RaceTest, TrainsNoRaceThatTakesTooMuchMemory) {
    Race runner(GetParam());
    settle(runner, huge_race());
    EXPECT_GT(runner.state().bytes, 5e9);
    EXPECT_TRUE(runner.state().too_large());
    EXPECT_FALSE(runner.state().data) << "nothing is made of it";
    EXPECT_EQ(runner.compute(runner.lab, huge_race()).head, 0);
    settle(runner, small_race(5));
    EXPECT_LT(runner.state().bytes, 1e9);
    EXPECT_GT(runner.state().bytes, 1e5);
    EXPECT_EQ(trace(runner, 0).steps(), 5);
}

TEST_P(RaceTest, TrainsEveryLaneToTheStepThatIsLookedAt) {
    Race runner(GetParam());
    settle(runner, small_race());
    EXPECT_EQ(runner.state().head, 0);
    ASSERT_TRUE(runner.state().lanes[0]->shot) << "the start is shown";
    settle(runner, small_race(60));
    EXPECT_EQ(runner.state().head, 60);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(trace(runner, i).steps(), 60);
        EXPECT_EQ(trace(runner, i).looks.size(), 2u);
        EXPECT_EQ(trace(runner, i).layer_count, 3u);
        EXPECT_EQ(runner.state().lanes[i]->shot->step, 60);
    }
    ASSERT_TRUE(runner.state().data);
    EXPECT_EQ(runner.state().data->train.x.rows(), 80);
}

// However a race is paused, gone back in and gone on with, its bits are those of one that was not.
TEST_P(RaceTest, PausesAndGoingBackChangeNoBit) {
    Race once(GetParam()), often(GetParam());
    settle(once, small_race(200));
    for (const Index step : {1, 37, 12, 90, 0, 91, 200, 3, 200}) settle(often, small_race(step));
    expect_same(once, often);
    settle(once, small_race(45));
    settle(often, small_race(45));
    expect_same(once, often);
    EXPECT_EQ(once.state().lanes[1]->shot->step, 45);
}

TEST_P(RaceTest, ARaceThatRunsGoesAheadOfWhatIsLookedAt) {
    Race runner(GetParam());
    runner.frame(small_race(10), 40);
    while (runner.state().head < 50) {
        runner.frame(small_race(10), 40);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(runner.state().head, 50);
}

TEST_P(RaceTest, ALaneThatDivergesStopsAndSaysWhere) {
    RaceSetup s = small_race(150);
    s.common.lr = 1e12;
    s.lanes = std::vector<Lane>{(*s.lanes)[0], (*s.lanes)[2]};
    Race runner(GetParam());
    settle(runner, s);
    const LaneTrace& none = trace(runner, 0);
    ASSERT_TRUE(none.diverged);
    EXPECT_LT(none.diverged->step, 150);
    EXPECT_EQ(none.steps(), none.diverged->step);
    EXPECT_FALSE(none.diverged->place.empty());
    EXPECT_FALSE(runner.state().lanes[0]->shot->finite);
    EXPECT_TRUE(std::isnan(*none.loss_at(150)));
    // Before that it was numbers.
    s.step = none.diverged->step;
    settle(runner, s);
    EXPECT_TRUE(runner.state().lanes[0]->shot->finite);
}

// A decay of three times each weight, which doubles them with every step.
TEST_P(RaceTest, ALaneThatDivergedTrainsOnByABranchBeforeThat) {
    RaceSetup s = small_race(150);
    s.common.lr = 0.01;
    s.common.optimizer.kind = Optimizer::adamw;
    s.common.optimizer.weight_decay = 300;
    s.lanes = std::vector<Lane>{(*s.lanes)[0], (*s.lanes)[2]};
    Race runner(GetParam());
    settle(runner, s);
    ASSERT_TRUE(trace(runner, 0).diverged && trace(runner, 1).diverged);
    const Index blow_up = trace(runner, 0).diverged->step;
    ASSERT_GT(blow_up, 3);
    ASSERT_GT(trace(runner, 1).diverged->step, blow_up + 1);
    const auto branched_at = [&](Index step) {
        RaceSetup out = s;
        std::vector<Lane> lanes = *s.lanes;
        for (Lane& lane : lanes) lane.past = {{step, config_of(s, lane)}};
        out.lanes = std::move(lanes);
        out.common.optimizer.weight_decay = 0;
        out.step = 150;
        return out;
    };
    s.step = 3; // gone back to, as a person does
    settle(runner, s);
    settle(runner, branched_at(3));
    EXPECT_FALSE(trace(runner, 0).diverged);
    EXPECT_EQ(trace(runner, 0).steps(), 150);
    EXPECT_TRUE(runner.state().lanes[0]->shot->finite);
    ASSERT_TRUE(runner.state().before.contains(0));
    EXPECT_EQ(runner.state().before.at(0)->trace.diverged->step, blow_up) << "the run that it left";
    // After it there is nothing to go on from.
    settle(runner, branched_at(blow_up + 1));
    EXPECT_TRUE(trace(runner, 0).diverged);
    EXPECT_EQ(trace(runner, 0).steps(), blow_up);
    EXPECT_EQ(trace(runner, 1).steps(), 150);
}

TEST_P(RaceTest, AChangedLaneLeavesTheOthersBeAndComesBackAsItWas) {
    RaceSetup s = small_race(100);
    Race runner(GetParam());
    settle(runner, s);
    const double seconds = trace(runner, 1).seconds;
    const std::vector<float> before = trace(runner, 0).loss;
    RaceSetup changed = s;
    std::vector<Lane> lanes = *s.lanes;
    TrainConfig other = config_of(s, lanes[0]);
    other.lr = 0.01;
    lanes[0] = with_config(s, lanes[0], other);
    lanes[3].on = false;
    changed.lanes = lanes;
    settle(runner, changed);
    EXPECT_NE(trace(runner, 0).loss, before);
    EXPECT_EQ(trace(runner, 1).seconds, seconds) << "it was not trained again";
    EXPECT_FALSE(runner.state().lanes[3]) << "it is off";
    runner.frame(s, 0);
    EXPECT_EQ(trace(runner, 0).loss, before) << "at once";
}

TEST_P(RaceTest, TheRunBeforeAChangeIsKeptForItsLane) {
    RaceSetup s = small_race(50);
    Race runner(GetParam());
    settle(runner, s);
    EXPECT_TRUE(runner.state().before.empty());
    const std::vector<float> old = trace(runner, 1).loss;
    s.common.lr = 0.01;
    s.step = 0;
    settle(runner, s);
    ASSERT_EQ(runner.state().before.size(), 5u);
    EXPECT_EQ(runner.state().before.at(1)->trace.loss, old);
    s.common.lr = 0.02; // of the run at 0.01 there is nothing to show
    settle(runner, s);
    EXPECT_EQ(runner.state().before.at(1)->trace.loss, old);
    s.common.task = Task::moons;
    settle(runner, s);
    EXPECT_TRUE(runner.state().before.empty()) << "another task has other losses";
}

TEST_P(RaceTest, ARunOfAnotherDocumentIsNoRunBefore) {
    RaceSetup s = small_race(50);
    Race runner(GetParam());
    settle(runner, s);
    s.common.lr = 0.01;
    std::vector<Lane> lanes = *s.lanes;
    lanes.resize(2);
    s.lanes = std::move(lanes);
    settle(runner, s);
    EXPECT_TRUE(runner.state().before.empty());
}

// The race with another learning rate in one lane from a step on.
RaceSetup branched(RaceSetup s, std::size_t index, Index step, double lr) {
    std::vector<Lane> lanes = *s.lanes;
    TrainConfig config = config_of(s, lanes[index]);
    lanes[index].past.push_back({step, config});
    config.lr = lr;
    lanes[index] = with_config(s, lanes[index], config);
    s.lanes = lanes;
    return s;
}

TEST_P(RaceTest, ABranchGoesOnFromTheOldWeightsAndTheOldRunStays) {
    RaceSetup s = small_race(200);
    Race runner(GetParam());
    settle(runner, s);
    const LaneTrace old = trace(runner, 1);
    const RaceSetup other = branched(s, 1, 80, 0.01);
    settle(runner, other);
    const LaneTrace now = trace(runner, 1);
    ASSERT_EQ(now.steps(), 200);
    EXPECT_TRUE(std::equal(now.loss.begin(), now.loss.begin() + 81, old.loss.begin()))
        << "step 81 reads the old weights";
    EXPECT_NE(now.loss[81], old.loss[81]);
    EXPECT_EQ(runner.state().before.at(1)->trace.loss, old.loss) << "the ghost";
    EXPECT_EQ(runner.state().before.count(0), 0u);
    // A fresh race has the same bits, with the branch and back before it.
    Race fresh(GetParam());
    settle(fresh, other);
    expect_same(runner, fresh);
    EXPECT_EQ(fresh.state().before.at(1)->trace.loss, old.loss) << "made again at rest";
    RaceSetup back = other;
    back.step = 33;
    settle(runner, back);
    s.step = 33;
    settle(fresh, s);
    EXPECT_EQ(std::get<PointMap>(runner.state().lanes[1]->shot->shown).probability,
              std::get<PointMap>(fresh.state().lanes[1]->shot->shown).probability);
    // A branch of the branch, and undone.
    RaceSetup twice = branched(other, 1, 120, 0.3);
    settle(runner, twice);
    settle(fresh, twice);
    expect_same(runner, fresh);
    s.step = 200;
    settle(runner, s);
    EXPECT_EQ(trace(runner, 1).loss, old.loss);
}

TEST_P(RaceTest, ALongerRaceGoesOnWhereItWas) {
    RaceSetup s = small_race(100);
    Race runner(GetParam());
    settle(runner, s);
    s.common.steps = 600;
    runner.frame(s, 0);
    EXPECT_EQ(runner.state().head, 100);
}

TEST_P(RaceTest, ItsNumbersAreALineForEachStepOfEachLane) {
    RaceSetup s = small_race(25);
    std::vector<Lane> lanes = *s.lanes;
    lanes[0].name = "plain, \"first\"";
    lanes.resize(2);
    s.lanes = lanes;
    Race runner(GetParam());
    settle(runner, s);
    const std::string csv = race_csv(s, runner.state());
    EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 2 * 25);
    EXPECT_TRUE(csv.starts_with("lane,step,loss,test_accuracy,layer1_mean,layer1_std,"));
    EXPECT_NE(csv.find("\n\"plain, \"\"first\"\"\",1,"), std::string::npos);
    const std::size_t last = csv.rfind("\nLayer norm,25,");
    ASSERT_NE(last, std::string::npos);
    const LaneTrace& of_norm = trace(runner, 1);
    double step = 0, loss = 0, accuracy = 0, mean = 0;
    ASSERT_EQ(std::sscanf(csv.c_str() + last, "\nLayer norm,%lf,%lf,%lf,%lf", &step, &loss,
                          &accuracy, &mean),
              4);
    EXPECT_EQ(static_cast<float>(loss), of_norm.loss[24]);
    EXPECT_EQ(accuracy, of_norm.looks[0].accuracy);
    EXPECT_EQ(static_cast<float>(mean), of_norm.layer(25, 0).mean);
}

TEST_P(RaceTest, SequencesAreWrittenBesideTheTruth) {
    RaceSetup s = small_race();
    s.common = usual_config(Task::copy);
    s.common.layers = 1;
    s.common.steps = 200;
    s.lanes = usual_lanes(Task::copy);
    s.step = 30;
    Race runner(GetParam());
    settle(runner, s);
    for (const auto& lane : runner.state().lanes) {
        ASSERT_FALSE(lane->error) << lane->error->message;
        const auto& shown = std::get<WrittenSentences>(lane->shot->shown);
        ASSERT_EQ(shown.sentences.size(), k_shown_sentences);
        EXPECT_EQ(shown.sentences[0].source, shown.sentences[0].wanted) << "a copy";
        EXPECT_EQ(shown.sentences[0].written.size(), 8u);
        ASSERT_EQ(shown.attention.rows(), 8);
        EXPECT_NEAR(static_cast<double>(shown.attention.row(3).sum()), 1, 1e-5);
    }
}

} // namespace
} // namespace normscope
