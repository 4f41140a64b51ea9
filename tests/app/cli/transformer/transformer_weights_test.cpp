#include "app/io/csv.h"
#include "app/io/safetensors/safetensors.h"
#include "core/transformer/named_tensors.h"
#include "tests/app/cli/cli_fixture.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace normscope {
namespace {

namespace fs = std::filesystem;

// The second form of `normscope transformer`: a sentence through the weights of a file.
class TransformerWeightsTest : public CommandLineTest {
  protected:
    void SetUp() override {
        CommandLineTest::SetUp();
        model_ = make(Architecture::encoder_decoder);
    }

    // A Transformer with weights around 0, the norms' γ around 1.
    static Transformer<double> make(Architecture arch, int layers = 2) {
        TransformerConfig config;
        config.arch = arch;
        config.layers = layers;
        config.width = 6;
        config.heads = 2;
        config.ffn = 5;
        config.vocabulary = 7;
        return filled(config);
    }
    static Transformer<double> filled(const TransformerConfig& config) {
        Transformer<double> model = make_transformer<double>(config).value();
        std::mt19937 random(20'170'612);
        for (const auto& tensor : tensors(model)) {
            const bool gamma =
                tensor.name.find("norm") != std::string::npos && tensor.name.ends_with(".weight");
            for (Index i = 0; i < tensor.size(); ++i)
                tensor.data[i] = std::ldexp(random(), -32) - 0.5 + (gamma ? 1 : 0);
        }
        return model;
    }

    // The path of a file with the present weights.
    std::string weights() const { return put("w.safetensors", write_transformer(model_)); }

    Run pass(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"transformer",
                                           "--weights",
                                           weights(),
                                           "--heads",
                                           "2",
                                           "--precision",
                                           "float64",
                                           "--source",
                                           put("s.csv", "3,0,6,3\n"),
                                           "--target",
                                           put("t.csv", "5,1,1\n"),
                                           "--labels",
                                           put("l.csv", "1,4,2\n"),
                                           "--out",
                                           path("out")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(std::move(arguments));
    }

    // The error of a command line that is refused with `status` and writes nothing.
    std::string error_with(std::vector<std::string> arguments, int status = 1) const {
        arguments.insert(arguments.begin(),
                         {"transformer", "--heads", "2", "--out", path("refused")});
        const Run refused = run(std::move(arguments));
        EXPECT_EQ(refused.status, status) << refused.err;
        EXPECT_EQ(refused.out, "");
        EXPECT_FALSE(fs::exists(path("refused")));
        return refused.err;
    }

    double loss() const { return output("loss").stacked(0, 0); }

    Transformer<double> model_;
    Run done_;
};

TEST_F(TransformerWeightsTest, WritesAFileForEachBoxAndEachGradient) {
    const Run done = pass();
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err.find("normscope: transformer: " + path("w.safetensors") +
                            ": does not say all of its settings, and no option does: assumed "),
              0u)
        << done.err;
    std::set<std::string> expected{"memory", "logits",        "probabilities",
                                   "loss",   "encoder.input", "decoder.input"};
    for (const std::string stack : {"encoder", "decoder"})
        for (const std::string layer : {"0", "1"}) {
            const std::string at = stack + ".layers." + layer;
            expected.insert(at);
            std::vector<std::string> boxes{"self_attn", "self_attn.weights", "linear2",
                                           "norm1",     "norm1.z",           "norm2",
                                           "norm2.z"};
            if (stack == "decoder")
                boxes.insert(boxes.end(),
                             {"multihead_attn", "multihead_attn.weights", "norm3", "norm3.z"});
            for (const std::string& box : boxes) expected.insert(at + "." + box);
        }
    for (const auto& tensor : tensors(std::as_const(model_)))
        expected.insert("grad/" + tensor.name);
    std::set<std::string> written;
    for (const auto& entry : fs::recursive_directory_iterator(path("out")))
        if (entry.is_regular_file()) {
            const std::string name = fs::relative(entry.path(), path("out")).string();
            EXPECT_TRUE(name.ends_with(".npy"));
            written.insert(name.substr(0, name.size() - 4));
        }
    EXPECT_EQ(written, expected);

    EXPECT_EQ(output("memory").shape, (std::vector<Index>{4, 6}));
    EXPECT_EQ(output("logits").shape, (std::vector<Index>{3, 7}));
    EXPECT_EQ(output("encoder.layers.0.self_attn.weights").shape, (std::vector<Index>{2, 4, 4}));
    EXPECT_EQ(output("decoder.layers.1.self_attn.weights").shape, (std::vector<Index>{2, 3, 3}));
    EXPECT_EQ(output("decoder.layers.1.multihead_attn.weights").shape,
              (std::vector<Index>{2, 3, 4}));
    EXPECT_EQ(output("loss").shape, std::vector<Index>());
    for (const auto& tensor : tensors(std::as_const(model_)))
        EXPECT_EQ(output("grad/" + tensor.name).shape, tensor.shape) << tensor.name;
    EXPECT_EQ(output("memory").dtype, "float64");
}

// Every file follows by the formulas from the weights and the files before it.
TEST_F(TransformerWeightsTest, TheNumbersFollowFromEachOther) {
    ASSERT_EQ(pass().status, 0);
    constexpr Index k_width = 6, k_head = 3;
    // x₀ = embedding · √d + position, of the third source word, which is word 6.
    const Matrix<double> x0 = output("encoder.input").stacked;
    for (Index i = 0; i < k_width; ++i) {
        const double angle = 2 / std::pow(10000.0, static_cast<double>(i - i % 2) / k_width);
        EXPECT_NEAR(x0(2, i),
                    model_.source_embedding(6, i) * std::sqrt(6.0) +
                        (i % 2 == 0 ? std::sin(angle) : std::cos(angle)),
                    1e-14);
    }
    // The second head's weights of the first query.
    const Linear<double>& in =
        std::get<MultiHeadAttention<double>>(model_.encoder.layers[0][0].sublayer).in;
    const auto projected = [&](Index token, Index row) {
        return in.weight.row(row).dot(x0.row(token)) + in.bias(row);
    };
    std::vector<double> scores(4, 0);
    double sum = 0;
    for (Index key = 0; key < 4; ++key) {
        double score = 0;
        for (Index i = k_head; i < 2 * k_head; ++i)
            score += projected(0, i) * projected(key, k_width + i);
        scores[static_cast<std::size_t>(key)] = std::exp(score / std::sqrt(3.0));
        sum += scores[static_cast<std::size_t>(key)];
    }
    const Matrix<double> weights = output("encoder.layers.0.self_attn.weights").stacked;
    for (Index key = 0; key < 4; ++key)
        EXPECT_NEAR(weights(4, key), scores[static_cast<std::size_t>(key)] / sum, 1e-14);
    // The decoder sees no later word, the memory's it sees all.
    const Matrix<double> causal = output("decoder.layers.0.self_attn.weights").stacked;
    EXPECT_EQ(causal(0, 1), 0);
    EXPECT_EQ(causal(3, 2), 0);
    EXPECT_GT(output("decoder.layers.0.multihead_attn.weights").stacked.minCoeff(), 0);
    // z = x + F(x), and the norm of it.
    const Matrix<double> z = output("encoder.layers.0.norm1.z").stacked;
    EXPECT_NEAR(z(1, 4), x0(1, 4) + output("encoder.layers.0.self_attn").stacked(1, 4), 1e-14);
    const double mean = z.row(1).mean();
    const double variance = (z.row(1).array() - mean).square().mean();
    const Affine<double>& affine = model_.encoder.layers[0][0].affine;
    EXPECT_NEAR(output("encoder.layers.0.norm1").stacked(1, 4),
                affine.gamma(4) * (z(1, 4) - mean) / std::sqrt(variance + 1e-5) + affine.beta(4),
                1e-13);
    EXPECT_EQ(output("memory").stacked, output("encoder.layers.1.norm2").stacked);
    EXPECT_EQ(output("memory").stacked, output("encoder.layers.1").stacked);
    // The loss, and the gradient of the head's bias: the mean of p − one-hot.
    const Matrix<double> logits = output("logits").stacked;
    const Matrix<double> p = output("probabilities").stacked;
    const std::vector<Index> labels{1, 4, 2};
    double expected = 0;
    for (Index t = 0; t < 3; ++t) {
        const Index label = labels[static_cast<std::size_t>(t)];
        const double all = logits.row(t).array().exp().sum();
        EXPECT_NEAR(p(t, label), std::exp(logits(t, label)) / all, 1e-14);
        expected -= std::log(p(t, label)) / 3;
    }
    EXPECT_NEAR(loss(), expected, 1e-13);
    EXPECT_NEAR(output("grad/generator.bias").stacked(0, 4), p.col(4).mean() - 1.0 / 3, 1e-14);
}

TEST_F(TransformerWeightsTest, TheGradientIsThatOfTheLossThatIsWritten) {
    ASSERT_EQ(pass().status, 0);
    for (const auto& tensor : tensors(model_)) {
        // One through every layer, one through the memory, one of the top.
        if (tensor.name != "src_embed.weight" && tensor.name != "generator.weight" &&
            tensor.name != "decoder.layers.1.multihead_attn.in_proj_weight")
            continue;
        const Matrix<double> gradient = output("grad/" + tensor.name).stacked;
        const Index place = tensor.size() / 2;
        constexpr double k_step = 1e-5;
        const double kept = tensor.data[place];
        tensor.data[place] = kept + k_step;
        ASSERT_EQ(pass().status, 0);
        const double above = loss();
        tensor.data[place] = kept - k_step;
        ASSERT_EQ(pass().status, 0);
        const double below = loss();
        tensor.data[place] = kept;
        EXPECT_NEAR(gradient.data()[place], (above - below) / (2 * k_step), 1e-6) << tensor.name;
    }
}

TEST_F(TransformerWeightsTest, OptionsChangeThePass) {
    model_ = make(Architecture::decoder, 1);
    const std::string ids = put("ids.csv", "3,0,6,3\n");
    const auto output_with = [&](const std::string& name, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(),
                         {"transformer", "--weights", weights(), "--heads", "2", "--precision",
                          "float64", "--target", ids, "--out", path("out")});
        const Run done = run(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        return output(name).stacked;
    };
    const Matrix<double> plain = output_with("logits", {});
    for (const std::vector<std::string>& option : {std::vector<std::string>{"--placement", "pre"},
                                                   {"--norm", "rms"},
                                                   {"--eps", "0.1"},
                                                   {"--activation", "gelu"},
                                                   {"--positions", "none"},
                                                   {"--embed-scale", "1"},
                                                   {"--no-mask"}})
        EXPECT_GT((output_with("logits", option) - plain).cwiseAbs().maxCoeff(), 1e-6)
            << option.front();
    const std::string weights_file = "decoder.layers.0.self_attn.weights";
    EXPECT_EQ(output_with(weights_file, {})(0, 1), 0);
    EXPECT_GT(output_with(weights_file, {"--no-mask"})(0, 1), 0);
    const double smoothed =
        output_with("loss", {"--labels", ids, "--label-smoothing", "0.5"})(0, 0);
    EXPECT_GT(std::abs(output_with("loss", {"--labels", ids})(0, 0) - smoothed), 1e-6);
}

TEST_F(TransformerWeightsTest, PreNormReadsWhatTheSublayerGets) {
    ASSERT_EQ(pass({"--placement", "pre"}).status, 0);
    // Before the norm stands what comes in, after it what the sublayer reads.
    EXPECT_EQ(output("encoder.layers.0.norm1.z").stacked, output("encoder.input").stacked);
    EXPECT_EQ(output("encoder.layers.1.norm1.z").stacked, output("encoder.layers.0").stacked);
    EXPECT_NEAR(output("encoder.layers.0").stacked(2, 3),
                output("encoder.layers.0.norm2.z").stacked(2, 3) +
                    output("encoder.layers.0.linear2").stacked(2, 3),
                1e-14);
}

TEST_F(TransformerWeightsTest, AFinalNormIsThereWhenTheFileHasOne) {
    TransformerConfig config = model_.config;
    config.final_norm = true;
    model_ = filled(config);
    ASSERT_EQ(pass().status, 0);
    EXPECT_EQ(output("encoder.norm.z").stacked, output("encoder.layers.1").stacked);
    EXPECT_EQ(output("encoder.norm").stacked, output("memory").stacked);
    EXPECT_TRUE(has_output("grad/decoder.norm.weight"));
}

TEST_F(TransformerWeightsTest, AnEncoderAloneAndADecoderAlone) {
    const std::string ids = put("ids.csv", "2,0,5\n");
    const auto logits_of = [&](const std::vector<std::string>& arguments) {
        std::vector<std::string> all{"transformer", "--weights", weights(),  "--heads",
                                     "2",           "--out",     path("out")};
        all.insert(all.end(), arguments.begin(), arguments.end());
        fs::remove_all(path("out"));
        const Run done = run(all);
        EXPECT_EQ(done.status, 0) << done.err;
        return output("logits").stacked;
    };
    model_ = make(Architecture::encoder);
    EXPECT_EQ(logits_of({"--source", ids, "--labels", ids}).rows(), 3);
    EXPECT_FALSE(has_output("decoder.input"));
    EXPECT_TRUE(has_output("grad/src_embed.weight"));
    EXPECT_EQ(output("loss").dtype, "float32");
    EXPECT_EQ(error_with({"--weights", weights(), "--source", ids, "--target", ids}, 2),
              "normscope: transformer: " + weights() + " has no decoder: --target has no use\n");

    model_ = make(Architecture::decoder);
    const Matrix<double> by_target = logits_of({"--target", ids});
    EXPECT_FALSE(has_output("memory"));
    EXPECT_FALSE(has_output("loss"));
    EXPECT_FALSE(has_output("decoder.layers.0.multihead_attn"));
    EXPECT_EQ(logits_of({"--source", ids}), by_target);
    EXPECT_EQ(error_with({"--weights", weights(), "--source", ids, "--target", ids}, 2),
              "normscope: transformer: " + weights() +
                  " is a decoder alone: expected one line of ids, --target IDS.csv\n");
}

TEST_F(TransformerWeightsTest, IdsAreALineOfWordsOfTheVocabulary) {
    const std::string w = weights();
    const std::string good = put("good.csv", "1 2 3\n");
    const auto error = [&](const std::string& bytes) {
        return error_with({"--weights", w, "--source", put("ids.csv", bytes), "--target", good});
    };
    const std::string ids = "normscope: " + path("ids.csv");
    EXPECT_EQ(error("1,2\n3,4\n"), ids + ": holds 2 lines of 2 ids: expected one line\n");
    EXPECT_EQ(error("1,2.5\n"), ids + ": value 2 is 2.5: an id is a whole number from 0 up\n");
    EXPECT_EQ(error("-1,2\n"), ids + ": value 1 is -1: an id is a whole number from 0 up\n");
    EXPECT_NE(error("1,7\n").find("7"), std::string::npos);
    EXPECT_NE(error("1,7\n").find("the source of sentence"), std::string::npos) << error("1,7\n");
    EXPECT_NE(error_with({"--weights", w, "--source", good, "--target", good, "--labels",
                          put("l.csv", "1,2\n")})
                  .find("2 labels for 3 tokens"),
              std::string::npos);
    EXPECT_EQ(error_with({"--weights", w, "--source", good}, 2),
              "normscope: transformer: " + w +
                  " has a decoder: its ids are missing, --target IDS.csv\n");
    EXPECT_EQ(error_with({"--weights", w, "--target", good}, 2),
              "normscope: transformer: " + w +
                  " has an encoder: its ids are missing, --source IDS.csv\n");
}

TEST_F(TransformerWeightsTest, AFileThatHasNoSuchWeightsIsNamed) {
    const std::string ids = put("ids.csv", "1,2\n");
    const auto error = [&](const std::string& bytes) {
        const std::string w = put("bad.safetensors", bytes);
        const std::string message = error_with({"--weights", w, "--source", ids, "--target", ids});
        EXPECT_EQ(message.find("normscope: " + w + ": "), 0u) << message;
        return message;
    };
    EXPECT_NE(error("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n")
                  .find("is a Git LFS pointer to a file of 9 bytes"),
              std::string::npos);
    const std::string whole = write_transformer(model_);
    EXPECT_NE(error(whole.substr(0, whole.size() - 5)).find("5 bytes of the tensors are missing"),
              std::string::npos);
    std::vector<NamedTensor<const double>> some = tensors(std::as_const(model_));
    some.erase(some.begin() + 3);
    EXPECT_NE(error(write_safetensors(some)).find("\"" + tensors(model_)[3].name + "\" is missing"),
              std::string::npos);
    const Run gone = run({"transformer", "--weights", path("none"), "--out", path("o")});
    EXPECT_EQ(gone.status, 1);
    EXPECT_NE(gone.err.find("could not be read"), std::string::npos);
}

TEST_F(TransformerWeightsTest, AnEarlierRunsLossIsNoted) {
    ASSERT_EQ(pass().status, 0);
    const Run again = run({"transformer", "--weights", weights(), "--heads", "2", "--source",
                           path("s.csv"), "--target", path("t.csv"), "--out", path("out")});
    EXPECT_TRUE(
        again.err.ends_with("normscope: transformer: " + path("out") +
                            " still has an earlier run's loss.npy and grad: this run makes none\n"))
        << again.err;
}

TEST_F(TransformerWeightsTest, TheFileSaysItsSettingsAndOptionsAreRightAgainstIt) {
    const std::string w =
        put("said.safetensors", write_transformer(model_, {{"heads", "2"},
                                                           {"placement", "pre"},
                                                           {"activation", "gelu"},
                                                           {"mask", "false"},
                                                           {"embed_scale", "1"}}));
    const auto logits_of = [&](const std::string& file, std::vector<std::string> more) {
        more.insert(more.begin(), {"transformer", "--weights", file, "--source", "[3, 0, 6, 3]",
                                   "--target", "[5, 1, 1]", "--out", path("out")});
        done_ = run(more);
        EXPECT_EQ(done_.status, 0) << done_.err;
        return output("logits").stacked;
    };
    const std::vector<std::string> as_said{"--placement", "pre",           "--heads",
                                           "2",           "--activation",  "gelu",
                                           "--no-mask",   "--embed-scale", "1"};
    EXPECT_EQ(logits_of(w, {}), logits_of(weights(), as_said));
    const Matrix<double> as_said_by_the_file = logits_of(w, {});
    EXPECT_NE(logits_of(w, {"--placement", "post", "--mask", "--json"}), as_said_by_the_file);
    EXPECT_NE(done_.err.find("says pre for --placement: post is taken, as asked for\n"),
              std::string::npos)
        << done_.err;
    EXPECT_NE(done_.err.find("says false for --mask: true is taken, as asked for\n"),
              std::string::npos);
    EXPECT_NE(done_.err.find("assumed norm layer, skip add, positions sinusoidal, "
                             "label_smoothing 0.0, eps 1e-05\n"),
              std::string::npos)
        << done_.err;
    const auto json = nlohmann::json::parse(done_.out);
    EXPECT_EQ(json["config"]["placement"], "post");
    EXPECT_EQ(json["config"]["width"], 6);
    EXPECT_EQ(json["from"]["placement"], "option");
    EXPECT_EQ(json["from"]["heads"], "file");
    EXPECT_EQ(json["from"]["eps"], "assumed");
    EXPECT_EQ(json["overridden"], nlohmann::json({{"placement", "pre"}, {"mask", false}}));
    EXPECT_FALSE(json.contains("loss"));
    EXPECT_GT(nlohmann::json::parse(pass({"--json"}).out)["loss"], 0);
}

TEST_F(TransformerWeightsTest, NonsenseInTheFileIsRefusedByItsKey) {
    const auto error = [&](const TextByKey& said) {
        const Run refused = run({"transformer", "--weights",
                                 put("said.safetensors", write_transformer(model_, said)),
                                 "--source", "[1]", "--target", "[1]", "--out", path("refused")});
        EXPECT_EQ(refused.status, 1);
        return refused.err;
    };
    EXPECT_NE(error({{"heads", "three"}}).find("/__metadata__/heads: expected "),
              std::string::npos);
    EXPECT_NE(error({{"eps", "-1"}}).find("/__metadata__/eps: "), std::string::npos);
    EXPECT_NE(error({{"norm", "LayerNorm"}}).find("/__metadata__/norm: "), std::string::npos);
    EXPECT_NE(error({{"heads", "4"}})
                  .find("heads: 4 do not divide the width 6, which the file fixes: take one of 1, "
                        "2, 3, 6.\n"),
              std::string::npos);
}

TEST_F(TransformerWeightsTest, LabelsOfMinusOneHundredCountForNothing) {
    const auto labelled = [&](const std::string& labels) {
        return run({"transformer", "--weights", weights(), "--heads", "2", "--precision", "float64",
                    "--source", "[3, 0]", "--target", "[5, 1, 1]", "--labels", labels, "--out",
                    path("out")});
    };
    ASSERT_EQ(labelled("[1, -100, 2]").status, 0);
    const Matrix<double> p = output("probabilities").stacked;
    EXPECT_NEAR(loss(), -(std::log(p(0, 1)) + std::log(p(2, 2))) / 2, 1e-13);
    EXPECT_NE(labelled("[1, -1, 2]")
                  .err.find("value 2 is -1: an id is a whole number from 0 up, or -100 where no "
                            "word is wanted"),
              std::string::npos);
}

TEST_F(TransformerWeightsTest, IdsMayBeAListInBrackets) {
    const std::string ids = put("ids.json", "[3, 0,\n 6, 3]\n");
    const auto logits_of = [&](const std::string& source) {
        const Run done = run({"transformer", "--weights", weights(), "--heads", "2", "--source",
                              source, "--target", "[[5, 1]]", "--out", path("out")});
        EXPECT_EQ(done.status, 0) << done.err;
        return output("logits").stacked;
    };
    EXPECT_EQ(logits_of(ids), logits_of(put("ids.csv", "3,0,6,3\n")));
    EXPECT_EQ(logits_of(ids), logits_of("[3, 0, 6, 3]"));
    const std::string two = put("two.json", "[[1, 2], [3, 4]]");
    EXPECT_NE(error_with({"--weights", weights(), "--source", two, "--target", ids})
                  .find("normscope: " + two + ": "),
              std::string::npos);
}

// weights/*.safetensors, which make_file_weights.py made, and what PyTorch gives for them.
class TorchWeights : public CommandLineTest {
  protected:
    void expect_given(const std::string& name, const std::string& output_name,
                      const std::vector<std::string>& more) {
        const std::string file =
            std::string(NORMSCOPE_GOLDEN_DIR) + "/weights/" + name + ".safetensors";
        const auto said = open_safetensors(file)->metadata;
        std::vector<std::string> all{"transformer", "--weights",   file,      "--out",
                                     path("out"),   "--precision", "float64", "--source"};
        const std::string& read = said.at("read");
        all.push_back(read.starts_with("[[") ? put("x.csv", rows(read)) : read);
        if (said.contains("target")) all.insert(all.end(), {"--target", said.at("target")});
        all.insert(all.end(), more.begin(), more.end());
        done_ = run(all);
        ASSERT_EQ(done_.status, 0) << done_.err;
        expect_output(output_name, read_csv(rows(said.at("given")), name)->values, 2e-6);
    }

    // "[[1, 2], [3, 4]]" as lines.
    static std::string rows(std::string json) {
        for (std::size_t at = 0; (at = json.find("], [")) != std::string::npos;)
            json.replace(at, 4, "\n");
        return json.substr(2, json.size() - 4) + "\n";
    }

    // A part of what the run put out on how it read the file.
    void expect_told(const std::string& part) const {
        EXPECT_NE(done_.err.find(part), std::string::npos) << done_.err;
    }

    Run done_;
};

TEST_F(TorchWeights, TheNamesOfTheTranslationTutorial) {
    expect_given("tutorial", "logits", {});
    expect_told("taken off its names: transformer.\n");
    expect_told("src_tok_emb.embedding. → src_embed.");
    expect_told("\"positional_encoding.pos_embedding\" holds the sinusoidal positions\n");
    expect_told("assumed activation relu, norm layer, placement post, skip add, mask true, ");
}

TEST_F(TorchWeights, AMaskMakesAGptOfTheLayersOfAnEncoder) {
    expect_given("gpt", "logits",
                 {"--mask", "--placement", "pre", "--heads", "2", "--activation", "gelu",
                  "--embed-scale", "1"});
    expect_told("set aside, as no pass reads it: \"module.causal_mask\"\n");
    EXPECT_EQ(done_.err.find("positions"), std::string::npos) << "they are the file's own";
    EXPECT_EQ(done_.err.find("arch"), std::string::npos);
    const Run encoder = run({"transformer", "--weights",
                             std::string(NORMSCOPE_GOLDEN_DIR) + "/weights/gpt.safetensors",
                             "--source", "[3, 0]", "--heads", "2", "--out", path("out")});
    EXPECT_NE(encoder.err.find("assumed arch encoder, "), std::string::npos) << encoder.err;
}

TEST_F(TorchWeights, LayersAloneReadAMatrix) {
    expect_given("layers", "memory", {});
    EXPECT_FALSE(has_output("logits"));
    const std::string file = std::string(NORMSCOPE_GOLDEN_DIR) + "/weights/layers.safetensors";
    const auto refused = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"transformer", "--weights", file, "--out", path("o")});
        return run(more).err;
    };
    const std::string three = put("three.csv", "1,2,3\n");
    EXPECT_NE(refused({"--source", three})
                  .find(three + ": has 3 features: expected a matrix of 4, as the weights are "
                                "layers alone without words\n"),
              std::string::npos);
    EXPECT_NE(refused({"--source", path("x.csv"), "--labels", three})
                  .find("holds layers alone, without a head: --labels has no use\n"),
              std::string::npos);
}

} // namespace
} // namespace normscope
