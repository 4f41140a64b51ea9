#include "app/platform/input_queue.h"

#include <gtest/gtest.h>
#include <string>

namespace normscope {
namespace {

using Kind = InputQueue::Kind;

// Events that write their name when they are applied.
struct Recorder {
    InputQueue queue;
    std::string log;

    void push(Kind kind, int source, char name) {
        queue.push(kind, source, [this, name] { log += name; });
    }
    std::string frame() {
        log.clear();
        queue.take_frame();
        return log;
    }
};

TEST(InputQueue, AClickBetweenTwoFramesIsSeen) {
    Recorder r;
    r.push(Kind::motion, 0, 'm');
    r.push(Kind::button, 0, 'D');
    r.push(Kind::button, 0, 'U');
    r.push(Kind::motion, 0, 'n');
    EXPECT_EQ(r.frame(), "m");
    EXPECT_EQ(r.frame(), "D");
    EXPECT_EQ(r.frame(), "U");
    EXPECT_EQ(r.frame(), "n");
    EXPECT_TRUE(r.queue.empty());
    EXPECT_EQ(r.frame(), "");
}

TEST(InputQueue, ThePointerStaysWhereTheButtonWentDown) {
    Recorder r;
    r.push(Kind::button, 0, 'D');
    r.push(Kind::motion, 0, 'm');
    r.push(Kind::motion, 0, 'n');
    EXPECT_EQ(r.frame(), "D");
    EXPECT_EQ(r.frame(), "mn");
}

TEST(InputQueue, ADragIsSeenToItsEndBeforeTheButtonGoesUp) {
    Recorder r;
    r.push(Kind::button, 0, 'D');
    r.push(Kind::motion, 0, 'm');
    r.push(Kind::motion, 0, 'n');
    r.push(Kind::button, 0, 'U');
    EXPECT_EQ(r.frame(), "D");
    EXPECT_EQ(r.frame(), "mn");
    EXPECT_EQ(r.frame(), "U");
}

TEST(InputQueue, AShortcutIsSeenWithItsModifier) {
    constexpr int ctrl = 1, s = 2;
    Recorder r;
    r.push(Kind::press, ctrl, 'C');
    r.push(Kind::press, s, 'S');
    r.push(Kind::release, s, 's');
    r.push(Kind::release, ctrl, 'c');
    EXPECT_EQ(r.frame(), "CS");
    EXPECT_EQ(r.frame(), "sc");
}

TEST(InputQueue, AKeyPressedTwiceIsTwoPresses) {
    constexpr int a = 1;
    Recorder r;
    for (const char c : {'1', '2'}) {
        r.push(Kind::press, a, c);
        r.push(Kind::motion, 0, 't'); // the text it types
        r.push(Kind::release, a, '-');
    }
    EXPECT_EQ(r.frame(), "1t");
    EXPECT_EQ(r.frame(), "-"); // the second press waits, or no frame would see the key up
    EXPECT_EQ(r.frame(), "2t");
    EXPECT_EQ(r.frame(), "-");
}

} // namespace
} // namespace normscope
