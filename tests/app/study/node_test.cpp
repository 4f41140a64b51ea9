#include "app/study/node.h"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace normscope {
namespace {

// Twice a number, but for 13; even ones and odd ones are not shown for one another. While `held`,
// the work waits.
struct Twice {
    struct Input {
        int value = 0;
        std::atomic<bool>* held = nullptr;
        Where where = Where::on_a_worker;
        bool operator==(const Input&) const = default;
    };
    int of_value = 0, result = 0;

    static std::shared_ptr<const Twice> of(const Input& in, const std::shared_ptr<const Twice>&) {
        while (in.held && *in.held) std::this_thread::yield();
        if (in.value == 13) throw std::runtime_error("unlucky");
        return std::make_shared<const Twice>(Twice{in.value, 2 * in.value});
    }
    static Where where(const Input& in) { return in.where; }
    bool is_of(const Input& in) const { return of_value == in.value; }
    bool fits(const Input& in) const { return (of_value - in.value) % 2 == 0; }
};

class NodeTest : public ::testing::Test {
  protected:
    std::shared_ptr<const Twice> update(int value, Where where = Where::on_a_worker) {
        node_.begin_frame();
        node_.keep_up(Twice::Input{value, &held_, where});
        node_.end_frame();
        return node_.last();
    }
    void rest() {
        node_.begin_frame();
        node_.end_frame();
    }
    void finish() {
        held_ = false;
        while (woken_ == 0) std::this_thread::yield();
        woken_ = 0;
    }

    std::atomic<bool> held_ = true;
    std::atomic<int> woken_ = 0;
    Node<Twice> node_{[this] { ++woken_; }};
};

TEST_F(NodeTest, SmallWorkIsDoneAtOnce) {
    held_ = false;
    EXPECT_EQ(update(3, Where::here)->result, 6);
    EXPECT_FALSE(node_.computing());
    EXPECT_EQ(woken_, 0);
}

TEST_F(NodeTest, TheLastResultStaysAndSlowWorkIsSaid) {
    held_ = false;
    update(1, Where::here);
    held_ = true;
    EXPECT_EQ(update(3)->result, 2) << "the one before";
    EXPECT_TRUE(node_.computing());
    while (!node_.slow()) {
        EXPECT_TRUE(node_.just_begun());
        EXPECT_EQ(update(3)->result, 2);
    }
    EXPECT_FALSE(node_.just_begun());
    finish();
    EXPECT_EQ(update(3)->result, 6);
    EXPECT_FALSE(node_.computing());
    EXPECT_FALSE(node_.slow());
}

TEST_F(NodeTest, AResultThatIsBehindIsShownOnlyWhereItFits) {
    EXPECT_FALSE(update(1));
    EXPECT_FALSE(update(5)) << "the worker is at another";
    finish();
    held_ = true;
    EXPECT_EQ(update(5)->result, 2) << "behind, but how far it has come";
    EXPECT_TRUE(node_.computing()) << "and the next is begun";
    EXPECT_EQ(update(8)->result, 2);
    finish();
    held_ = true;
    EXPECT_EQ(update(8)->result, 2) << "that of 5 does not fit 8";
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
    EXPECT_FALSE(node_.computing());
}

TEST_F(NodeTest, AResultThatNobodyLooksAtIsDropped) {
    update(1);
    rest();
    EXPECT_FALSE(node_.computing());
    finish();
    rest();
    EXPECT_FALSE(update(2)) << "of 1, and long gone";
    finish();
    EXPECT_EQ(update(2)->result, 4);
}

TEST_F(NodeTest, AnInputThatFailsIsToldOnceAndNotTriedAgain) {
    held_ = false;
    update(1, Where::here);
    EXPECT_EQ(update(13)->result, 2) << "the one before";
    finish();
    EXPECT_EQ(update(13)->result, 2);
    const auto error = node_.take_error();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, "Computing: unexpected error: unlucky");
    EXPECT_FALSE(node_.take_error());
    update(13);
    EXPECT_FALSE(node_.computing());
    update(5);
    finish();
    EXPECT_EQ(update(5)->result, 10) << "another input is tried";
}

} // namespace
} // namespace normscope
