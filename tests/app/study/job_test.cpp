#include "app/study/job.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <thread>

namespace normscope {
namespace {

class JobTest : public ::testing::Test {
  protected:
    Result<int> finished() {
        for (;;) {
            if (auto result = job_.take()) return *result;
            std::this_thread::yield();
        }
    }

    std::atomic<int> woken_ = 0;
    Job<int> job_{[this] { ++woken_; }};
};

TEST_F(JobTest, GivesItsResultOnceAndWakes) {
    EXPECT_FALSE(job_.take());
    job_.start("Counting", [](const Progress&) { return 3; });
    EXPECT_TRUE(job_.busy());
    EXPECT_EQ(finished(), 3);
    EXPECT_FALSE(job_.busy());
    EXPECT_FALSE(job_.take());
    job_.start("Counting again", [](const Progress&) -> Result<int> { return fail("lost count"); });
    EXPECT_EQ(finished().error().message, "lost count");
    job_.start("And again", [](const Progress&) { return 4; });
    EXPECT_EQ(finished(), 4);
    EXPECT_GE(woken_, 2);
}

TEST_F(JobTest, AnExceptionArrivesAsAnErrorInTheNameOfTheWork) {
    job_.start("Opening a.csv",
               [](const Progress&) -> Result<int> { throw std::out_of_range("vector: 7 of 5"); });
    EXPECT_EQ(finished().error().message, "Opening a.csv: unexpected error: vector: 7 of 5");
    job_.start("Opening b.csv", [](const Progress&) -> Result<int> { throw std::bad_alloc(); });
    EXPECT_TRUE(
        finished().error().message.starts_with("Opening b.csv: there is not enough memory"));
    job_.start("Opening c.csv", [](const Progress&) -> Result<int> { throw 7; });
    EXPECT_EQ(finished().error().message, "Opening c.csv: unexpected error");
    job_.start("Opening d.csv", [](const Progress&) { return 4; });
    EXPECT_EQ(finished(), 4) << "and the next one runs";
}

TEST_F(JobTest, SaysHowFarItIsAndStopsWhenAsked) {
    job_.start("Waiting", [](const Progress& progress) -> Result<int> {
        (void)progress.at(0.5);
        (void)progress.at(0.25); // a second pass
        while (progress.at(0)) std::this_thread::yield();
        return fail("stopped");
    });
    while (job_.share() < 0.5) std::this_thread::yield();
    EXPECT_FALSE(job_.stopped());
    job_.stop();
    EXPECT_TRUE(job_.stopped());
    EXPECT_FALSE(finished());
    EXPECT_EQ(job_.share(), 0.5);
    job_.start("Anew", [](const Progress& progress) { return progress.at(0) ? 1 : 0; });
    EXPECT_FALSE(job_.stopped());
    EXPECT_EQ(finished(), 1);
}

TEST(Job, WaitsForItsWorkWhenItGoes) {
    std::atomic<bool> done = false;
    {
        Job<int> job([] {});
        job.start("Ending", [&](const Progress&) {
            std::this_thread::yield();
            done = true;
            return 1;
        });
    }
    EXPECT_TRUE(done);
}

} // namespace
} // namespace normscope
