#include "app/session/file_weights.h"

#include "app/model/edit.h"
#include "app/session/session_file.h"
#include "core/transformer/named_tensors.h"
#include "tests/app/io/safetensors/safetensors_testing.h"

#include <algorithm>
#include <gtest/gtest.h>

// The Transformer that a document takes from a file of weights.
namespace normscope {
namespace {

TransformerConfig small() {
    TransformerConfig config;
    config.layers = 1;
    config.width = 6;
    config.heads = 3;
    config.ffn = 5;
    config.vocabulary = 7;
    return config;
}

Safetensors file_of(const TransformerConfig& config, const TextByKey& metadata = {}) {
    return *read_bytes(write_transformer(*make_transformer<float>(config), metadata), "w");
}

std::string error_of(const TextByKey& metadata) {
    const auto read = read_file_weights(file_of(small(), metadata), {});
    return read ? "no error" : read.error().message;
}

TEST(ReadFileWeights, TheFileIsRightAgainstTheDocumentWhichFillsTheGaps) {
    TransformerConfig now;
    now.heads = 4; // of another width
    now.placement = Placement::pre;
    now.eps = 1e-3;
    const auto read =
        read_file_weights(file_of(small(), {{"placement", "deepnorm"},
                                            {"embed_scale", "1"},
                                            {"mask", "false"},
                                            {"init", "a word that no setting here has"}}),
                          now);
    ASSERT_TRUE(read) << read.error().message;
    const TransformerConfig& config = read->model.config;
    EXPECT_EQ(config.heads, 3) << "the next number down that divides the width";
    EXPECT_EQ(config.placement, Placement::deepnorm);
    EXPECT_EQ(config.embed_scale, EmbedScale::one);
    EXPECT_FALSE(config.masked);
    EXPECT_EQ(config.eps, 1e-3);
    const auto is_assumed = [&](std::string_view key) {
        return std::ranges::any_of(read->settings, [&](const FileSetting& setting) {
            return setting.field->key == key && setting.is_assumed();
        });
    };
    EXPECT_TRUE(is_assumed("heads") && is_assumed("eps"));
    EXPECT_FALSE(is_assumed("placement") || is_assumed("mask"));
}

TEST(ReadFileWeights, ASettingThatIsNoneIsRefusedByItsKey) {
    EXPECT_EQ(error_of({{"heads", "three"}}).find("w: at /__metadata__/heads: expected a whole"),
              0u);
    EXPECT_EQ(error_of({{"eps", "-1"}}).find("w: at /__metadata__/eps: "), 0u);
    EXPECT_EQ(error_of({{"mask", "True"}}).find("w: at /__metadata__/mask: "), 0u);
    EXPECT_EQ(error_of({{"heads", "4"}}),
              "w: heads: 4 do not divide the width 6, which the file fixes: take one of 1, 2, 3, "
              "6.");
}

TEST(ReadFileWeights, ATransformerThatIsADecodersUnderOtherNamesIsOneWhereTheFileSaysSo) {
    TransformerConfig config = small();
    config.arch = Architecture::encoder;
    EXPECT_EQ(read_file_weights(file_of(config), {})->model.config.arch, Architecture::encoder);
    TransformerConfig now;
    now.arch = Architecture::decoder; // of another Transformer
    EXPECT_EQ(read_file_weights(file_of(config), now)->model.config.arch, Architecture::encoder);
    EXPECT_EQ(read_file_weights(file_of(config, {{"arch", "decoder"}}), {})->model.config.arch,
              Architecture::decoder);
}

TEST(ReadFileWeights, LearnedPositionsGoIntoTheDocumentAndItsSession) {
    TransformerConfig config = small();
    config.positions = Positions::learned;
    for (const auto& [rows, kept] : {std::pair(Index{20}, Index{16}), {6, 6}}) {
        config.longest = rows;
        const auto read = read_file_weights(file_of(config), {});
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->model.config.longest, kept);
        const auto weights = std::make_shared<const FileWeights>(kept_weights(*read, "a/w.b"));
        EXPECT_EQ(weights->name, "w.b");
        const auto document =
            read_session(R"({"format": "normscope", "version": 1, "x": [[1, 2]]})", "s");
        const auto taken = apply(*document, TakeWeights{weights});
        ASSERT_TRUE(taken) << taken.error().message;
        EXPECT_TRUE(with_config(*weights, config_of(taken->transformer)));
        const auto back = read_session(write_session(*taken), "s");
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->transformer.weights->model.source_positions, read->model.source_positions);
        const Words seven(7, "1");
        const auto longer = apply(*taken, SetWords{SentenceSide::source, seven});
        EXPECT_EQ(longer ? "" : longer.error().message,
                  kept == 16 ? ""
                             : "w.b has learned positions for 6 words, and a sentence has 7: leave "
                               "some out");
    }
}

TEST(ReadFileWeights, LayersAloneAreForTheCommandLine) {
    const auto model = make_transformer<float>(small());
    std::vector<NamedTensor<const float>> layers = tensors(*model);
    std::erase_if(layers, [](const auto& tensor) {
        return !tensor.name.starts_with("encoder.") && !tensor.name.starts_with("decoder.");
    });
    const auto read = read_file_weights(*read_bytes(write_safetensors(layers), "w"), {});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message,
              "w: holds layers alone, without tables for words (src_embed.weight, "
              "generator.weight): “normscope transformer --weights” runs them on a matrix");
}

} // namespace
} // namespace normscope
