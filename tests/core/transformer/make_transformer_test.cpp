#include "core/transformer/named_tensors.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace normscope {
namespace {

TransformerConfig drawn_config(WeightInit init) {
    TransformerConfig out;
    out.layers = 2;
    out.width = 64;
    out.init = init;
    return out;
}

struct Spread {
    double std = 0;
    double largest = 0;
};

template<class T>
Spread spread_of(const NamedTensor<T>& tensor, Index first, Index count) {
    Spread out;
    for (Index i = first; i < first + count; ++i) {
        const auto v = static_cast<double>(tensor.data[i]);
        out.std += v * v;
        out.largest = std::max(out.largest, std::abs(v));
    }
    out.std = std::sqrt(out.std / static_cast<double>(count));
    return out;
}

std::map<std::string, NamedTensor<const double>> by_name(const Transformer<double>& model) {
    std::map<std::string, NamedTensor<const double>> out;
    for (const auto& tensor : tensors(model)) out[tensor.name] = tensor;
    return out;
}

TEST(NamedTensors, HavePyTorchsNamesAndShapes) {
    TransformerConfig config = drawn_config(WeightInit::xavier_normal);
    config.layers = 1;
    config.final_norm = true;
    config.source_vocabulary = 70;
    const auto model = make_transformer<double>(config).value();
    std::vector<std::string> found;
    for (const auto& tensor : tensors(model)) {
        std::string text = tensor.name;
        for (const Index length : tensor.shape) text += " " + std::to_string(length);
        found.push_back(text);
    }
    const std::vector<std::string> expected{
        "src_embed.weight 70 64",
        "tgt_embed.weight 100 64",
        "encoder.layers.0.self_attn.in_proj_weight 192 64",
        "encoder.layers.0.self_attn.in_proj_bias 192",
        "encoder.layers.0.self_attn.out_proj.weight 64 64",
        "encoder.layers.0.self_attn.out_proj.bias 64",
        "encoder.layers.0.norm1.weight 64",
        "encoder.layers.0.norm1.bias 64",
        "encoder.layers.0.linear1.weight 256 64",
        "encoder.layers.0.linear1.bias 256",
        "encoder.layers.0.linear2.weight 64 256",
        "encoder.layers.0.linear2.bias 64",
        "encoder.layers.0.norm2.weight 64",
        "encoder.layers.0.norm2.bias 64",
        "encoder.norm.weight 64",
        "encoder.norm.bias 64",
        "decoder.layers.0.self_attn.in_proj_weight 192 64",
        "decoder.layers.0.self_attn.in_proj_bias 192",
        "decoder.layers.0.self_attn.out_proj.weight 64 64",
        "decoder.layers.0.self_attn.out_proj.bias 64",
        "decoder.layers.0.norm1.weight 64",
        "decoder.layers.0.norm1.bias 64",
        "decoder.layers.0.multihead_attn.in_proj_weight 192 64",
        "decoder.layers.0.multihead_attn.in_proj_bias 192",
        "decoder.layers.0.multihead_attn.out_proj.weight 64 64",
        "decoder.layers.0.multihead_attn.out_proj.bias 64",
        "decoder.layers.0.norm2.weight 64",
        "decoder.layers.0.norm2.bias 64",
        "decoder.layers.0.linear1.weight 256 64",
        "decoder.layers.0.linear1.bias 256",
        "decoder.layers.0.linear2.weight 64 256",
        "decoder.layers.0.linear2.bias 64",
        "decoder.layers.0.norm3.weight 64",
        "decoder.layers.0.norm3.bias 64",
        "decoder.norm.weight 64",
        "decoder.norm.bias 64",
        "generator.weight 100 64",
        "generator.bias 100",
    };
    EXPECT_EQ(found, expected);
    EXPECT_EQ(parameter_count(model), 70 * 64 + 100 * 64 + 49984 + 128 + 66752 + 128 + 6500);
}

TEST(MakeTransformer, XavierNormalHasTheSpreadOfItsRule) {
    const auto model = make_transformer<double>(drawn_config(WeightInit::xavier_normal)).value();
    for (const auto& [name, tensor] : by_name(model)) {
        SCOPED_TRACE(name);
        const Spread all = spread_of(tensor, 0, tensor.size());
        if (tensor.shape.size() == 1) {
            EXPECT_EQ(all.std, name.ends_with("weight") ? 1 : 0);
            continue;
        }
        const bool packed = name.ends_with("in_proj_weight");
        const bool table = !name.starts_with("encoder") && !name.starts_with("decoder");
        const auto fans = static_cast<double>(packed ? 128 : tensor.shape[0] + tensor.shape[1]);
        EXPECT_NEAR(all.std / (table ? 0.125 : std::sqrt(2 / fans)), 1, 0.04);
    }
}

TEST(MakeTransformer, PyTorchsRuleIsPyTorchs) {
    const auto model = make_transformer<double>(drawn_config(WeightInit::pytorch)).value();
    const auto all = by_name(model);
    for (const auto& [name, tensor] : all) {
        SCOPED_TRACE(name);
        const Spread spread = spread_of(tensor, 0, tensor.size());
        if (tensor.shape.size() == 2) {
            const auto fans = static_cast<double>(tensor.shape[0] + tensor.shape[1]);
            const double bound = std::sqrt(6 / fans); // of W_q, W_k and W_v as one
            EXPECT_LE(spread.largest, bound);
            EXPECT_GE(spread.largest, 0.99 * bound);
        } else if (name.ends_with("linear1.bias") || name == "generator.bias") {
            EXPECT_LE(spread.largest, 1.0 / 8);
            EXPECT_GE(spread.largest, 0.9 / 8);
        } else if (name.ends_with("linear2.bias")) {
            EXPECT_LE(spread.largest, 1.0 / 16);
            EXPECT_GE(spread.largest, 0.9 / 16);
        } else {
            EXPECT_EQ(spread.std, name.ends_with("weight") ? 1 : 0);
        }
    }
    const auto& first = all.at("encoder.layers.0.linear1.bias");
    const auto& second = all.at("encoder.layers.1.linear1.bias");
    EXPECT_TRUE(std::equal(first.data, first.data + first.size(), second.data));
    EXPECT_NE(first.data[0], all.at("decoder.layers.0.linear1.bias").data[0]);
    EXPECT_NE(all.at("encoder.layers.0.linear1.weight").data[0],
              all.at("encoder.layers.1.linear1.weight").data[0]);
}

TEST(MakeTransformer, ADeeperOneBeginsWithTheLayersOfTheShallower) {
    TransformerConfig config = drawn_config(WeightInit::xavier_normal);
    const auto shallow = make_transformer<double>(config).value();
    config.layers = 3;
    const auto deep = make_transformer<double>(config).value();
    const auto all = by_name(deep);
    for (const auto& tensor : tensors(shallow)) {
        const auto& same = all.at(tensor.name);
        EXPECT_TRUE(std::equal(tensor.data, tensor.data + tensor.size(), same.data)) << tensor.name;
    }
    config.seed = 1;
    EXPECT_NE(make_transformer<double>(config)->generator.weight, deep.generator.weight);
}

TEST(MakeTransformer, DeepNormScalesWhatWangScales) {
    TransformerConfig config = drawn_config(WeightInit::xavier_normal);
    config.layers = 6;
    const auto plain_model = make_transformer<double>(config).value();
    const auto plain = by_name(plain_model);
    config.placement = Placement::deepnorm;
    const auto model = make_transformer<double>(config).value();
    const auto scaled = by_name(model);
    // Wang et al. 2022, figure 2, N = M = 6.
    EXPECT_NEAR(model.encoder.layers[0][0].options.trunk_scale, 0.81 * std::pow(7776, 1.0 / 16),
                1e-12);
    EXPECT_NEAR(model.decoder.layers[5][2].options.trunk_scale, std::pow(18, 0.25), 1e-12);
    const double gain = std::pow(72, -0.25); // of the decoder
    const auto ratio = [&](const char* name, Index i) {
        return scaled.at(name).data[i] / plain.at(name).data[i];
    };
    const char* packed = "decoder.layers.2.self_attn.in_proj_weight";
    EXPECT_NEAR(ratio(packed, 0), 1, 1e-12);            // W_q
    EXPECT_NEAR(ratio(packed, 128 * 64 - 1), 1, 1e-12); // W_k
    EXPECT_NEAR(ratio(packed, 128 * 64), gain, 1e-12);  // W_v
    EXPECT_NEAR(ratio("decoder.layers.2.linear1.weight", 5), gain, 1e-12);
    EXPECT_NEAR(ratio("encoder.layers.2.linear2.weight", 5), 0.87 * std::pow(7776, -1.0 / 16),
                1e-12);
    EXPECT_NEAR(ratio("generator.weight", 5), 1, 1e-12);
}

std::string config_refusal(void (*change)(TransformerConfig&)) {
    TransformerConfig config;
    change(config);
    const auto out = check_config(config);
    return out ? "" : out.error().message;
}

TEST(TransformerConfig, NamesTheSettingAndWhatItMayBe) {
    const auto refused = [](void (*change)(TransformerConfig&), const char* message) {
        EXPECT_EQ(config_refusal(change), message);
    };
    refused([](TransformerConfig&) {}, "");
    refused([](TransformerConfig& c) { c.layers = 0; },
            "the number of layers must be from 1 to 1024; it is 0");
    refused([](TransformerConfig& c) { c.heads = 5; },
            "width 64 is not a multiple of 5 heads: choose 60 or 65");
    refused([](TransformerConfig& c) { c.vocabulary = 1; },
            "the vocabulary must be from 2 to 1000000; it is 1");
    refused([](TransformerConfig& c) { c.label_smoothing = 1.5; },
            "label smoothing must be from 0 to 1; it is 1.5");
    refused([](TransformerConfig& c) { c.activation = Activation::tanh; },
            "the activation of a Transformer's feed-forward layers is relu or gelu");
    refused(
        [](TransformerConfig& c) {
            c.tied = true;
            c.source_vocabulary = 50;
        },
        "one table for source, target and head needs one vocabulary: the source has 50 words, the "
        "target 100");
    EXPECT_NE(config_refusal([](TransformerConfig& c) { c.norm = {NormKind::group, 7}; }), "");
    EXPECT_NE(config_refusal([](TransformerConfig& c) {
                  c.layers = 1000;
                  c.width = 1024;
                  c.ffn = 4096;
              }).find("more than fit"),
              std::string::npos);
}

} // namespace
} // namespace normscope
