#include "app/session/session_copy.h"

#include "app/io/file.h"
#include "app/model/edit.h"
#include "app/session/session_records.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

SessionCopy read_copy(const std::string& bytes) {
    const auto copy = read_session_copy(bytes, "copy");
    EXPECT_TRUE(copy) << copy.error().message;
    return copy ? *copy : SessionCopy{};
}

// Two edits of one value, copied by the last version that wrote records: 12.5, then −7.25.
std::string recorded() {
    return read_file(std::string(NORMSCOPE_GOLDEN_DIR) + "/records.copy").value();
}

TEST(SessionCopy, SaysWhereTheWorkIs) {
    Document d = blank_document(2, 3);
    d.title = "A title";
    const std::string bytes = write_copy({d, "/home/a “b”.json", "12 3"});
    const SessionCopy copy = read_copy(bytes);
    EXPECT_EQ(copy.document, d);
    EXPECT_EQ(copy.file, "/home/a “b”.json");
    EXPECT_EQ(copy.stamp, "12 3");
    const auto head = read_copy_head(bytes);
    ASSERT_TRUE(head);
    EXPECT_TRUE(head->is_known);
    EXPECT_EQ(head->title, "A title");
    EXPECT_EQ(head->file, "/home/a “b”.json");
    EXPECT_EQ(read_copy(write_copy({d, {}, {}})).file, "");
    EXPECT_EQ(*read_session(bytes, "opened by hand"), d);
}

TEST(SessionCopy, ItsHeadIsReadWithoutItsMatrices) {
    Document d = blank_document(2, 3);
    d.title = "tokens\": [";
    const std::string bytes = write_copy({d, "/a.json", {}});
    const auto head = read_copy_head(bytes.substr(0, bytes.find("\"gamma\"")));
    ASSERT_TRUE(head);
    EXPECT_EQ(head->title, d.title);
    EXPECT_EQ(head->file, "/a.json");
}

TEST(SessionCopy, OfAnUnknownFormatIsKnownToBeOne) {
    for (const std::string bytes : {"NScopy2\nmore", "\x01\x02",
                                    R"({"format": "normscope", "version": 2, "title": "New"})"}) {
        const auto head = read_copy_head(bytes);
        ASSERT_TRUE(head) << bytes;
        EXPECT_FALSE(head->is_known) << bytes;
        EXPECT_FALSE(read_session_copy(bytes, "copy")) << bytes;
    }
    EXPECT_FALSE(read_copy_head("")) << "nothing was written";
}

TEST(SessionCopy, OfTheVersionThatWroteRecordsIsRead) {
    const std::string bytes = recorded();
    const SessionCopy copy = read_copy(bytes);
    EXPECT_EQ((*copy.document.x)(0, 0), -7.25);
    EXPECT_EQ((*copy.document.x)(2, 4), 8);
    EXPECT_EQ(copy.document.title, "Kept by records");
    EXPECT_EQ(copy.file, "/home/ada/work.normscope.json");
    const auto head = read_copy_head(bytes);
    ASSERT_TRUE(head);
    EXPECT_TRUE(head->is_known);
    EXPECT_EQ(head->title, "Kept by records");
    EXPECT_EQ(head->file, "/home/ada/work.normscope.json");
}

// A kill or a power cut in the middle of the last record, or garbage in its place.
TEST(SessionCopy, ATornLastRecordIsLeftOutAndLosesNothingBeforeIt) {
    const std::string bytes = recorded();
    const std::size_t second = bytes.rfind("NScopy1");
    ASSERT_GT(second, 0u);
    for (std::size_t n = second; n < bytes.size(); ++n) {
        std::string garbled = bytes;
        garbled[n] = static_cast<char>(garbled[n] ^ 0x20);
        for (const std::string& torn : {bytes.substr(0, n), garbled})
            ASSERT_EQ((*read_copy(torn).document.x)(0, 0), 12.5) << n;
    }
    for (std::size_t n = 8; n < second; ++n) {
        ASSERT_FALSE(read_session_copy(bytes.substr(0, n), "copy")) << n;
        ASSERT_FALSE(read_copy_head(bytes.substr(0, n))) << n;
    }
}

TEST(SessionCopy, OfTheFirstVersionsIsASession) {
    Document d = blank_document(2, 3);
    d.title = "Old";
    std::string bytes = write_session(d);
    bytes.insert(1, R"("file": "/home/old.json",)");
    EXPECT_EQ(read_copy(bytes).document, d);
    EXPECT_EQ(read_copy(bytes).file, "/home/old.json");
    EXPECT_EQ(read_copy_head(bytes)->title, "Old");
    EXPECT_TRUE(read_copy_head("{ no session")) << "a person may make something of it still";
}

TEST(SessionCopy, OfASavedDocumentIsNotOffered) {
    EXPECT_FALSE(read_copy_head(R"({"title": "Kept", "saved": true})"));
}

TEST(SessionCopy, AMemberOfAWrongTypeLeavesTheRestOfTheHead) {
    const auto head = read_copy_head(R"({"title": "Kept", "file": 3})");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->title, "Kept");
    EXPECT_EQ(head->file, "");
    EXPECT_EQ(read_copy_head(R"({"title": 1, "file": "/a.json", "saved": "no"})")->file, "/a.json");
    EXPECT_EQ(read_copy_head(R"(["title"])")->is_known, false);
}

} // namespace
} // namespace normscope
