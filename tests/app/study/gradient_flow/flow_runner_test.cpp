#include "app/study/gradient_flow/flow_runner.h"
#include "core/base/random.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace normscope {
namespace {

FlowSetup small_setup() {
    FlowSetup setup = default_flow();
    setup.stack.blocks = 4;
    setup.stack.width = 16;
    setup.stack.tokens = 6;
    setup.seeds = 3;
    return setup;
}

// Some tenths of a second of work, too much to be done at once.
FlowSetup large_setup() {
    FlowSetup setup = default_flow();
    setup.stack.blocks = 36;
    setup.seeds = 8;
    return setup;
}

// On threads of the lab, and in the frames.
class FlowRunnerTest : public ::testing::TestWithParam<int> {
  protected:
    const FlowStudies& update(const FlowSetup& setup, bool interacting) {
        const FlowStudies& studies = runner_.update(lab_, setup, interacting);
        lab_.end_frame();
        return studies;
    }
    const FlowStudies& settle(const FlowSetup& setup, bool interacting = false) {
        for (;;) {
            const FlowStudies& studies = update(setup, interacting);
            if (studies.progress && !(studies.present && studies.present->refined))
                of_the_first_ = std::max(of_the_first_, *studies.progress);
            if (studies.progress) {
                EXPECT_GE(*studies.progress, 0);
                EXPECT_LE(*studies.progress, 1);
                told_progress_ = true;
            }
            if (!studies.computing) return studies;
            std::this_thread::yield();
        }
    }

    std::atomic<int> wakes_ = 0;
    bool told_progress_ = false;
    double of_the_first_ = 0; // how far it had got when the present stack was still on its way
    Lab lab_{GetParam(), [this] { ++wakes_; }};
    FlowRunner runner_;
};
INSTANTIATE_TEST_SUITE_P(Threads, FlowRunnerTest, ::testing::Values(0, 2));

TEST_P(FlowRunnerTest, ASmallStackIsCoarseAtOnceAndRefinedAtRest) {
    const FlowSetup setup = small_setup();
    const FlowStudies& first = update(setup, true);
    ASSERT_TRUE(first.present);
    EXPECT_EQ(first.present->seeds.size(), 1u);
    EXPECT_FALSE(first.computing);
    EXPECT_FALSE(lab_.computing());
    EXPECT_TRUE(update(setup, false).computing);
    const FlowStudies& last = settle(setup);
    EXPECT_GT(wakes_, 0);
    const FlowStudies direct = study_flow(setup);
    ASSERT_TRUE(last.present->refined);
    ASSERT_EQ(last.present->seeds.size(), 3u);
    for (std::size_t s = 0; s < 3; ++s)
        EXPECT_EQ(last.present->seeds[s].flow.input_grad_norm,
                  direct.present->seeds[s].flow.input_grad_norm);
    EXPECT_EQ(last.present->seeds[0].paths->norm, direct.present->seeds[0].paths->norm);
    EXPECT_EQ(last.present->block_gain, direct.present->block_gain);
}

TEST_P(FlowRunnerTest, ADragIsCoarseUntilItRests) {
    FlowSetup setup = small_setup();
    setup.pinned = std::vector<PinnedStack>{{"kept", setup.stack, true}};
    settle(setup);
    for (int step = 1; step <= 5; ++step) {
        setup.stack.beta = 0.1 * step;
        const FlowStudies& moved = update(setup, true);
        EXPECT_EQ(moved.present->stack, setup.stack);
        EXPECT_EQ(moved.present->seeds.size(), 1u);
        EXPECT_FALSE(moved.computing);
        EXPECT_TRUE(moved.pinned.at(0)->refined); // cached by its stack
    }
    EXPECT_TRUE(settle(setup).present->refined);
    // A stack that was measured before is still known.
    setup.stack.beta = 0;
    const FlowStudies& back = update(setup, false);
    EXPECT_TRUE(back.present->refined);
    EXPECT_FALSE(back.computing);
}

TEST_P(FlowRunnerTest, PinnedStacksStayMeasured) {
    FlowSetup setup = small_setup();
    setup.pinned = std::vector<PinnedStack>{{"kept", setup.stack, true}};
    settle(setup);
    for (int step = 1; step <= 60; ++step) {
        setup.stack.beta = 0.01 * step;
        ASSERT_TRUE(update(setup, true).pinned.at(0)->refined) << step;
    }
}

// The weights of the default stack take longer to draw than a frame has; γ and β draw none.
TEST_P(FlowRunnerTest, GammaAndBetaMoveTheDefaultStackAtOnce) {
    FlowSetup setup = default_flow();
    setup.seeds = 2;
    settle(setup);
    for (const double beta : {0.5, 1.0, 1.5}) {
        setup.stack.beta = beta;
        const FlowStudies& moved = update(setup, true);
        EXPECT_EQ(moved.present->stack, setup.stack);
        EXPECT_FALSE(moved.computing);
    }
    setup.stack.init.gain = 1.5; // the curve comes when it can
    EXPECT_NE(update(setup, true).present->stack, setup.stack);
    EXPECT_EQ(settle(setup, true).present->stack, setup.stack);
}

TEST_P(FlowRunnerTest, MoreAndFewerSeedsKeepWhatThereIs) {
    FlowSetup setup = small_setup();
    const double first = settle(setup).present->seeds[0].flow.input_grad_norm;
    setup.seeds = 5;
    EXPECT_EQ(settle(setup).present->seeds.size(), 5u);
    setup.seeds = 2;
    const FlowStudies& fewer = settle(setup);
    EXPECT_EQ(fewer.present->seeds.size(), 2u);
    EXPECT_EQ(fewer.present->seeds[0].flow.input_grad_norm, first);
    EXPECT_TRUE(fewer.present->seeds[0].paths);
    EXPECT_TRUE(fewer.present->refined);
}

TEST_P(FlowRunnerTest, StaleWorkIsStoppedAndDropped) {
    const FlowSetup large = large_setup();
    const FlowStudies& first = update(large, false);
    EXPECT_TRUE(first.computing);
    EXPECT_FALSE(first.present);
    const FlowSetup setup = small_setup();
    EXPECT_EQ(update(setup, false).present->stack, setup.stack);
    const FlowStudies& last = settle(setup);
    EXPECT_EQ(last.present->stack, setup.stack);
    EXPECT_TRUE(last.present->refined);
}

TEST_P(FlowRunnerTest, LongWorkTellsItsProgress) {
    const FlowStudies& last = settle(large_setup());
    EXPECT_TRUE(told_progress_);
    EXPECT_FALSE(last.progress);
    EXPECT_TRUE(last.present->refined);
}

// A pinned stack that is done in a moment is no half of the work.
TEST_P(FlowRunnerTest, ProgressIsByWork) {
    FlowSetup setup = large_setup();
    setup.pinned = std::vector<PinnedStack>{{"small", small_setup().stack}};
    settle(setup);
    EXPECT_GT(of_the_first_, 0.6);
    EXPECT_DOUBLE_EQ(missing_work(setup.stack, nullptr, 8).seeds,
                     7 * coarse_work(setup.stack, Weights::to_draw));
}

TEST_P(FlowRunnerTest, APinnedStackOfItsOwnIsMeasuredToo) {
    FlowSetup setup = small_setup();
    PinnedStack pre{"pre", setup.stack, false};
    pre.stack.placement = Placement::pre;
    PinnedStack wrong{"wrong", setup.stack, true};
    wrong.stack.heads = 3;
    setup.pinned = std::vector<PinnedStack>{pre, wrong};
    const FlowStudies& studies = settle(setup);
    ASSERT_EQ(studies.pinned.size(), 2u);
    EXPECT_EQ(studies.pinned[0]->stack, pre.stack);
    EXPECT_TRUE(studies.pinned[0]->refined);
    EXPECT_TRUE(studies.pinned[1]->error);
}

TEST_P(FlowRunnerTest, RestsWhileNobodyLooks) {
    update(large_setup(), false);
    EXPECT_TRUE(runner_.studies().computing);
    lab_.end_frame();
    EXPECT_FALSE(lab_.computing());
    EXPECT_TRUE(settle(small_setup()).present->refined);
}

void expect_same(const StackStudy& study, const StackStudy& direct) {
    EXPECT_EQ(study.stack, direct.stack);
    EXPECT_TRUE(study.refined);
    ASSERT_EQ(study.seeds.size(), direct.seeds.size());
    for (std::size_t s = 0; s < study.seeds.size(); ++s) {
        EXPECT_EQ(study.seeds[s].flow.input_grad_norm, direct.seeds[s].flow.input_grad_norm);
        EXPECT_EQ(study.seeds[s].paths.has_value(), direct.seeds[s].paths.has_value());
    }
    EXPECT_EQ(study.block_gain, direct.block_gain);
}

// Whatever is dragged, clicked, left and come back to: at rest it is what was asked for last.
TEST_P(FlowRunnerTest, AfterAnyGesturesTheLastStackIsShown) {
    Random random(1);
    for (int round = 0; round < 8; ++round) {
        FlowSetup setup = small_setup();
        for (int step = 0; step < 12; ++step) {
            StackConfig& c = setup.stack;
            switch (random.below(7)) {
            case 0:
                c.blocks = 1 + static_cast<int>(random.below(9));
                break;
            case 1:
                c.beta = random.normal();
                break;
            case 2:
                c = large_setup().stack;
                break;
            case 3:
                c = small_setup().stack;
                c.init.gain = 0.5 + random.uniform();
                break;
            case 4:
                setup.seeds = 1 + static_cast<int>(random.below(3));
                break;
            case 5:
                if (setup.pinned->size() < 2) {
                    std::vector<PinnedStack> pins = *setup.pinned;
                    StackConfig pinned = small_setup().stack;
                    pinned.blocks = 2 + static_cast<int>(random.below(3));
                    pins.push_back({"pin", pinned, random.below(2) == 0});
                    setup.pinned = std::move(pins);
                }
                break;
            default:
                lab_.end_frame();
            }
            update(setup, random.below(2) == 0);
        }
        setup.stack.blocks = std::min(setup.stack.blocks, 5);
        const FlowStudies& last = settle(setup);
        const FlowStudies direct = study_flow(setup);
        expect_same(*last.present, *direct.present);
        ASSERT_EQ(last.pinned.size(), direct.pinned.size());
        for (std::size_t i = 0; i < last.pinned.size(); ++i)
            expect_same(*last.pinned[i], *direct.pinned[i]);
    }
}

TEST_P(FlowRunnerTest, OpensABlockAndOnlyTheLastOneAskedFor) {
    Document d = blank_document(2, 3);
    d.flow = small_setup();
    runner_.open_block(lab_, d, {1});
    runner_.open_block(lab_, d, {3});
    EXPECT_TRUE(lab_.computing());
    std::optional<OpenedPart> opened;
    while (!opened) {
        update(d.flow, false);
        opened = runner_.take_opened(lab_);
        std::this_thread::yield();
    }
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->name, "block 3");
    EXPECT_EQ(opened->from, d);
    ASSERT_TRUE(opened->document);
    EXPECT_EQ(*opened->document, *open_block(d, {3}));
    runner_.open_block(lab_, d, {9});
    while (!(opened = runner_.take_opened(lab_))) update(d.flow, false);
    EXPECT_FALSE(opened->document);
    runner_.open_block(lab_, d, {1});
    for (int i = 0; i < 2; ++i) lab_.end_frame(); // the user looks at another workspace
    EXPECT_FALSE(lab_.computing());
    EXPECT_FALSE(runner_.take_opened(lab_));
    settle(d.flow);
    EXPECT_FALSE(runner_.take_opened(lab_));
}

TEST_P(FlowRunnerTest, AStoppedRunRestsUntilSomethingChanges) {
    FlowSetup setup = large_setup();
    while (!update(setup, false).present) std::this_thread::yield();
    ASSERT_TRUE(lab_.computing());
    runner_.stop(setup);
    for (int i = 0; i < 20 || lab_.computing(); ++i) {
        const FlowStudies& now = update(setup, false);
        EXPECT_TRUE(now.stopped);
        EXPECT_FALSE(now.progress);
        std::this_thread::yield();
    }
    ASSERT_TRUE(update(setup, false).present);
    EXPECT_FALSE(update(setup, false).present->refined);

    const FlowSetup other = small_setup();
    EXPECT_TRUE(settle(other).present->refined) << "any other is measured";
    EXPECT_FALSE(update(other, false).stopped);

    update(setup, false);
    runner_.stop(setup);
    EXPECT_TRUE(update(setup, false).stopped);
    runner_.go_on();
    EXPECT_TRUE(settle(setup).present->refined);
}

} // namespace
} // namespace normscope
