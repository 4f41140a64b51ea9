#include "app/session/session_copy.h"

#include "tests/app/model/random_edit.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

std::string record(const SessionCopy& now, const Document* before = nullptr) {
    std::string bytes;
    append_record(now, before, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

SessionCopy read_copy(const std::string& bytes) {
    const auto copy = read_session_copy(bytes, "copy");
    EXPECT_TRUE(copy) << copy.error().message;
    return copy ? *copy : SessionCopy{};
}

TEST(SessionCopy, SaysWhereTheWorkIsAndWhetherItIsSaved) {
    Document d = blank_document(2, 3);
    d.title = "A title";
    for (const bool saved : {false, true}) {
        const std::string bytes = record({d, "/home/a “b”.json", "12 3", saved});
        const SessionCopy copy = read_copy(bytes);
        EXPECT_EQ(copy.document, d);
        EXPECT_EQ(copy.file, "/home/a “b”.json");
        EXPECT_EQ(copy.stamp, "12 3");
        EXPECT_EQ(copy.saved, saved);
        const auto head = read_copy_head(bytes);
        ASSERT_TRUE(head);
        EXPECT_EQ(head->title, "A title");
        EXPECT_EQ(head->file, "/home/a “b”.json");
        EXPECT_EQ(head->saved, saved);
    }
    EXPECT_EQ(read_copy(record({d, {}, {}, false})).file, "");
}

// Whatever is done to it, also what changes the size or nothing but the bits of a NaN.
TEST(SessionCopy, HoldsWhatAnyEditsMakeOfAnyDocument) {
    Random random(7);
    for (int round = 0; round < 30; ++round) {
        Document d =
            testing::any_document(random, 1 + testing::index_below(random, 4),
                                  1 + testing::index_below(random, 6), testing::any_number_or_not);
        std::string bytes = record({d, {}, {}, false});
        for (int i = 0; i < 40; ++i) {
            const auto next = normscope::apply(d, testing::any_edit(random, d));
            if (!next || !check(*next)) continue;
            bytes += record({*next, {}, {}, false}, &d);
            d = *next;
            ASSERT_EQ(read_copy(bytes).document, d) << "round " << round << ", edit " << i;
        }
    }
}

TEST(SessionCopy, AChangeOfACellTakesAFewBytes) {
    Document d = blank_document(300, 400);
    d.x = Matrix<double>(Matrix<double>::Random(300, 400));
    const std::size_t small = record({blank_document(1, 1), {}, {}, false}).size();
    const std::size_t whole = record({d, {}, {}, false}).size();
    EXPECT_GE(whole, 300u * 400 * sizeof(double));
    const Document next =
        *normscope::apply(d, SetCells{Input::x, 17, 3, Matrix<double>::Ones(2, 2)});
    const std::size_t names = write_copy_settings({next, {}, {}, false}).size();
    EXPECT_LT(record({next, {}, {}, false}, &d).size(), names + small);
}

// A kill or a power cut in the middle of the last record, or garbage in its place.
TEST(SessionCopy, ATornLastRecordIsLeftOutAndLosesNothingBeforeIt) {
    const Document first = blank_document(2, 3);
    const Document second =
        *normscope::apply(first, SetCells{Input::f, 1, 2, Matrix<double>::Ones(1, 1)});
    const std::string whole = record({first, {}, {}, false});
    const std::string bytes = whole + record({second, {}, {}, false}, &first);
    for (std::size_t n = whole.size(); n < bytes.size(); ++n) {
        ASSERT_EQ(read_copy(bytes.substr(0, n)).document, first) << n;
        ASSERT_TRUE(read_copy_head(bytes.substr(0, n))) << n;
        std::string garbled = bytes;
        garbled[n] = static_cast<char>(garbled[n] ^ 0x20);
        ASSERT_EQ(read_copy(garbled).document, first) << n;
    }
    for (std::size_t n = 0; n < whole.size(); ++n) {
        ASSERT_FALSE(read_session_copy(bytes.substr(0, n), "copy")) << n;
        ASSERT_FALSE(read_copy_head(bytes.substr(0, n))) << n;
    }
    EXPECT_EQ(read_copy(bytes).document, second);
}

TEST(SessionCopy, OfAnEarlierVersionIsASession) {
    Document d = blank_document(2, 3);
    d.title = "Old";
    std::string bytes = write_session(d);
    bytes.insert(1, R"("file": "/home/old.json",)");
    EXPECT_EQ(read_copy(bytes).document, d);
    EXPECT_EQ(read_copy(bytes).file, "/home/old.json");
    EXPECT_EQ(read_copy_head(bytes)->title, "Old");
    EXPECT_TRUE(read_copy_head("{ no session")) << "a person may make something of it still";
    EXPECT_EQ(*read_session(bytes, "opened by hand"), d);
}

TEST(SessionCopy, AMemberOfAWrongTypeLeavesTheRestOfTheHead) {
    const auto head = read_copy_head(R"({"title": "Kept", "file": 3, "saved": true})");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->title, "Kept");
    EXPECT_EQ(head->file, "");
    EXPECT_TRUE(head->saved);
    EXPECT_EQ(read_copy_head(R"({"title": 1, "file": "/a.json", "saved": "no"})")->file, "/a.json");
    EXPECT_EQ(read_copy_head(R"(["title"])")->title, "");
}

} // namespace
} // namespace normscope
