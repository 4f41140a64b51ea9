#include "core/train/run.h"
#include "tests/app/cli/cli_fixture.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace normscope {
namespace {

using Json = nlohmann::json;

class TrainTest : public CommandLineTest {
  protected:
    static Run train(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "train");
        return run(std::move(arguments));
    }
    static Json train_json(std::vector<std::string> arguments) {
        arguments.push_back("--json");
        const Run done = train(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        return Json::parse(done.out, nullptr, false);
    }
    // A small Transformer, that learns nothing in so few steps.
    static std::vector<std::string> small(std::vector<std::string> more) {
        std::vector<std::string> out{"--width",  "8", "--heads", "2", "--ffn",   "12",
                                     "--layers", "1", "--batch", "4", "--steps", "3"};
        out.insert(out.end(), more.begin(), more.end());
        return out;
    }
    void expect_usage(std::vector<std::string> arguments, const std::string& message) const {
        const Run done = train(std::move(arguments));
        EXPECT_EQ(done.status, 2);
        EXPECT_EQ(done.out, "");
        EXPECT_NE(done.err.find(message), std::string::npos) << done.err;
    }
};

std::vector<std::string> train_keys(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& item : object.items()) keys.push_back(item.key());
    return keys;
}

TEST_F(TrainTest, PrintsWhatTheCoreMeasures) {
    const Json out =
        train_json({"--layers",    "3",        "--width",      "6",    "--norm",      "batch",
                    "--skip",      "rezero",   "--activation", "tanh", "--placement", "post",
                    "--optimizer", "momentum", "--lr",         "0.05", "--batch",     "8",
                    "--steps",     "7",        "--every",      "3",    "--seeds",     "2",
                    "--points",    "20",       "--warmup",     "2",    "--schedule",  "linear",
                    "--clip",      "0.5"});
    TrainConfig config;
    config.layers = 3;
    config.width = 6;
    config.norm = NormKind::batch;
    config.skip = Skip::rezero;
    config.activation = Activation::tanh;
    config.norm_place = NormPlace::post;
    config.optimizer.kind = Optimizer::momentum;
    config.lr = 0.05;
    config.batch = 8;
    config.steps = 7;
    config.points = 20;
    config.warmup = 2;
    config.schedule = Schedule::linear;
    config.clip = 0.5;
    const auto runs = run_over_seeds(config, {}, 2, 3);
    ASSERT_TRUE(runs) << runs.error().message;
    ASSERT_EQ(out["seeds"].size(), 2u);
    for (std::size_t s = 0; s < 2; ++s) {
        const Json& seed = out["seeds"][s];
        const SeedRun& own = runs->at(s);
        EXPECT_EQ(seed["seed"], s);
        ASSERT_EQ(seed["steps"].size(), own.records.size());
        ASSERT_EQ(own.records.size(), 4u);
        for (std::size_t i = 0; i < own.records.size(); ++i) {
            const Json& step = seed["steps"][i];
            const RunRecord& record = own.records[i];
            EXPECT_EQ(step["step"], record.step);
            EXPECT_EQ(step["loss"], record.loss);
            EXPECT_EQ(step["accuracy"], record.accuracy);
            EXPECT_EQ(step["test_accuracy"], record.test_accuracy);
            for (std::size_t l = 0; l < 3; ++l) {
                EXPECT_EQ(step["grad_norms"][l], record.layers[l].gradient_norm);
                EXPECT_EQ(step["layer_mean"][l], record.layers[l].reading.mean);
                EXPECT_EQ(step["layer_std"][l], record.layers[l].reading.std);
            }
        }
        EXPECT_EQ(seed["final"]["loss"], own.final.loss);
        EXPECT_EQ(seed["final"]["test_accuracy"], own.final.test_accuracy);
        EXPECT_TRUE(seed["final"]["greedy_accuracy"].is_null());
        EXPECT_TRUE(seed["final"]["antidiagonal_best"].is_null());
        EXPECT_TRUE(seed["diverged_step"].is_null());
    }
    EXPECT_EQ(out["config"]["placement"], "post");
    EXPECT_EQ(out["config"]["clip"], 0.5);
    EXPECT_EQ(out["config"]["optimizer"], "momentum");
}

TEST_F(TrainTest, TheKeysOfTheJson) {
    const Json out = train_json({"--steps", "1", "--layers", "1"});
    EXPECT_EQ(train_keys(out), (std::vector<std::string>{"config", "seeds"}));
    EXPECT_EQ(train_keys(out["seeds"][0]),
              (std::vector<std::string>{"diverged_at", "diverged_step", "final", "guess",
                                        "hit_step", "seed", "steps"}));
    EXPECT_EQ(train_keys(out["seeds"][0]["steps"][0]),
              (std::vector<std::string>{"accuracy", "grad_norms", "layer_mean", "layer_std", "loss",
                                        "step", "test_accuracy"}));
    EXPECT_EQ(train_keys(out["seeds"][0]["final"]),
              (std::vector<std::string>{"antidiagonal_best", "greedy_accuracy", "loss",
                                        "test_accuracy", "train_accuracy"}));
    EXPECT_TRUE(out["config"]["clip"].is_null());
}

TEST_F(TrainTest, EveryTaskRunsWithEveryModelThatReadsIt) {
    for (const char* task : {"spirals", "moons", "circles", "xor", "gaussians"})
        EXPECT_EQ(train({"--task", task, "--steps", "2", "--layers", "2"}).status, 0) << task;
    for (const char* task : {"reverse", "copy", "sort", "first"})
        for (const char* model : {"encoder-decoder", "encoder", "decoder"}) {
            const Json out =
                train_json(small({"--task", task, "--model", model, "--shortest", "3"}));
            const Json& last = out["seeds"][0]["final"];
            const bool both = std::string(model) == "encoder-decoder";
            EXPECT_EQ(last["greedy_accuracy"].is_null(), !both) << task << " " << model;
            EXPECT_TRUE(last["train_accuracy"].is_null());
            EXPECT_EQ(out["config"]["optimizer"], "adam");
        }
    const Json text = train_json(small({"--task", "text", "--length", "16"}));
    EXPECT_FALSE(text["seeds"][0]["final"]["train_accuracy"].is_null());
    EXPECT_TRUE(text["seeds"][0]["hit_step"].is_null());
}

TEST_F(TrainTest, ARunThatDivergesSaysAtWhichStepAndWhere) {
    const Json out = train_json({"--norm", "none", "--lr", "1e30", "--layers", "4"});
    const Json& seed = out["seeds"][0];
    EXPECT_EQ(seed["diverged_step"], 1);
    EXPECT_TRUE(seed["diverged_at"].is_string());
    EXPECT_TRUE(seed["final"]["loss"].is_null());
    const Run table = train({"--norm", "none", "--lr", "1e30", "--layers", "4"});
    EXPECT_NE(table.out.find("at step 1: "), std::string::npos) << table.out;
}

TEST_F(TrainTest, ASweepFindsTheLargestRateThatTrains) {
    const std::vector<std::string> options{"--task",  "gaussians", "--layers", "2",
                                           "--steps", "150",       "--seeds",  "2",
                                           "--sweep", "1e-6,0.1"};
    const Json out = train_json(options);
    ASSERT_EQ(out["sweep"].size(), 2u);
    EXPECT_EQ(out["sweep"][0]["trained"], 0);
    EXPECT_EQ(out["sweep"][1]["trained"], 2);
    EXPECT_EQ(out["largest_lr"], 0.1);
    const Run table = train(options);
    EXPECT_NE(table.out.find("largest rate that trains: 0.1 (2 of 2 runs or more)"),
              std::string::npos)
        << table.out;
    expect_usage({"--sweep", "0.1,x"}, "expected a number, found \"x\"");
    expect_usage({"--sweep", "0.1", "--lr", "1"}, "--lr excludes --sweep");
}

TEST_F(TrainTest, SavedWeightsRunInTheTransformerCommand) {
    const std::string file = path("w.safetensors");
    for (const char* skip : {"add", "rezero", "none"}) {
        const Run saved = train(small({"--task", "reverse", "--placement", "pre", "--norm", "rms",
                                       "--skip", skip, "--save", file}));
        ASSERT_EQ(saved.status, 0) << saved.err;
        const auto probabilities_with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), {"transformer", "--weights", file, "--source", "[1,5,2]",
                                       "--target", "[0,2]", "--out", path("out")});
            const Run done = run(more);
            EXPECT_EQ(done.status, 0) << done.err;
            EXPECT_EQ(done.err.find("assumed"), std::string::npos) << done.err;
            return output("probabilities").stacked;
        };
        // The file says it all.
        EXPECT_EQ(probabilities_with({}),
                  probabilities_with({"--heads", "2", "--placement", "pre", "--norm", "rms",
                                      "--skip", std::string(skip) == "none" ? "none" : "add"}));
    }
    ASSERT_EQ(train(small({"--task", "copy", "--positions", "learned", "--save", file})).status, 0);
    EXPECT_EQ(run({"transformer", "--weights", file, "--source", "[1,2]", "--target", "[0]",
                   "--out", path("out"), "--json"})
                  .out.find("\"positions\": \"sinusoidal\""),
              std::string::npos);
    expect_usage({"--save", file}, "keeps a Transformer's weights, and this is an MLP");
    const Run diverged = train(small(
        {"--task", "copy", "--norm", "none", "--lr", "1e30", "--save", path("none.safetensors")}));
    EXPECT_EQ(diverged.status, 1);
    EXPECT_NE(diverged.err.find("diverged at step"), std::string::npos) << diverged.err;
    EXPECT_FALSE(std::filesystem::exists(path("none.safetensors")));
}

TEST_F(TrainTest, OwnPointsAndTextsAreTrained) {
    std::string points = "x,species,y\n";
    std::string text;
    for (int i = 0; i < 40; ++i) {
        points +=
            std::to_string(i % 7) + (i % 2 ? ",oak," : ",elm,") + std::to_string(i % 2) + "\n";
        text += "The oak and the elm. ";
    }
    const Json own = train_json({"--task", put("trees.csv", points), "--layers", "2"});
    EXPECT_EQ(own["config"]["task"], "own");
    EXPECT_EQ(own["config"]["file"], "trees.csv");
    EXPECT_EQ(own["config"]["class"], "species");
    EXPECT_EQ(own["config"]["classes"], Json({"elm", "oak"}));
    EXPECT_EQ(own["config"]["features"], Json({"x", "y"}));
    EXPECT_EQ(own["seeds"][0]["final"]["test_accuracy"], 1);
    EXPECT_EQ(train(small({"--task", put("trees.txt", text), "--length", "8"})).status, 0);
    const Run shorter = train({"--task", put("short.txt", "oak")});
    EXPECT_EQ(shorter.status, 1);
    EXPECT_NE(shorter.err.find("short.txt: the text has 3 characters"), std::string::npos)
        << shorter.err;
}

// Two columns of numbers and one of classes; 38 of 40 are of class 1.
std::string mostly_ones(const std::string& quote) {
    std::string out;
    for (int i = 0; i < 40; ++i)
        for (const std::string& cell : {std::to_string(i % 7) + ".5", std::to_string(i % 5) + ".25",
                                        std::string(i % 20 ? "1" : "2")})
            out += quote + cell + quote + (cell.size() > 1 ? "," : "\n");
    return out;
}

TEST_F(TrainTest, ATableGivesTheSameRunHoweverItIsWritten) {
    const std::string plain = mostly_ones("");
    std::string spaced = plain;
    std::ranges::replace(spaced, ',', ';');
    const Json expected = train_json({"--task", put("a.csv", plain), "--layers", "2"})["seeds"];
    for (const std::string& text : {mostly_ones("\""), "sep=;\n" + spaced, "# a,b,class\n" + plain})
        EXPECT_EQ(train_json({"--task", put("b.csv", text), "--layers", "2"})["seeds"], expected)
            << text.substr(0, 60);
}

TEST_F(TrainTest, TheClassIsSaidAndCanBeChosen) {
    const std::string file = put("a.csv", mostly_ones(""));
    const Run said = train({"--task", file, "--layers", "2", "--steps", "20"});
    EXPECT_NE(said.out.find("a.csv: the class is the column 3: 1, 2; features: 1, 2\n"
                            "a guess by how often each is there has the loss 0.1985"),
              std::string::npos)
        << said.out;
    const Run measured = train({"--task", file, "--class", "1"});
    EXPECT_EQ(measured.status, 1);
    EXPECT_NE(measured.err.find("“1” holds 7 different numbers"), std::string::npos)
        << measured.err;
    EXPECT_NE(train({"--task", file, "--class", "kind"})
                  .err.find("has no column \"kind\": expected "
                            "\"1\", \"2\", \"3\""),
              std::string::npos);
    expect_usage({"--task", "spirals", "--class", "x"}, "--class names a column of a table");
    expect_usage({"--task", put("a.txt", "oak and elm"), "--class", "x"}, "a .txt is a text");
}

TEST_F(TrainTest, AGuessIsToldAndNoHitIsBelowIt) {
    const Json out = train_json({"--task", put("a.csv", mostly_ones("")), "--layers", "2",
                                 "--steps", "50", "--seeds", "5"});
    for (const Json& run : out["seeds"]) {
        EXPECT_NEAR(run["guess"]["loss"].get<double>(), 0.1985, 1e-4);
        EXPECT_GE(run["guess"]["test_accuracy"].get<double>(), 0.75);
        EXPECT_TRUE(run["hit_step"].is_null()) << "the classes follow from nothing";
    }
    EXPECT_NEAR(train_json(small({"--task", "copy"}))["seeds"][0]["guess"]["loss"].get<double>(),
                std::log(10), 1e-12);
}

TEST_F(TrainTest, ASweepSaysWhatItExpected) {
    const auto sweep = [&](const std::string& rates) {
        return train({"--sweep", rates, "--layers", "2", "--steps", "5", "--seeds", "2"});
    };
    EXPECT_NE(sweep("0.1,0.3").out.find("no rate trains 2 of 2 runs\n"), std::string::npos);
    expect_usage({"--sweep", "0.1,1e10"}, "expected rates above 0 and up to 1000000000, separated "
                                          "by commas, found 1e10");
    expect_usage({"--sweep", "0"}, "found 0");
}

TEST_F(TrainTest, SettingsThatDoNotFitAreNamedWithTheWayOut) {
    expect_usage({"--task", "rverse"}, "there is no such task and no such file; the tasks are "
                                       "spirals, moons");
    expect_usage({"--task", "reverse", "--model", "mlp"}, "take the model encoder-decoder");
    expect_usage({"--placement", "peri"}, "this model's norms stand pre or post");
    expect_usage({"--norm", "batch", "--batch", "1"}, "it needs 2 points or more");
    expect_usage({"--norm", "group", "--groups", "3"}, "3 groups");
    expect_usage({"--task", "copy", "--heads", "3"}, "width 16 is not a multiple of 3 heads");
    expect_usage({"--task", "copy", "--activation", "tanh"}, "relu or gelu");
    expect_usage({"--task", "copy", "--layers", "1000", "--width", "2048"}, "");
    const Run noted = train(small({"--task", "copy", "--norm", "none", "--placement", "pre"}));
    EXPECT_NE(noted.err.find("--norm none leaves none"), std::string::npos) << noted.err;
}

} // namespace
} // namespace normscope
