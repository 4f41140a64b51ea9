#include "core/nn/embedding.h"
#include "core/transformer/named_tensors.h"
#include "tests/app/io/safetensors/safetensors_testing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

using Tensor = NamedTensor<const double>;

TransformerConfig little(Architecture arch = Architecture::encoder_decoder) {
    TransformerConfig config;
    config.arch = arch;
    config.layers = 2;
    config.width = 6;
    config.heads = 3;
    config.ffn = 5;
    config.vocabulary = 7;
    config.final_norm = true;
    return config;
}

class WeightNames : public ::testing::Test {
  protected:
    // A file of the model's tensors and `more`, after `change` had its way with their names; one
    // with an empty name is left out.
    Result<NamedWeights> named(const std::function<void(std::string&)>& change,
                               std::vector<Tensor> more = {}, const TextByKey& metadata = {}) {
        for (const Tensor& tensor : tensors(std::as_const(model_))) more.push_back(tensor);
        for (Tensor& tensor : more) change(tensor.name);
        std::erase_if(more, [](const Tensor& tensor) { return tensor.name.empty(); });
        return name_weights(*read_bytes(write_safetensors(more, metadata), "w"));
    }

    std::string error(const std::function<void(std::string&)>& change,
                      std::vector<Tensor> more = {}) {
        const auto out = named(change, std::move(more));
        return out ? "no error" : out.error().message;
    }

    // The notes, one a line, of a file that is read as the model.
    std::string notes_of(const Result<NamedWeights>& weights, TransformerConfig said = little()) {
        EXPECT_TRUE(weights.has_value()) << weights.error().message;
        if (!weights) return {};
        const auto back = read_transformer<double>(weights->file, said);
        EXPECT_TRUE(back.has_value()) << back.error().message;
        if (!back) return {};
        const auto right = tensors(*back);
        for (const auto& left : tensors(std::as_const(model_))) {
            const auto same = std::ranges::find(right, left.name, &Tensor::name);
            EXPECT_TRUE(same != right.end() && same->values() == left.values()) << left.name;
        }
        std::string notes;
        for (const std::string& note : weights->notes) notes += note + "\n";
        return notes;
    }

    static void replace(std::string& name, std::string_view begin, std::string_view with) {
        if (name.starts_with(begin)) name.replace(0, begin.size(), with);
    }

    Transformer<double> model_ = make_transformer<double>(little()).value();
    const double one_ = 1;
};

const auto k_as_they_are = [](std::string&) {};

TEST_F(WeightNames, PyTorchsOwnNeedNoNote) {
    EXPECT_EQ(notes_of(named(k_as_they_are)), "");
}

TEST_F(WeightNames, WhatWrappersPutBeforeANameIsTakenOff) {
    for (const std::string wrapper : {"module.", "model.", "_orig_mod.", "transformer."})
        EXPECT_EQ(notes_of(named([&](std::string& name) { name.insert(0, wrapper); })),
                  "taken off its names: " + wrapper + "\n");
    EXPECT_EQ(notes_of(named([](std::string& name) { name.insert(0, "module._orig_mod."); })),
              "taken off its names: module., _orig_mod.\n");
    EXPECT_EQ(error(k_as_they_are, {{"module.generator.bias", {1}, &one_}}),
              "w: tensors \"generator.bias\" and \"module.generator.bias\" are one, "
              "“generator.bias”: expected one of them.");
}

TEST_F(WeightNames, TablesAndHeadHaveTheNamesThatPeopleGiveThem) {
    EXPECT_EQ(notes_of(named([](std::string& name) {
                  replace(name, "src_embed.", "src_tok_emb.embedding.");
                  replace(name, "tgt_embed.", "tgt_tok_emb.embedding.");
                  replace(name, "encoder.", "transformer.encoder.");
                  replace(name, "decoder.", "transformer.decoder.");
              })),
              "taken off its names: transformer.\n"
              "names read as others: src_tok_emb.embedding. → src_embed., "
              "tgt_tok_emb.embedding. → tgt_embed.\n");
    model_ = make_transformer<double>(little(Architecture::encoder)).value();
    EXPECT_EQ(notes_of(named([](std::string& name) {
                  replace(name, "encoder.", "");
                  replace(name, "src_embed.", "embedding.");
                  replace(name, "generator.", "fc_out.");
              })),
              "names read as others: layers. → encoder.layers., norm. → encoder.norm., "
              "embedding. → embed., fc_out. → generator.\n");
}

TEST_F(WeightNames, ATableOfAllSidesAndAnAliasStandForSeveral) {
    model_.target_embedding = model_.source_embedding;
    EXPECT_EQ(notes_of(named([](std::string& name) {
                  replace(name, "tgt_embed.weight", "");
                  replace(name, "src_embed.", "embedding.");
              })),
              "names read as others: embedding. → embed.\n");
    model_.generator.weight = model_.target_embedding;
    const auto stored_once = [](std::string& name) { replace(name, "generator.weight", ""); };
    EXPECT_EQ(notes_of(named(stored_once, {}, {{"generator.weight", "tgt_embed.weight"}})), "");
    EXPECT_FALSE(read_transformer<double>(named(stored_once)->file, little()));
    EXPECT_EQ(error(k_as_they_are, {{"embedding.weight", {1}, &one_}}),
              "w: tensors \"embedding.weight\" and \"src_embed.weight\" are one, "
              "“src_embed.weight”: expected one of them.");
}

TEST_F(WeightNames, BuffersAreSetAside) {
    EXPECT_EQ(notes_of(named(k_as_they_are,
                             {{"tgt_mask", {1}, &one_}, {"norm1.num_batches_tracked", {}, &one_}})),
              "set aside, as no pass reads it: \"norm1.num_batches_tracked\", \"tgt_mask\"\n");
}

TEST_F(WeightNames, ATableOfPositionsIsReadForWhatItHolds) {
    Matrix<double> table = sinusoidal_positions<double>(9, 6);
    const Tensor buffer{"pos_encoder.pe", {9, 1, 6}, table.data()};
    const auto sinusoidal = named(k_as_they_are, {buffer});
    EXPECT_EQ(sinusoidal->positions, Positions::sinusoidal);
    EXPECT_NE(notes_of(sinusoidal).find("\"pos_encoder.pe\" holds the sinusoidal positions\n"),
              std::string::npos);

    table(2, 3) += 0.01;
    const auto learned = named(k_as_they_are, {buffer});
    EXPECT_EQ(learned->positions, Positions::learned);
    TransformerConfig said = little();
    said.positions = Positions::learned;
    for (const auto& [longest, kept] : {std::pair(Index{512}, Index{9}), {4, 4}}) {
        said.longest = longest;
        const auto back = read_transformer<double>(learned->file, said);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->config.longest, kept);
        EXPECT_EQ(back->source_positions, table.topRows(kept));
        EXPECT_EQ(back->target_positions, table.topRows(kept));
    }
    // Beside a learned table the sinusoidal one is a table too.
    for (const auto& [source, target] :
         {std::pair("src_pos.weight", "tgt_pos.weight"), {"tgt_pos.weight", "src_pos.weight"}}) {
        const Matrix<double> known = sinusoidal_positions<double>(9, 6);
        const auto both =
            named(k_as_they_are, {{source, {9, 6}, table.data()}, {target, {9, 6}, known.data()}});
        EXPECT_EQ(both->positions, Positions::learned);
        EXPECT_TRUE(read_transformer<double>(both->file, said));
    }
    model_ = make_transformer<double>(little(Architecture::encoder)).value();
    const Tensor of_nobody{"tgt_pos.weight", {}, &one_};
    const auto encoder =
        named(k_as_they_are, {{"src_pos.weight", {9, 6}, table.data()}, of_nobody});
    EXPECT_FALSE(read_transformer<double>(encoder->file, said)) << "no decoder reads it";
    model_ = make_transformer<double>(little()).value();
    said.positions = Positions::none; // the table counts for nothing then
    EXPECT_TRUE(read_transformer<double>(learned->file, said));
    said.positions = Positions::learned;
    EXPECT_EQ(read_transformer<double>(named(k_as_they_are)->file, said).error().message,
              "w: tensor \"src_pos.weight\" is missing: expected a matrix, positions × features.");
}

TEST_F(WeightNames, ModelsOfOtherLayersAreNamed) {
    for (const auto& [name, model] : {std::pair("transformer.h.0.ln_1.weight", "GPT-2"),
                                      {"h.0.attn.c_attn.weight", "GPT-2"},
                                      {"bert.encoder.layer.0.attention.self.query.weight", "BERT"},
                                      {"encoder.block.0.layer.0.SelfAttention.q.weight", "T5"},
                                      {"model.encoder.layernorm_embedding.weight", "BART"},
                                      {"model.decoder.layers.0.self_attn.q_proj.weight", "OPT"},
                                      {"model.encoder.layers.0.self_attn.q_proj.weight", "Marian"},
                                      {"model.layers.0.self_attn.q_proj.weight", "Llama"}}) {
        const auto other =
            name_weights(*read_bytes(write_safetensors<double>({{name, {1}, &one_}}), "w"));
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().message, "w: \"" + std::string(name) + "\" is one of " + model +
                                             "’s names: not supported; expected those of "
                                             "torch.nn.Transformer.");
    }
}

TEST_F(WeightNames, CapitalsAreNamed) {
    EXPECT_EQ(error([](std::string& name) {
                  replace(name, "encoder.layers.1.norm2.bias", "Encoder.Layers.1.Norm2.bias");
              }),
              "w: tensor \"Encoder.Layers.1.Norm2.bias\" is written in capitals: expected "
              "“encoder.layers.1.norm2.bias”.");
}

TEST_F(WeightNames, BiasesOfAKindMayAllBeMissing) {
    const auto without = [&](auto is_missing) {
        const auto weights = named([&](std::string& name) {
            if (name.ends_with("bias") && is_missing(name)) name.clear();
        });
        const auto back = read_transformer<double>(weights->file, little());
        return back ? "read" : back.error().message;
    };
    const auto of = [](const char* part) {
        return [=](const std::string& name) { return name.find(part) != std::string::npos; };
    };
    EXPECT_EQ(without([](const std::string&) { return true; }), "read") << "bias=False";
    EXPECT_EQ(without(of("norm")), "read") << "RMS norm";
    EXPECT_EQ(without(of("self_attn")), "read");
    EXPECT_EQ(without(of("encoder.layers.1.norm2")),
              "w: tensor \"encoder.layers.1.norm2.bias\" is missing: expected one of shape [6].");
}

TEST_F(WeightNames, ValuesThatAreNotFiniteAreNamed) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        model_.encoder.layers[1][1].affine.gamma(4) = bad;
        const auto back = read_transformer<double>(named(k_as_they_are)->file, little());
        ASSERT_FALSE(back);
        EXPECT_EQ(back.error().message, "w: tensor \"encoder.layers.1.norm2.weight\" has " +
                                            std::string(std::isnan(bad) ? "nan" : "inf") +
                                            " as value 5: expected finite numbers of 64 bits.");
    }
}

TEST_F(WeightNames, LayersOfAnEncoderMayBeADecoders) {
    model_ = make_transformer<double>(little(Architecture::encoder)).value();
    TransformerConfig said = little(Architecture::decoder);
    const auto gpt = read_transformer<double>(named(k_as_they_are)->file, said);
    ASSERT_TRUE(gpt) << gpt.error().message;
    EXPECT_EQ(gpt->config.arch, Architecture::decoder);
    EXPECT_EQ(gpt->target_embedding, model_.source_embedding);
    EXPECT_EQ(gpt->decoder.layers.size(), 2u);
}

} // namespace
} // namespace normscope
