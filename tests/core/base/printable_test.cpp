#include "core/base/printable.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

TEST(Printable, WritesControlCharactersAsProgramsDo) {
    using namespace std::string_literals;
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(printable("\x1B[31mred\x7F"s + "\0"s), "\\x1b[31mred\\x7f\\x00");
    EXPECT_EQ(printable("\u0085\u009B"), "\\x85\\x9b");
    EXPECT_EQ(printable("a\u202Eb\u2066c\u2028"), "a\\u202eb\\u2066c\\u2028");
}

TEST(Printable, LeavesEverythingElse) {
    for (const char* text :
         {"", "the cat", "é", "−1…", "x\u0302", "\u00A0", "“”", "日本", "🙂", "\\n"}) {
        EXPECT_FALSE(has_control_characters(text)) << text;
        EXPECT_EQ(printable(text), text);
    }
    EXPECT_TRUE(has_control_characters("a\n"));
}

} // namespace
} // namespace normscope
