#include "core/transformer/named_tensors.h"
#include "tests/app/io/safetensors/safetensors_testing.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope {
namespace {

TransformerConfig small(Architecture arch = Architecture::encoder_decoder) {
    TransformerConfig config;
    config.arch = arch;
    config.layers = 2;
    config.width = 6;
    config.heads = 3;
    config.ffn = 5;
    config.vocabulary = 7;
    config.head_bias = true;
    config.seed = 3;
    return config;
}

// The settings that the file does not tell.
TransformerConfig said() {
    TransformerConfig config;
    config.heads = 3;
    return config;
}

Safetensors opened(std::string bytes) {
    auto file = read_bytes(std::move(bytes), "w");
    EXPECT_TRUE(file.has_value()) << file.error().message;
    return std::move(*file);
}

template<class S>
Result<Transformer<S>> read(const std::string& bytes) {
    return read_transformer<S>(opened(bytes), said());
}

// The weights of `model`, but `change` has its way with each.
using Tensor = NamedTensor<const double>;
std::string changed(const Transformer<double>& model, const std::function<bool(Tensor&)>& change) {
    std::vector<Tensor> kept;
    for (Tensor tensor : tensors(model))
        if (change(tensor)) kept.push_back(tensor);
    return write_safetensors(kept);
}

std::string error_without(const Transformer<double>& model, const std::string& name) {
    const auto result =
        read<double>(changed(model, [&](Tensor& tensor) { return tensor.name != name; }));
    return result ? "no error" : result.error().message;
}

template<class S>
void expect_same(const Transformer<S>& a, const Transformer<S>& b) {
    const auto left = tensors(a);
    const auto right = tensors(b);
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
        EXPECT_EQ(left[i].name, right[i].name);
        ASSERT_EQ(left[i].shape, right[i].shape) << left[i].name;
        EXPECT_TRUE(std::equal(left[i].data, left[i].data + left[i].size(), right[i].data))
            << left[i].name;
    }
}

TEST(TransformerWeights, AreReadBackAsTheyWereWritten) {
    for (const auto arch :
         {Architecture::encoder_decoder, Architecture::encoder, Architecture::decoder})
        for (const bool final_norm : {false, true}) {
            TransformerConfig config = small(arch);
            config.final_norm = final_norm;
            if (arch == Architecture::encoder_decoder) {
                config.decoder_layers = 3;
                config.source_vocabulary = 9;
            }
            const auto model = make_transformer<float>(config);
            ASSERT_TRUE(model.has_value()) << model.error().message;
            const auto back = read<float>(write_transformer(*model));
            ASSERT_TRUE(back.has_value()) << back.error().message;
            expect_same(*model, *back);
            EXPECT_EQ(back->config.arch, arch);
            EXPECT_EQ(encoder_layers(back->config), encoder_layers(config));
            EXPECT_EQ(decoder_layers(back->config), decoder_layers(config));
            EXPECT_EQ(back->config.heads, 3);
        }
}

TEST(TransformerWeights, AFinalNormIsThereExactlyWhenItsTensorsAre) {
    TransformerConfig config = small();
    config.final_norm = true;
    const auto model = make_transformer<double>(config);
    ASSERT_TRUE(model.has_value());
    const auto back = read<double>(
        changed(*model, [](Tensor& tensor) { return !tensor.name.starts_with("decoder.norm"); }));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_TRUE(back->encoder.final_norm.has_value());
    EXPECT_FALSE(back->decoder.final_norm.has_value());
    EXPECT_EQ(error_without(*model, "encoder.norm.bias"),
              "w: tensor \"encoder.norm.bias\" is missing: expected one of shape [6].");
}

TEST(TransformerWeights, EveryTensorThatIsMissingIsNamed) {
    const auto model = make_transformer<double>(small());
    ASSERT_TRUE(model.has_value());
    for (const Tensor& tensor : tensors(*model)) {
        if (tensor.name == "generator.bias") continue; // a head may have none
        const std::string message = error_without(*model, tensor.name);
        EXPECT_EQ(message.find("w: tensor \"" + tensor.name + "\" is missing: expected "), 0u)
            << message;
    }
    EXPECT_EQ(error_without(*model, "decoder.layers.1.linear2.bias"),
              "w: tensor \"decoder.layers.1.linear2.bias\" is missing: expected one of shape [6].");
}

TEST(TransformerWeights, ATensorWithoutUseIsNamed) {
    const auto model = make_transformer<double>(small());
    ASSERT_TRUE(model.has_value());
    const auto renamed = [&](const std::string& from, const std::string& to) {
        const auto result = read<double>(changed(*model, [&](Tensor& tensor) {
            if (tensor.name == from) tensor.name = to;
            return true;
        }));
        return result ? "no error" : result.error().message;
    };
    EXPECT_EQ(renamed("encoder.layers.1.norm2.bias", "encoder.layers.1.norm2.beta"),
              "w: tensor \"encoder.layers.1.norm2.bias\" is missing: expected one of shape [6]; "
              "\"encoder.layers.1.norm2.beta\" is there and has no use.");
    const double one = 1;
    std::vector<Tensor> more = tensors(std::as_const(*model));
    more.push_back({"encoder.layers.1.norm3.bias", {1}, &one});
    EXPECT_EQ(read<double>(write_safetensors(more)).error().message,
              "w: tensor \"encoder.layers.1.norm3.bias\" has no use in this Transformer: expected "
              "none beside its weights.");
    // A decoder alone has no memory to attend to.
    EXPECT_NE(read<double>(changed(*model,
                                   [](Tensor& tensor) {
                                       return !tensor.name.starts_with("encoder.") &&
                                              tensor.name != "src_embed.weight";
                                   }))
                  .error()
                  .message.find("multihead_attn.in_proj_bias\" has no use"),
              std::string::npos);
}

TEST(TransformerWeights, ATensorOfAnotherShapeIsNamedWithBothShapes) {
    const auto model = make_transformer<double>(small());
    ASSERT_TRUE(model.has_value());
    const auto reshaped = [&](const std::string& name, const std::vector<Index>& shape) {
        const auto result = read<double>(changed(*model, [&](Tensor& tensor) {
            if (tensor.name == name) tensor.shape = shape;
            return true;
        }));
        return result ? "no error" : result.error().message;
    };
    EXPECT_EQ(reshaped("encoder.layers.0.linear2.weight", {5, 6}),
              "w: tensor \"encoder.layers.0.linear2.weight\" has the shape [5, 6]: expected [6, "
              "5].");
    EXPECT_EQ(reshaped("decoder.layers.1.linear1.weight", {4, 6}),
              "w: tensor \"decoder.layers.1.linear1.weight\" has the shape [4, 6]: expected [5, "
              "6].");
    EXPECT_EQ(reshaped("tgt_embed.weight", {6, 6}),
              "w: tensor \"tgt_embed.weight\" has the shape [6, 6]: expected [7, 6].");
    EXPECT_EQ(reshaped("generator.weight", {7, 5}),
              "w: tensor \"generator.weight\" has the shape [7, 5]: expected [7, 6].");
    EXPECT_EQ(reshaped("src_embed.weight", {42}),
              "w: tensor \"src_embed.weight\" has the shape [42]: expected a matrix, words × "
              "features.");
}

TEST(TransformerWeights, AFileWithoutLayersOrWithAnotherWidthThanTheHeadsIsRefused) {
    const double one = 1;
    EXPECT_EQ(
        read<double>(write_safetensors<double>({{"h.0.ln_1.weight", {1}, &one}})).error().message,
        "w: there is no layer: its first names are \"h.0.ln_1.weight\"; expected those of "
        "torch.nn.Transformer, such as \"encoder.layers.0.self_attn.in_proj_weight\", "
        "\"src_embed.weight\", \"generator.weight\".");
    const auto model = make_transformer<double>(small());
    ASSERT_TRUE(model.has_value());
    const Safetensors file = opened(write_transformer(*model));
    TransformerConfig four_heads = said();
    four_heads.heads = 4;
    const auto split = read_transformer<double>(file, four_heads);
    ASSERT_FALSE(split.has_value());
    EXPECT_EQ(split.error().message.find("w: "), 0u);
    EXPECT_NE(split.error().message.find("heads"), std::string::npos) << split.error().message;
}

} // namespace
} // namespace normscope
