#include "app/study/train/rate_sweep.h"
#include "tests/app/model/norm_race.h"

#include <cmath>
#include <gtest/gtest.h>
#include <thread>

namespace normscope {
namespace {

RaceSetup swept_race() {
    RaceSetup s = testing::norm_race();
    s.common.task = Task::gaussians;
    s.common.layers = 2;
    s.common.width = 8;
    s.common.points = 30;
    s.common.steps = 60;
    s.lanes = std::vector<Lane>{(*s.lanes)[0], (*s.lanes)[1]};
    return s;
}

// On threads of the lab, and in the frames.
class SweepTest : public ::testing::TestWithParam<int> {
  protected:
    void frame(const RaceSetup& setup, bool wanted) {
        sweep.update(lab, setup, wanted);
        lab.end_frame();
        std::this_thread::yield();
    }
    void finish(const RaceSetup& setup) {
        do frame(setup, true);
        while (sweep.done() < sweep.all());
    }
    Lab lab{GetParam()};
    RateSweep sweep;
};
INSTANTIATE_TEST_SUITE_P(Threads, SweepTest, ::testing::Values(0, 2));

TEST_P(SweepTest, BeginsOnRequestAloneAndRunsEveryRateAndSeed) {
    const RaceSetup setup = swept_race();
    for (int i = 0; i < 5; ++i) frame(setup, false);
    EXPECT_EQ(sweep.done(), 0u);
    finish(setup);
    const std::vector<double> rates = sweep_rates(setup.common);
    EXPECT_EQ(sweep.done(), 2 * rates.size() * k_sweep_seeds);
    for (const LaneSweep& lane : *sweep.lanes()) {
        ASSERT_EQ(lane.points.size(), rates.size());
        for (const SweepPoint& point : lane.points) {
            EXPECT_EQ(point.seeds, k_sweep_seeds);
            EXPECT_TRUE(std::isfinite(point.loss));
        }
        ASSERT_TRUE(lane.largest()) << "two clouds are told apart";
        EXPECT_GE(*lane.largest(), 0.1);
    }
    EXPECT_LT((*sweep.lanes())[0].points[3].loss, (*sweep.lanes())[0].points[0].loss)
        << "a rate that hardly moves the weights learns less";
}

TEST_P(SweepTest, StoppedItKeepsWhatIsKnownAndGoesOn) {
    RaceSetup setup = swept_race();
    setup.common.steps = 400;
    while (sweep.done() < 3) frame(setup, true);
    for (int i = 0; i < 20; ++i) frame(setup, false);
    const std::size_t stopped = sweep.done();
    EXPECT_GE(stopped, 3u);
    EXPECT_FALSE(lab.computing());
    finish(setup);
    EXPECT_EQ(sweep.done(), sweep.all());
}

TEST_P(SweepTest, ALaneThatIsOffOrChangedLeavesTheOthersRunsBe) {
    RaceSetup setup = swept_race();
    finish(setup);
    const double loss = (*sweep.lanes())[1].points[4].loss;
    std::vector<Lane> lanes = *setup.lanes;
    lanes[0].on = false;
    setup.lanes = lanes;
    frame(setup, false);
    EXPECT_EQ(sweep.done(), sweep.all());
    EXPECT_TRUE((*sweep.lanes())[0].points.empty());
    EXPECT_EQ((*sweep.lanes())[1].points[4].loss, loss);
    setup.common.width = 12;
    frame(setup, false);
    EXPECT_EQ(sweep.done(), 0u) << "another net";
}

} // namespace
} // namespace normscope
