#include "core/flow/gradient_flow.h"
#include "tests/app/cli/cli_fixture.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace normscope {
namespace {

using Json = nlohmann::json;

class FlowTest : public CommandLineTest {
  protected:
    static Run flow(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "flow");
        return run(std::move(arguments));
    }
    static Json json(std::vector<std::string> arguments) {
        arguments.push_back("--json");
        const Run done = flow(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        return Json::parse(done.out, nullptr, false);
    }
};

TEST_F(FlowTest, PrintsWhatTheCoreMeasures) {
    const Json out = json({"--blocks",       "3",           "--width", "12",
                           "--tokens",       "7",           "--heads", "3",
                           "--placement",    "peri",        "--norm",  "rms",
                           "--gamma",        "0.5",         "--beta",  "-0.25",
                           "--branch-scale", "0.5",         "--loss",  "cross-entropy",
                           "--vocab",        "11",          "--seeds", "2",
                           "--paths",        "--precision", "float64"});
    StackConfig config;
    config.blocks = 3;
    config.width = 12;
    config.tokens = 7;
    config.heads = 3;
    config.placement = Placement::peri;
    config.norm = NormKind::rms;
    config.gamma = 0.5;
    config.beta = -0.25;
    config.branch_scale = 0.5;
    config.loss = StackLoss::cross_entropy;
    config.vocabulary = 11;
    const auto expected = flow_over_seeds<double>(config, 2, Paths::split);
    ASSERT_TRUE(expected);
    EXPECT_EQ(out["config"]["placement"], "peri");
    EXPECT_EQ(out["config"]["vocab"], 11);
    EXPECT_EQ(out["config"]["precision"], "float64");
    ASSERT_EQ(out["seeds"].size(), 2u);
    for (std::size_t s = 0; s < 2; ++s) {
        const Json& seed = out["seeds"][s];
        const SeedFlow& own = (*expected)[s];
        EXPECT_EQ(seed["seed"], s);
        EXPECT_NEAR(seed["input"]["grad_norm"], own.flow.input_grad_norm, 1e-14);
        EXPECT_NEAR(seed["input"]["mean_square"], own.flow.input_mean_square, 1e-14);
        ASSERT_EQ(seed["blocks"].size(), 3u);
        for (std::size_t l = 0; l < 3; ++l) {
            const Json& block = seed["blocks"][l];
            const BlockFlow& flow = own.flow.blocks[l];
            EXPECT_NEAR(block["mean_square"], flow.mean_square, 1e-12);
            EXPECT_NEAR(block["variance"], flow.variance, 1e-12);
            EXPECT_NEAR(block["grad_norm"], flow.grad_norm, 1e-12);
            EXPECT_NEAR(block["skip_norm"], flow.split.skip_norm, 1e-12);
            EXPECT_NEAR(block["branch_norm"], flow.split.branch_norm, 1e-12);
            EXPECT_NEAR(block["cosine"], flow.split.cosine, 1e-12);
            EXPECT_NEAR(block["w1_grad_norm"], *flow.w1_grad_norm, 1e-12);
            EXPECT_NEAR(block["w2_grad_norm"], *flow.w2_grad_norm, 1e-12);
            EXPECT_NEAR(block["trunk_scale_grad"], flow.trunk_scale_grad, 1e-12);
            EXPECT_NEAR(block["branch_scale_grad"], flow.branch_scale_grad, 1e-12);
        }
        EXPECT_EQ(seed["paths"]["energy_share"].size(), 7u);
        double sum = 0;
        for (const double share : seed["paths"]["signed_share"]) sum += share;
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST_F(FlowTest, EveryOptionReachesItsSetting) {
    const Json out = json({"--blocks",       "2",    "--width",     "9",         "--tokens", "3",
                           "--sublayer",     "tanh", "--ffn-mult",  "2",         "--heads",  "1",
                           "--norm",         "none", "--placement", "pre",       "--skip",   "none",
                           "--trunk-scale",  "0.9",  "--init",      "he-normal", "--gain",   "2.5",
                           "--branch-scale", "0.5",  "--seeds",     "1"});
    EXPECT_TRUE(out["seeds"][0]["blocks"][0]["w2_grad_norm"].is_null());
    const Json& c = out["config"];
    EXPECT_EQ(c["blocks"], 2);
    EXPECT_EQ(c["width"], 9);
    EXPECT_EQ(c["tokens"], 3);
    EXPECT_EQ(c["sublayer"], "tanh");
    EXPECT_EQ(c["ffn_mult"], 2);
    EXPECT_EQ(c["heads"], 1);
    EXPECT_EQ(c["norm"], "none");
    EXPECT_EQ(c["placement"], "pre");
    EXPECT_EQ(c["skip"], "none");
    EXPECT_EQ(c["trunk_scale"], 0.9);
    EXPECT_EQ(c["branch_scale"], 0.5);
    EXPECT_EQ(c["init"], "he-normal");
    EXPECT_EQ(c["gain"], 2.5);
    EXPECT_EQ(c["gamma"], 1);
    EXPECT_EQ(c["loss"], "readout");
}

TEST_F(FlowTest, TheDefaultsAreTheHelpTexts) {
    const Json out = json({});
    EXPECT_EQ(out["seeds"].size(), 10u);
    EXPECT_EQ(out["seeds"][9]["seed"], 9);
    EXPECT_EQ(out["seeds"][0]["blocks"].size(), 12u);
    EXPECT_FALSE(out["seeds"][0].contains("paths"));
    EXPECT_EQ(out["config"]["tokens"], 128);
    EXPECT_EQ(out["config"]["width"], 64);
    EXPECT_EQ(out["config"]["sublayer"], "encoder");
    EXPECT_EQ(out["config"]["precision"], "float32");
    const Run help = flow({"--help"});
    EXPECT_EQ(help.status, 0);
    for (const char* part : {"--ffn-mult", "--trunk-scale", "deepnorm"})
        EXPECT_NE(help.out.find(part), std::string::npos) << part << help.out;
    // CLI11 writes a default as =12 up to 2.3, as [12] from 2.4 on.
    const std::regex blocks("--blocks[^\n]*[=\\[]12");
    EXPECT_TRUE(std::regex_search(help.out, blocks)) << help.out;
}

TEST_F(FlowTest, PrintsATable) {
    const Run done = flow({"--blocks", "3", "--width", "8", "--tokens", "4", "--sublayer", "ffn",
                           "--placement", "pre", "--seeds", "2", "--paths"});
    EXPECT_EQ(done.status, 0) << done.err;
    for (const char* part : {"Pre-LN FFN, 3 blocks", "geometric mean of 2 seeds", "‖dW2‖", "input",
                             "sublayers crossed", "mean length"})
        EXPECT_NE(done.out.find(part), std::string::npos) << part << '\n' << done.out;
    EXPECT_EQ(done.out.find("attention"), std::string::npos);
    EXPECT_EQ(done.out.find("nan"), std::string::npos);
}

TEST_F(FlowTest, PrintsTheGradientsOfTheScalesWhereThereAreSome) {
    const std::vector<std::string> plain{"--blocks", "3", "--width", "8",
                                         "--tokens", "4", "--seeds", "1"};
    EXPECT_EQ(flow(plain).out.find("dλ"), std::string::npos);
    for (const std::vector<std::string>& scaled : {std::vector<std::string>{"--trunk-scale", "0.5"},
                                                   {"--branch-scale", "0.5"},
                                                   {"--placement", "deepnorm"}}) {
        std::vector<std::string> options = plain;
        options.insert(options.end(), scaled.begin(), scaled.end());
        double trunk = 0, branch = 0;
        const Json all = json(options);
        for (const Json& block : all["seeds"][0]["blocks"]) {
            trunk += block["trunk_scale_grad"].get<double>();
            branch += block["branch_scale_grad"].get<double>();
        }
        const std::string out = flow(options).out;
        EXPECT_NE(out.find(fmt::format("of the stack: dλ = {:.4g}, dα = {:.4g}", trunk, branch)),
                  std::string::npos)
            << out;
    }
}

TEST_F(FlowTest, WithoutASkipThereIsOnePath) {
    const Run done = flow({"--blocks", "2", "--width", "8", "--tokens", "4", "--sublayer", "tanh",
                           "--norm", "none", "--skip", "none", "--seeds", "1", "--paths"});
    EXPECT_EQ(done.status, 0) << done.err;
    std::istringstream rows(done.out.substr(done.out.find("sublayers crossed")));
    std::string row;
    std::getline(rows, row);
    for (const char* paths : {"0", "0", "1"}) {
        std::string length, count;
        rows >> length >> count;
        std::getline(rows, row);
        EXPECT_EQ(count, paths) << length;
    }
}

TEST_F(FlowTest, TheTablesMeanIsTheChartsOne) {
    const std::vector<std::string> stack{"--blocks", "3",          "--width", "8",       "--tokens",
                                         "4",        "--sublayer", "ffn",     "--seeds", "3"};
    double logs = 0;
    const Json seeds = json(stack)["seeds"];
    for (const Json& seed : seeds) logs += std::log(seed["input"]["grad_norm"].get<double>());
    const Run done = flow(stack);
    const std::string last = done.out.substr(done.out.find("input"));
    EXPECT_NE(last.find(fmt::format("{:.4g}", std::exp(logs / 3))), std::string::npos) << last;
}

TEST_F(FlowTest, SaysWhenFloat32IsNotEnough) {
    const std::vector<std::string> loud{"--sublayer", "linear",   "--norm",  "none",    "--gain",
                                        "1000",       "--blocks", "30",      "--width", "8",
                                        "--tokens",   "3",        "--seeds", "1"};
    const Run done = flow(loud);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.err.find("--precision float64"), std::string::npos) << done.err;
    EXPECT_EQ(done.out.find("--precision float64"), std::string::npos) << "what is printed is data";
    EXPECT_EQ(done.out.find("-nan"), std::string::npos) << done.out;
    std::vector<std::string> wide = loud;
    wide.insert(wide.end(), {"--precision", "float64"});
    EXPECT_EQ(flow(wide).err.find("float64"), std::string::npos);
    EXPECT_TRUE(json(loud)["seeds"][0]["blocks"][29]["mean_square"].is_null());
}

TEST_F(FlowTest, SaysWhichOptionsDoNothing) {
    const auto note = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--blocks", "2", "--width", "8", "--tokens", "3",
                                           "--seeds", "1", "--json"});
        const Run done = flow(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_FALSE(Json::parse(done.out, nullptr, false).is_discarded());
        return done.err;
    };
    EXPECT_EQ(note({}), "");
    EXPECT_EQ(note({"--norm", "none"}), "");
    EXPECT_EQ(note({"--skip", "none"}), "");
    const auto says = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    for (const char* placement : {"pre", "peri"}) {
        const std::string said = note({"--norm", "none", "--placement", placement});
        EXPECT_TRUE(says(said, "choose a --norm")) << said;
        EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
    }
    EXPECT_TRUE(says(note({"--skip", "none", "--placement", "deepnorm"}), "choose --skip add"));
    EXPECT_TRUE(says(note({"--skip", "none", "--trunk-scale", "0.5"}), "--trunk-scale"));
}

TEST_F(FlowTest, SaysWhatIsWrongAndTheWaysOut) {
    const auto expect = [&](std::vector<std::string> arguments,
                            const std::vector<const char*>& parts) {
        const Run done = flow(std::move(arguments));
        EXPECT_EQ(done.status, 2) << done.err;
        EXPECT_TRUE(done.out.empty());
        for (const char* part : parts)
            EXPECT_NE(done.err.find(part), std::string::npos) << part << '\n' << done.err;
    };
    expect({"--blocks", "0"}, {"--blocks", "from 1 to 1024", "0"});
    expect({"--blocks", "2.5"}, {"--blocks", "whole number", "2.5"});
    expect({"--blocks", "many"}, {"--blocks", "many"});
    expect({"--placement", "middle"}, {"--placement", "middle", "deepnorm"});
    expect({"--norm", "instance"}, {"--norm", "instance", "batch"});
    expect({"--norm", "group", "--groups", "5", "--width", "12", "--heads", "3"},
           {"5 groups", "12 features", "4 or 6"});
    expect({"--sublayer", "mlp"}, {"--sublayer", "mlp", "encoder"});
    expect({"--gain", "big"}, {"--gain", "big"});
    expect({"--gamma", "inf"}, {"--gamma", "inf"});
    expect({"--width", "10", "--heads", "4"}, {"heads", "10", "--heads"});
    expect({"--norm", "batch", "--tokens", "1"}, {"--tokens", "batch norm"});
    expect({"--blocks", "1024", "--width", "8192"}, {"fewer blocks", "--width"});
    expect({"--tokens", "8192", "--width", "64", "--heads", "64"}, {"GB", "--tokens"});
    expect({"--loss", "cross-entropy", "--vocab", "1000000", "--width", "4096", "--blocks", "1"},
           {"GB", "--vocab"});
    expect({"--seeds", "0"}, {"--seeds", "0"});
    expect({"--precision", "half"}, {"--precision", "float64"});
    expect({"--depth", "3"}, {"--depth"});
}

class ExportStackTest : public CommandLineTest {};

TEST_F(ExportStackTest, AStackNeedsAFigureOfOne) {
    const Run done = run({"export", "--example", "studying", "--figure", "before-after", "--blocks",
                          "3", path("a.svg")});
    EXPECT_EQ(done.status, 2);
    EXPECT_NE(done.err.find("--figure"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("shows no stack"), std::string::npos) << done.err;
    EXPECT_EQ(
        run({"export", "--example", "studying", "--figure", "before-after", path("a.svg")}).status,
        0);
}

TEST_F(ExportStackTest, DrawsAFigureOfTheStackThatIsDescribed) {
    const std::vector<std::string> stack{
        "--blocks", "3",          "--stack-width", "8",           "--heads", "2",       "--tokens",
        "4",        "--sublayer", "ffn",           "--placement", "pre",     "--seeds", "1"};
    for (const char* figure : {"river", "gradient-norms", "path-lengths"}) {
        std::vector<std::string> arguments{"export", "--figure", figure};
        arguments.insert(arguments.end(), stack.begin(), stack.end());
        arguments.push_back(path("a.svg"));
        const Run done = run(arguments);
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_TRUE(read_file(path("a.svg"))->starts_with("<?xml")) << figure;
    }
    const Run odd = run({"export", "--figure", "river", "--blocks", "97", path("b.svg")});
    EXPECT_EQ(odd.status, 2);
    EXPECT_NE(odd.err.find("from 1 to 96"), std::string::npos) << odd.err;
    const Run width = run({"export", "--figure", "river", "--stack-width", "10", path("b.svg")});
    EXPECT_EQ(width.status, 2);
    EXPECT_NE(width.err.find("heads"), std::string::npos) << width.err;
}

} // namespace
} // namespace normscope
