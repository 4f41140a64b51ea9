#include "app/workspaces/shared/view.h"

#include <gtest/gtest.h>
#include <optional>
#include <utility>

namespace normscope::testing {
namespace {

struct Steps {
    std::optional<int> playing;
    int brush = 4;
    bool operator==(const Steps&) const = default;
};
struct River {
    bool particles = false;
    bool operator==(const River&) const = default;
};

TEST(OwnState, IsDefaultMadeUntilItIsChanged) {
    OwnState state;
    EXPECT_EQ(std::as_const(state).of<Steps>(), Steps{});
    EXPECT_EQ(state.of<Steps>().brush, 4);
    state.of<Steps>().playing = 2;
    EXPECT_EQ(std::as_const(state).of<Steps>().playing, 2);
    EXPECT_FALSE(state.of<River>().particles);
}

TEST(OwnState, IsCopiedAsAValue) {
    OwnState one;
    one.of<Steps>().playing = 2;
    OwnState other = one;
    other.of<Steps>().playing = 3;
    EXPECT_EQ(one.of<Steps>().playing, 2);
    EXPECT_EQ(other.of<Steps>().playing, 3);
}

TEST(OwnState, IsComparedAsAValueWhateverWasAskedFor) {
    OwnState one, other;
    one.of<Steps>();
    other.of<River>();
    EXPECT_EQ(one, other) << "nothing was changed";
    one.of<Steps>().playing = 2;
    EXPECT_FALSE(one == other);
    EXPECT_FALSE(other == one) << "whichever of them knows of it";
    other.of<Steps>().playing = 2;
    EXPECT_EQ(one, other);
    other.of<River>().particles = true;
    EXPECT_FALSE(one == other);
}

} // namespace
} // namespace normscope::testing
