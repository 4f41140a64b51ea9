#include "app/model/transformer/file_weights.h"
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
                  .find("\"src_embed.weight\" is missing"),
              std::string::npos);
    EXPECT_NE(
        error_with(R"({"weights": {"words": ["<s>", "a"], "tensors": {"what": []}}})").find("what"),
        std::string::npos);
}

TEST(TransformerJson, TheAlphaOfReZeroComesBack) {
    Document d =
        read_session(R"({"format": "normscope", "version": 1, "x": [[1, 2]]})", "s.json").value();
    TransformerConfig config = d.transformer.config;
    config.layers = 1;
    config.width = 4;
    config.heads = 2;
    config.ffn = 3;
    config.rezero = true;
    config.final_norm = false;
    config.vocabulary = 3;
    config.source_vocabulary = 3;
    config.decoder_layers = 1;
    FileWeights weights{
        "w.safetensors", {"<s>", "a", "b"}, make_transformer<float>(config).value()};
    weights.model.decoder.layers[0][2].alpha(0) = 0.75f;
    d.transformer.config = config;
    d.transformer.weights = std::make_shared<const FileWeights>(weights);
    d.transformer.source = Words{"a"};
    d.transformer.target = Words{"b"};
    const auto back = read_session(write_session(d), "s.json");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(back->transformer.config.rezero);
    EXPECT_EQ(back->transformer.weights->model.decoder.layers[0][2].alpha(0), 0.75f);
}

TEST(TransformerJson, NoMoreWordsAreDecodedThanTheTargetHas) {
    EXPECT_NE(error_with(R"({"decoded": 7})").find("it can read 0 to 4"), std::string::npos);
}

} // namespace
} // namespace normscope
