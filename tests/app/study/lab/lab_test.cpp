#include "app/study/lab/lab.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace normscope {
namespace {

// Counts to `most`, a slice a number; `each` is called in every slice.
class Counting final : public LabTask {
  public:
    using Each = std::function<Result<void>(const Progress&)>;
    explicit Counting(
        int to, Each in_each = [](const Progress&) -> Result<void> { return {}; },
        Told told = Told::by_its_panel)
        : LabTask("Counting", told), most(to), each(std::move(in_each)) {}

    const int most;
    std::atomic<int> count = 0, slices = 0;
    std::thread::id thread; // of the last slice

  private:
    bool is_done() const override { return count >= most; }
    Result<void> advance(const Progress& progress) override {
        ++slices;
        thread = std::this_thread::get_id();
        TRY(each(progress));
        ++count;
        return {};
    }
    Each each;
};

// With threads, and without.
class LabTest : public ::testing::TestWithParam<int> {
  protected:
    using Tasks = std::vector<std::shared_ptr<LabTask>>;
    void frame(const Tasks& wanted) {
        for (const auto& task : wanted) lab_.want(task);
        lab_.end_frame();
    }
    void settle(const Tasks& wanted) {
        do {
            frame(wanted);
            std::this_thread::yield();
        } while (lab_.computing());
    }

    std::atomic<int> woken_ = 0;
    Lab lab_{GetParam(), [this] { ++woken_; }};
};
INSTANTIATE_TEST_SUITE_P(Threads, LabTest, ::testing::Values(0, 1, 3));

// Others make it over while the lab looks: it is not when it is asked first, and is from then on.
class OverAMomentLater final : public LabTask {
  public:
    OverAMomentLater() : LabTask("over a moment later", Told::by_its_panel) {}
    std::atomic<int> slices = 0;

  private:
    mutable std::atomic<bool> asked_ = false;
    bool is_done() const override { return asked_.exchange(true); }
    Result<void> advance(const Progress&) override {
        ++slices;
        return {};
    }
};

TEST_P(LabTest, ATaskMayBeOverAMomentAfterItWasTaken) {
    const auto task = std::make_shared<OverAMomentLater>();
    do {
        frame({task});
        std::this_thread::yield();
    } while (task->slices == 0);
    settle({task});
    EXPECT_EQ(task->slices, 1);
}

TEST_P(LabTest, DoesWhatIsWantedAndWakes) {
    const auto a = std::make_shared<Counting>(5), b = std::make_shared<Counting>(3);
    EXPECT_FALSE(lab_.computing());
    settle({a, b});
    EXPECT_EQ(a->count, 5);
    EXPECT_EQ(b->count, 3);
    EXPECT_GE(woken_, 2);
    settle({a});
    EXPECT_EQ(a->slices, 5) << "it is over";
    EXPECT_EQ(a->thread == std::this_thread::get_id(), GetParam() == 0);
}

TEST_P(LabTest, WhatIsWantedFirstIsBegunFirst) {
    const auto a = std::make_shared<Counting>(50);
    int before = -1;
    const auto b = std::make_shared<Counting>(1, [&](const Progress&) -> Result<void> {
        before = a->count;
        return {};
    });
    settle({a, b});
    if (GetParam() < 2) {
        EXPECT_EQ(before, 50);
    }
}

TEST_P(LabTest, ATaskThatFailsKeepsItsErrorAndIsNotBegunAgain) {
    const auto fails = [](const Progress&) -> Result<void> { return fail("lost count"); };
    const auto throws = [](const Progress&) -> Result<void> {
        throw std::out_of_range("vector: 7 of 5");
    };
    const auto no_memory = [](const Progress&) -> Result<void> { throw std::bad_alloc(); };
    const auto a = std::make_shared<Counting>(3, fails), b = std::make_shared<Counting>(3, throws),
               c = std::make_shared<Counting>(3, no_memory), d = std::make_shared<Counting>(3);
    for (int i = 0; i < 3; ++i) settle({a, b, c, d});
    EXPECT_EQ(a->error()->message, "lost count");
    EXPECT_EQ(b->error()->message, "Counting: unexpected error: vector: 7 of 5");
    EXPECT_TRUE(c->error()->message.starts_with("Counting: there is not enough memory"));
    EXPECT_EQ(a->slices + b->slices + c->slices, 3);
    EXPECT_EQ(d->count, 3) << "the others go on";
    EXPECT_FALSE(lab_.take_error()) << "a panel tells";
    const auto told = std::make_shared<Counting>(3, fails, LabTask::Told::by_the_shell);
    settle({told});
    EXPECT_EQ(lab_.take_error()->message, "lost count");
    EXPECT_FALSE(lab_.take_error()) << "told once";
}

TEST_P(LabTest, ATaskThatIsNotWantedStopsAndGoesOnLater) {
    const auto a = std::make_shared<Counting>(1000000);
    while (a->count < 5) frame({a});
    frame({});
    EXPECT_FALSE(lab_.computing());
    while (a->is_running()) std::this_thread::yield();
    const int stopped = a->count;
    for (int i = 0; i < 5; ++i) frame({});
    EXPECT_EQ(a->count, stopped);
    while (a->count == stopped) frame({a});
    frame({});
    while (a->is_running()) std::this_thread::yield();
    EXPECT_EQ(a->slices, a->count) << "nothing is done twice";
}

// A slice that ends only when it is stopped.
Result<void> until_stopped(const Progress& progress) {
    while (progress.at(0.5)) std::this_thread::yield();
    return progress.at(1);
}

TEST(Lab, StopsASliceThatIsNotWantedAndOneThatIsLeft) {
    const auto a = std::make_shared<Counting>(1, until_stopped);
    {
        Lab lab(1);
        for (int i = 0; i < 2; ++i) {
            lab.want(a);
            lab.end_frame();
            while (a->slices <= i || a->share() < 0.5) std::this_thread::yield();
            EXPECT_TRUE(lab.wants(a));
            lab.end_frame();
            EXPECT_FALSE(lab.wants(a));
            while (a->is_running()) std::this_thread::yield();
        }
        EXPECT_FALSE(a->error()) << "a stop is no failure";
        EXPECT_EQ(a->share(), 0.5);
        lab.want(a);
        lab.end_frame();
        while (a->slices < 3) std::this_thread::yield();
    }
    EXPECT_FALSE(a->is_over()) << "the lab did not wait for its end";
}

TEST_P(LabTest, FinishReturnsWhenTheTaskIsOver) {
    const auto a = std::make_shared<Counting>(100), b = std::make_shared<Counting>(3);
    frame({a});
    lab_.finish(a);
    EXPECT_EQ(a->count, 100);
    lab_.finish(b);
    EXPECT_EQ(b->count, 3) << "nobody wanted it before";
}

// A task whose thread still holds what the task needs when all is done.
TEST(Lab, ATaskIsOverWhenItsThreadHasLeftIt) {
    class Leaving final : public LabTask {
      public:
        Leaving() : LabTask("Leaving", Told::by_its_panel) {}
        std::atomic<bool> done = false, may_leave = false;

      private:
        bool is_done() const override { return done; }
        Result<void> advance(const Progress&) override {
            done = true;
            while (!may_leave) std::this_thread::yield();
            return {};
        }
    };
    const auto task = std::make_shared<Leaving>();
    Lab lab(1);
    lab.want(task);
    lab.end_frame();
    while (!task->done) std::this_thread::yield();
    EXPECT_FALSE(task->is_over());
    task->may_leave = true;
    lab.finish(task);
    EXPECT_TRUE(task->is_over());
}

TEST_P(LabTest, TellsOfWorkThatTakesLong) {
    std::atomic<bool> held = true;
    const auto quiet = std::make_shared<Counting>(1000000);
    frame({quiet});
    EXPECT_FALSE(lab_.just_begun() || lab_.slow()) << "its panel tells";
    const auto a = std::make_shared<Counting>(
        1,
        [&](const Progress& progress) {
            while (held && progress.at(0)) std::this_thread::yield();
            return progress.at(1);
        },
        LabTask::Told::by_the_shell);
    if (GetParam() == 0) return; // the frame would wait
    frame({a});
    EXPECT_TRUE(lab_.just_begun());
    while (!lab_.slow()) frame({a});
    EXPECT_FALSE(lab_.just_begun());
    held = false;
    settle({a});
    frame({});
    EXPECT_FALSE(lab_.slow());
}

} // namespace
} // namespace normscope
