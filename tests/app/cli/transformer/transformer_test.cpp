#include "core/transformer/measure.h"
#include "tests/app/cli/cli_fixture.h"

#include <nlohmann/json.hpp>

namespace normscope {
namespace {

using Json = nlohmann::json;

class TransformerTest : public CommandLineTest {
  protected:
    static Run transformer(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "transformer");
        return run(std::move(arguments));
    }
    static Json json(std::vector<std::string> arguments) {
        arguments.push_back("--json");
        const Run done = transformer(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        return Json::parse(done.out, nullptr, false);
    }
};

std::vector<std::string> keys_of(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& item : object.items()) keys.push_back(item.key());
    return keys;
}

TEST_F(TransformerTest, PrintsWhatTheCoreMeasures) {
    const Json out =
        json({"--layers", "2", "--width",         "6",   "--heads",         "3",
              "--ffn",    "5", "--norm",          "rms", "--placement",     "peri",
              "--vocab",  "9", "--batch",         "2",   "--source-tokens", "4",
              "--seeds",  "2", "--target-tokens", "5",   "--precision",     "float64"});
    TransformerConfig config;
    config.layers = 2;
    config.width = 6;
    config.heads = 3;
    config.ffn = 5;
    config.norm = NormKind::rms;
    config.placement = Placement::peri;
    config.vocabulary = 9;
    const auto expected = measure_over_seeds<double>(config, {2, 4, 5}, 2);
    ASSERT_TRUE(expected.has_value()) << expected.error().message;
    ASSERT_EQ(out["seeds"].size(), 2u);
    for (std::size_t s = 0; s < 2; ++s) {
        const Json& seed = out["seeds"][s];
        const TransformerMeasure& own = expected->at(s).measure;
        EXPECT_EQ(seed["seed"], s);
        EXPECT_NEAR(seed["loss"], own.loss, 1e-13);
        for (const auto& [name, layers] :
             {std::pair("encoder", &own.encoder), std::pair("decoder", &own.decoder)}) {
            ASSERT_EQ(seed[name].size(), 2u);
            for (std::size_t l = 0; l < 2; ++l) {
                const Json& layer = seed[name][l];
                const LayerMeasure& measure = layers->at(l);
                EXPECT_NEAR(layer["w1_grad_norm"], measure.w1_grad_norm, 1e-12);
                EXPECT_NEAR(layer["w2_grad_norm"], measure.w2_grad_norm, 1e-12);
                EXPECT_NEAR(layer["attention_grad_norm"], measure.attention_grad_norm, 1e-12);
                EXPECT_NEAR(layer["mean_square"], measure.mean_square, 1e-12);
                EXPECT_NEAR(layer["token_cosine"], measure.token_cosine, 1e-12);
                ASSERT_EQ(layer["add_norm"].size(), measure.add_norm.size());
                for (std::size_t b = 0; b < measure.add_norm.size(); ++b) {
                    const Json& at = layer["add_norm"][b];
                    EXPECT_NEAR(at["x_norm"], measure.add_norm[b].x_norm, 1e-12);
                    EXPECT_NEAR(at["f_norm"], measure.add_norm[b].f_norm, 1e-12);
                    EXPECT_NEAR(at["skip_grad_norm"], measure.add_norm[b].skip_grad_norm, 1e-12);
                    EXPECT_NEAR(at["branch_grad_norm"], measure.add_norm[b].branch_grad_norm,
                                1e-12);
                }
            }
        }
    }
}

TEST_F(TransformerTest, TheKeysOfTheJson) {
    const Json out = json({"--layers", "1", "--seeds", "1"});
    EXPECT_EQ(keys_of(out), (std::vector<std::string>{"config", "seeds"}));
    const Json& seed = out["seeds"][0];
    EXPECT_EQ(keys_of(seed), (std::vector<std::string>{"decoder", "encoder", "loss", "seed"}));
    EXPECT_EQ(keys_of(seed["encoder"][0]),
              (std::vector<std::string>{"add_norm", "attention_grad_norm", "mean_square",
                                        "token_cosine", "w1_grad_norm", "w2_grad_norm"}));
    EXPECT_EQ(keys_of(seed["decoder"][0]), keys_of(seed["encoder"][0]));
    EXPECT_EQ(keys_of(seed["encoder"][0]["add_norm"][0]),
              (std::vector<std::string>{"branch_grad_norm", "f_norm", "skip_grad_norm", "x_norm"}));
    EXPECT_EQ(seed["encoder"][0]["add_norm"].size(), 2u);
    EXPECT_EQ(seed["decoder"][0]["add_norm"].size(), 3u);
    const Json alone = json({"--arch", "decoder", "--layers", "1", "--seeds", "1"})["seeds"][0];
    EXPECT_EQ(alone["encoder"], Json::array());
    EXPECT_EQ(alone["decoder"][0]["add_norm"].size(), 2u);
    EXPECT_EQ(json({"--arch", "encoder", "--layers", "1", "--seeds", "1", "--source-tokens",
                    "1"})["seeds"][0]["encoder"][0]["token_cosine"],
              Json());
}

TEST_F(TransformerTest, EveryOptionReachesItsSetting) {
    const Json c = json({"--arch",
                         "decoder",
                         "--layers",
                         "2",
                         "--width",
                         "8",
                         "--heads",
                         "2",
                         "--ffn",
                         "7",
                         "--activation",
                         "gelu",
                         "--norm",
                         "group",
                         "--groups",
                         "4",
                         "--placement",
                         "pre",
                         "--final-norm",
                         "--skip",
                         "none",
                         "--positions",
                         "learned",
                         "--no-mask",
                         "--init",
                         "pytorch",
                         "--tied",
                         "--vocab",
                         "11",
                         "--label-smoothing",
                         "0.25",
                         "--batch",
                         "2",
                         "--source-tokens",
                         "3",
                         "--target-tokens",
                         "4",
                         "--seeds",
                         "1",
                         "--eps",
                         "0.001",
                         "--embed-scale",
                         "1"})["config"];
    const Json expected = {{"arch", "decoder"},
                           {"layers", 2},
                           {"width", 8},
                           {"heads", 2},
                           {"ffn", 7},
                           {"activation", "gelu"},
                           {"norm", "group"},
                           {"groups", 4},
                           {"placement", "pre"},
                           {"final_norm", true},
                           {"skip", "none"},
                           {"positions", "learned"},
                           {"mask", false},
                           {"init", "pytorch"},
                           {"tied", true},
                           {"vocab", 11},
                           {"embed_scale", "1"},
                           {"label_smoothing", 0.25},
                           {"eps", 0.001},
                           {"batch", 2},
                           {"source_tokens", 3},
                           {"target_tokens", 4},
                           {"precision", "float32"}};
    EXPECT_EQ(c, expected);
}

TEST_F(TransformerTest, TheDefaultsAreThoseOfThePaper) {
    const Json out = json({"--seeds", "1"});
    const Json expected = {{"arch", "encoder-decoder"},
                           {"layers", 6},
                           {"width", 64},
                           {"heads", 4},
                           {"ffn", 256},
                           {"activation", "relu"},
                           {"norm", "layer"},
                           {"placement", "post"},
                           {"final_norm", false},
                           {"skip", "add"},
                           {"positions", "sinusoidal"},
                           {"mask", true},
                           {"init", "xavier-normal"},
                           {"tied", false},
                           {"vocab", 100},
                           {"embed_scale", "sqrt"},
                           {"label_smoothing", 0.1},
                           {"eps", 1e-5},
                           {"batch", 8},
                           {"source_tokens", 16},
                           {"target_tokens", 16},
                           {"precision", "float32"}};
    EXPECT_EQ(out["config"], expected);
    EXPECT_EQ(out["seeds"][0]["encoder"].size(), 6u);
}

TEST_F(TransformerTest, PrintsALineAnAddAndNormFromTheTopDown) {
    const Run done = transformer({"--layers", "1", "--seeds", "2"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.out.find("Post-LN encoder–decoder, 1 + 1 layers: width 64, 8 sentences, 16 "
                            "source tokens, 16 target tokens, geometric mean of 2 seeds"),
              0u)
        << done.out;
    std::size_t at = 0;
    for (const char* part : {"decoder 1 ", "feed-forward", "cross-attention", "self-attention",
                             "encoder 1 ", "feed-forward", "self-attention", "loss: "}) {
        at = done.out.find(part, at + 1);
        ASSERT_NE(at, std::string::npos) << part << "\n" << done.out;
    }
    const Run help = transformer({"--help"});
    EXPECT_EQ(help.status, 0);
    for (const char* part : {"--weights", "encoder-decoder", "--no-mask", "--label-smoothing",
                             "One sentence through the weights of a file"})
        EXPECT_NE(help.out.find(part), std::string::npos) << part << "\n" << help.out;
}

TEST_F(TransformerTest, OptionsThatDoNothingAreNoted) {
    EXPECT_NE(transformer({"--layers", "1", "--seeds", "1", "--norm", "none", "--placement", "pre"})
                  .err.find("--norm none leaves none"),
              std::string::npos);
    EXPECT_NE(
        transformer({"--layers", "1", "--seeds", "1", "--skip", "none", "--placement", "deepnorm"})
            .err.find("--skip none leaves none"),
        std::string::npos);
    EXPECT_NE(transformer({"--layers", "1", "--seeds", "1", "--arch", "encoder", "--no-mask"})
                  .err.find("--no-mask changes nothing"),
              std::string::npos);
}

TEST_F(TransformerTest, RefusesWhatNoTransformerCanBe) {
    const auto expect = [&](const std::vector<std::string>& arguments, const std::string& part) {
        const Run refused = transformer(arguments);
        EXPECT_EQ(refused.status, 2) << refused.err;
        EXPECT_EQ(refused.out, "");
        EXPECT_NE(refused.err.find("normscope: transformer: "), std::string::npos) << refused.err;
        EXPECT_NE(refused.err.find(part), std::string::npos) << refused.err;
    };
    expect({"--heads", "5"}, "heads");
    expect({"--norm", "group", "--groups", "7"}, "groups");
    expect({"--layers", "0"}, "--layers");
    expect({"--vocab", "1"}, "--vocab");
    expect({"--batch", "1024", "--source-tokens", "8192"}, "GB");
    expect({"--label-smoothing", "1.5"}, "--label-smoothing");
    expect({"--arch", "both"}, "--arch");
    expect({"--source", "ids.csv"}, "--source requires --weights");
    expect({"--out", "out"}, "--out requires --weights");
    expect({"--weights", "w", "--layers", "2"}, "--layers excludes --weights");
    expect({"--weights", "w"}, "--out");
    expect({"--mask", "--no-mask"}, "--mask excludes --no-mask");
}

} // namespace
} // namespace normscope
