#include "core/base/printable.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

TEST(FirstCharacter, IsNothingWhereItIsMalformed) {
    EXPECT_EQ(first_character("A").bytes, 1u);
    EXPECT_EQ(first_character("γ").code, U'γ');
    EXPECT_EQ(first_character("…x").bytes, 3u);
    EXPECT_EQ(first_character("\xF4\x8F\xBF\xBF").code, 0x10FFFFu);
    for (const char* malformed :
         {"", "\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x80", "\xF4\x90\x80\x80",
          "\xFC\x80\x80\x80", "\xF0\x80\x80\x80"})
        EXPECT_EQ(first_character(malformed).bytes, 0u) << malformed;
}

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

TEST(Shortened, KeepsBothEndsAndWholeCharacters) {
    EXPECT_EQ(shortened(std::string(200, 'a')), std::string(200, 'a'));
    EXPECT_EQ(shortened(std::string(150, 'a') + "b" + std::string(50, 'c')),
              std::string(150, 'a') + "…" + std::string(50, 'c'));
    std::string gammas;
    for (int i = 0; i < 200; ++i) gammas += "γ";
    EXPECT_EQ(shortened(gammas), gammas);
    EXPECT_EQ(count_characters(shortened(gammas + gammas)), 201u);
}

TEST(Brief, ShortensWordsAndQuotationsButNoSentence) {
    std::string words, names;
    for (int i = 0; i < 100; ++i) words += "a sentence ", names += "na me ";
    EXPECT_EQ(brief(words), words);
    EXPECT_EQ(brief("there is no " + std::string(5000, 'n') + ": " + words).size(),
              215 + words.size());
    for (const auto& [open, close] : {std::pair("“", "”"), {"„", "“"}, {"«", "»"}}) {
        const std::string said = brief("no " + (open + names) + close + " is there, " + words);
        EXPECT_TRUE(said.starts_with("no " + (open + names.substr(0, 100)))) << said;
        EXPECT_TRUE(said.ends_with((close + std::string(" is there, ")) + words)) << said;
        EXPECT_LT(said.size(), 250 + words.size());
    }
    EXPECT_LT(brief("“" + names).size(), 250u) << "a mark without its second";
}

} // namespace
} // namespace normscope
