#include "app/study/lab/node.h"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace normscope {
namespace {

// Twice a number, but for 13. While `held`, the work waits.
struct Twice {
    struct Input {
        int value = 0;
        std::atomic<bool>* held = nullptr;
        std::atomic<int>* begun = nullptr;
        bool fits_in_a_frame = false;
        bool operator==(const Input&) const = default;
    };
    int of_value = 0, result = 0;

    static std::shared_ptr<const Twice> of(const Input& in, const std::shared_ptr<const Twice>&,
                                           const Progress& progress) {
        ++*in.begun;
        while (*in.held) {
            if (progress.stop.stop_requested()) return nullptr;
            std::this_thread::yield();
        }
        if (in.value == 13) throw std::runtime_error("unlucky");
        return std::make_shared<const Twice>(Twice{in.value, 2 * in.value});
    }
    static bool fits_in_a_frame(const Input& in) { return in.fits_in_a_frame; }
    bool is_of(const Input& in) const { return of_value == in.value; }
};

enum class Where : std::uint8_t { here, in_the_lab };

class NodeTest : public ::testing::Test {
  protected:
    std::shared_ptr<const Twice> update(int value, Where where = Where::in_the_lab) {
        node_.keep_up(lab_, Twice::Input{value, &held_, &begun_, where == Where::here});
        lab_.end_frame();
        return node_.last();
    }
    void until_begun(int times) {
        while (begun_ < times) std::this_thread::yield();
    }
    void finish() {
        held_ = false;
        while (lab_.computing()) std::this_thread::yield();
    }

    std::atomic<bool> held_ = true;
    std::atomic<int> begun_ = 0;
    Lab lab_{1};
    Node<Twice, Twice::Input> node_;
};

TEST_F(NodeTest, SmallWorkIsDoneAtOnce) {
    held_ = false;
    EXPECT_EQ(update(3, Where::here)->result, 6);
    EXPECT_FALSE(lab_.computing());
}

TEST_F(NodeTest, TheLastResultStaysAndSlowWorkIsSaid) {
    held_ = false;
    update(1, Where::here);
    held_ = true;
    EXPECT_EQ(update(3)->result, 2) << "the one before";
    EXPECT_TRUE(lab_.computing());
    while (!lab_.slow()) {
        EXPECT_TRUE(lab_.just_begun());
        EXPECT_EQ(update(3)->result, 2);
    }
    EXPECT_FALSE(lab_.just_begun());
    finish();
    EXPECT_EQ(update(3)->result, 6);
    EXPECT_FALSE(lab_.computing());
    EXPECT_FALSE(lab_.slow());
}

TEST_F(NodeTest, AResultThatIsBehindIsShown) {
    EXPECT_FALSE(update(1));
    until_begun(1);
    EXPECT_FALSE(update(5)) << "the lab is at another";
    finish();
    held_ = true;
    EXPECT_EQ(update(5)->result, 2) << "behind, but how far it has come";
    EXPECT_TRUE(lab_.computing()) << "and the next is begun";
    until_begun(2);
    EXPECT_EQ(update(8)->result, 2);
    finish();
    held_ = true;
    EXPECT_EQ(update(8)->result, 10) << "that of 5, and the next is begun";
    finish();
    EXPECT_EQ(update(8)->result, 16);
}

TEST_F(NodeTest, AnOlderResultDoesNotTakeThePlaceOfThatOfTheInput) {
    held_ = false;
    EXPECT_EQ(update(1, Where::here)->result, 2);
    held_ = true;
    update(3);
    finish(); // the hand goes back to 1 before 3 is looked at
    EXPECT_EQ(update(1)->result, 2);
    EXPECT_FALSE(lab_.computing());
}

TEST_F(NodeTest, WorkThatNobodyLooksAtIsStopped) {
    update(1);
    until_begun(1);
    lab_.end_frame();
    EXPECT_FALSE(lab_.computing());
    EXPECT_FALSE(update(2)) << "what is held lets nothing through";
    // The work for 1 may not have heard of its stop yet; that for 2 comes after it.
    do finish();
    while (!update(2) || node_.last()->result == 2);
    EXPECT_EQ(node_.last()->result, 4);
}

TEST_F(NodeTest, AnInputThatFailsIsToldOnceAndNotTriedAgain) {
    held_ = false;
    update(1, Where::here);
    EXPECT_EQ(update(13)->result, 2) << "the one before";
    finish();
    EXPECT_EQ(update(13)->result, 2);
    const auto error = lab_.take_error();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, "Computing: unexpected error: unlucky");
    EXPECT_FALSE(lab_.take_error());
    update(13);
    EXPECT_FALSE(lab_.computing());
    update(5);
    finish();
    EXPECT_EQ(update(5)->result, 10) << "another input is tried";
}

} // namespace
} // namespace normscope
