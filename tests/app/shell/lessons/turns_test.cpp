#include "app/shell/lessons/turns.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

namespace normscope {
namespace {

// Says `word` twice, with a rest between.
Turns twice(std::string& said, std::string word) {
    said += word;
    co_await k_rest;
    said += word;
}

Turns song(std::string& said) {
    co_await twice(said, "a");
    said += "-";
    co_await twice(said, "b");
}

Turns without_rest(std::string& said) {
    said += "c";
    co_return;
}

TEST(Turns, RestWhereTheWorkTheyAwaitRests) {
    std::string said;
    Turns turns = song(said);
    EXPECT_EQ(said, "") << "nothing is done before its turn";
    EXPECT_TRUE(turns.take_one());
    EXPECT_EQ(said, "a");
    EXPECT_TRUE(turns.take_one());
    EXPECT_EQ(said, "aa-b");
    EXPECT_FALSE(turns.take_one());
    EXPECT_EQ(said, "aa-bb");
    EXPECT_FALSE(turns.take_one());
    finish(without_rest(said));
    EXPECT_EQ(said, "aa-bbc");
}

TEST(Turns, ThrowWhatTheWorkThrowsAndAreGivenUpHalfway) {
    struct Gone {
        bool& gone;
        ~Gone() { gone = true; }
    };
    bool gone = false;
    const auto fails = [](bool& note) -> Turns {
        const Gone at_end{note};
        co_await k_rest;
        throw std::runtime_error("no paper");
    };
    const auto outer = [&](bool& note) -> Turns { co_await fails(note); };
    {
        Turns turns = outer(gone);
        EXPECT_TRUE(turns.take_one());
        EXPECT_THROW((void)turns.take_one(), std::runtime_error);
        EXPECT_TRUE(gone);
    }
    gone = false;
    {
        Turns turns = outer(gone);
        EXPECT_TRUE(turns.take_one());
        EXPECT_FALSE(gone);
    }
    EXPECT_TRUE(gone) << "what the work held is let go";
}

} // namespace
} // namespace normscope
