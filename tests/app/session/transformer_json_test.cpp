#include "app/session/session_file.h"

#include <gtest/gtest.h>

// The Transformer of a session that a hand wrote or a disk bent.
namespace normscope {
namespace {

std::string error_with(const std::string& transformer) {
    const auto read =
        read_session(R"({"format": "normscope", "version": 1, "x": [[1, 2]], "transformer": )" +
                         transformer + "}",
                     "s.json");
    return read ? "no error" : read.error().message;
}

TEST(TransformerJson, AFewBytesDoNotAskForGigabytes) {
    EXPECT_NE(error_with(R"({"layers": 12, "width": 512, "ffn": 8192,
                           "weights": {"words": ["<s>", "a"], "tensors": {}}})")
                  .find("has more than 2097152 parameters"),
              std::string::npos);
    EXPECT_NE(error_with(R"({"width": 512, "ffn": 2000000000})").find("/transformer"),
              std::string::npos)
        << "out of bounds";
}

TEST(TransformerJson, WeightsNameEveryTensor) {
    EXPECT_NE(error_with(R"({"weights": {"words": ["<s>", "a"], "tensors": {}}})")
                  .find("“src_embed.weight” is missing"),
              std::string::npos);
    EXPECT_NE(
        error_with(R"({"weights": {"words": ["<s>", "a"], "tensors": {"what": []}}})").find("what"),
        std::string::npos);
}

TEST(TransformerJson, NoMoreWordsAreDecodedThanTheTargetHas) {
    EXPECT_NE(error_with(R"({"decoded": 7})").find("it can read 0 to 4"), std::string::npos);
}

} // namespace
} // namespace normscope
