#include "tests/app/cli/cli_fixture.h"

#include "app/io/text.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace normscope {
namespace {

using Arguments = std::vector<std::string>;

Matrix<double> matrix(std::initializer_list<std::initializer_list<double>> rows) {
    return Matrix<double>(rows);
}

class ComputeTest : public CommandLineTest {
  protected:
    // `normscope compute ARGUMENTS --out FOLDER/out`
    Run compute(Arguments arguments) const {
        arguments.insert(arguments.begin(), "compute");
        arguments.insert(arguments.end(), {"--out", path("out")});
        return run(arguments);
    }
    void expect_ok(const Arguments& arguments) const {
        std::filesystem::remove_all(path("out")); // of an earlier one
        const Run done = compute(arguments);
        ASSERT_EQ(done.status, 0) << done.err;
        EXPECT_EQ(done.err, "");
    }
};

// The cases of the table every norm is held to.
TEST_F(ComputeTest, AddsAndNormalizes) {
    expect_ok({"--norm", "layer", "--x", put("x.csv", "1.8,-0.3,0.8"), "--sublayer",
               put("f.tsv", "1.36\t0.91\t1.07"), "--eps", "0", "--precision", "float64"});
    expect_output("z", matrix({{3.16, 0.61, 1.87}}), 1e-12);
    expect_output("mean", matrix({{1.88}}), 1e-12);
    expect_output("rstd", matrix({{1 / std::sqrt(1.0838)}}), 1e-12);
    expect_output("x_hat", matrix({{1.229519, -1.219914, -0.009606}}), 1e-6);
    expect_output("y", output("x_hat").stacked, 0);
    EXPECT_EQ(output("mean").shape, std::vector<Index>{1});
    EXPECT_EQ(output("y").dtype, "float64");
    EXPECT_FALSE(has_output("running_mean"));
}

TEST_F(ComputeTest, NormalizesTokensOrFeatures) {
    const std::string x = put("x.csv", "1,2,3\n4,5,6\n");
    expect_ok({"--norm", "batch", "--x", x, "--eps", "0"});
    expect_output("x_hat", matrix({{-1, -1, -1}, {1, 1, 1}}), 1e-6);
    expect_output("mean", matrix({{2.5, 3.5, 4.5}}), 1e-6);
    expect_output("rstd", matrix({{1 / 1.5, 1 / 1.5, 1 / 1.5}}), 1e-6);
    EXPECT_EQ(output("x_hat").dtype, "float32");
    expect_ok({"--norm", "layer", "--x", x, "--eps", "0"});
    expect_output("x_hat", matrix({{-1.2247449, 0, 1.2247449}, {-1.2247449, 0, 1.2247449}}), 1e-6);
    expect_output("mean", matrix({{2, 5}}), 1e-6);
}

TEST_F(ComputeTest, KeepsRunningStatistics) {
    const std::string x = put("x.csv", "1,10\n2,20\n4,40\n");
    expect_ok({"--norm", "batch", "--x", x});
    const Matrix<double> y =
        matrix({{-1.0690415, -1.0690449}, {-0.2672603, -0.2672612}, {1.3363020, 1.3363061}});
    expect_output("y", y, 2e-6);
    expect_output("running_mean", matrix({{0.2333333, 2.3333335}}), 1e-6);
    expect_output("running_var", matrix({{1.1333333, 24.2333355}}), 1e-5);

    const auto keep = [this](const char* name) {
        return put(name, read_file(folder_ / "out" / name).value());
    };
    std::string mean = keep("running_mean.npy");
    std::string var = keep("running_var.npy");
    expect_ok({"--norm", "batch", "--x", x, "--running-mean", mean, "--running-var", var});
    mean = keep("running_mean.npy");
    var = keep("running_var.npy");
    std::filesystem::remove_all(folder_ / "out");
    expect_ok({"--norm", "batch", "--x", put("row.csv", "1,10\n"), "--mode", "eval",
               "--running-mean", mean, "--running-var", var});
    expect_output("y", matrix({{0.4972333, 0.8285111}}), 1e-6);
    EXPECT_FALSE(has_output("running_mean"));

    expect_ok({"--norm", "batch", "--x", x, "--momentum", "1"});
    expect_output("running_mean", matrix({{7.0 / 3, 70.0 / 3}}), 1e-5);
}

TEST_F(ComputeTest, ScalesByNumbersAndFiles) {
    const std::string x = put("x.csv", "1,2,3\n4,5,9\n");
    expect_ok({"--norm", "none", "--x", x, "--gamma", "-2", "--beta", "0.5"});
    expect_output("y", matrix({{-1.5, -3.5, -5.5}, {-7.5, -9.5, -17.5}}), 0);
    EXPECT_FALSE(has_output("mean"));
    expect_ok({"--norm", "none", "--x", x, "--gamma", put("g.csv", "1\n10\n100\n")});
    expect_output("y", matrix({{1, 20, 300}, {4, 50, 900}}), 0);
    expect_ok({"--norm", "none", "--x", x, "--affine", "token", "--gamma", put("t.csv", "1,10\n"),
               "--beta", "1"});
    expect_output("y", matrix({{2, 3, 4}, {41, 51, 91}}), 0);
    expect_ok({"--norm", "none", "--x", x, "--affine", "scalar", "--gamma", put("s.csv", "3\n")});
    expect_output("y", matrix({{3, 6, 9}, {12, 15, 27}}), 0);
}

TEST_F(ComputeTest, LetsNanAndConstantRowsThrough) {
    const std::string x = put("x.csv", "3,3,3\nnan,1,2\n2,4,6\n");
    expect_ok({"--norm", "layer", "--x", x});
    EXPECT_EQ(output("x_hat").stacked.row(0), Matrix<double>::Zero(1, 3));
    EXPECT_NEAR(output("rstd").stacked(0, 0), 316.2278, 1e-3);
    EXPECT_TRUE(output("x_hat").stacked.row(1).array().isNaN().all());
    EXPECT_FALSE(output("x_hat").stacked.row(2).array().isNaN().any());
}

// PyTorch's values for every norm and every kind of γ and β, through files.
TEST_F(ComputeTest, AgreesWithPyTorch) {
    std::ifstream file(NORMSCOPE_GOLDEN_DIR "/norms.json");
    const nlohmann::json golden = nlohmann::json::parse(file);
    for (const nlohmann::json& known : golden.at("cases")) {
        for (const char* precision : {"float", "double"}) {
            const nlohmann::json& values = known.at(precision);
            const auto tokens = known.at("tokens").get<Index>();
            const auto features = known.at("features").get<Index>();
            const auto tensor = [&](const char* name) {
                const auto flat = values.at(name).get<std::vector<double>>();
                return Matrix<double>(
                    Eigen::Map<const Matrix<double>>(flat.data(), tokens, features));
            };
            const auto vector = [&](const char* name) {
                const auto flat = values.at(name).get<std::vector<double>>();
                return Vector<double>(
                    Eigen::Map<const Vector<double>>(flat.data(), static_cast<Index>(flat.size())));
            };
            const bool is_float = std::string_view(precision) == "float";
            SCOPED_TRACE(known.at("norm").get<std::string>() + " " +
                         known.at("per").get<std::string>() + " " + precision);
            std::string eps;
            append_number(eps, known.at("eps").get<double>());
            expect_ok({"--norm", known.at("norm"), "--groups",
                       std::to_string(known.value("groups", 1)), "--affine", known.at("per"),
                       "--eps", eps, "--x", put("x.npy", write_npy(tensor("x"))), "--sublayer",
                       put("f.npy", write_npy(tensor("f"))), "--gamma",
                       put("g.npy", write_npy(vector("gamma"))), "--beta",
                       put("b.npy", write_npy(vector("beta"))), "--precision",
                       is_float ? "float32" : "float64"});
            const double tolerance = is_float ? 2e-6 : 1e-12;
            for (const char* name : {"z", "x_hat", "y"}) {
                const Matrix<double> expected = tensor(name);
                const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
                expect_output(name, expected, tolerance * scale);
            }
        }
    }
}

TEST_F(ComputeTest, SaysWhichFilesAreOfAnEarlierRun) {
    const std::string x = put("x.csv", "1,2,3\n4,5,6\n");
    EXPECT_EQ(compute({"--norm", "batch", "--x", x}).err, "");
    const Run none = compute({"--norm", "none", "--x", x});
    EXPECT_EQ(none.status, 0);
    EXPECT_EQ(none.err, "normscope: compute: " + path("out") +
                            " still has an earlier run's mean.npy, rstd.npy, running_mean.npy, "
                            "running_var.npy: this run makes none\n");
}

TEST_F(ComputeTest, SaysWhoseStatisticsOverflowed) {
    const std::string x = put("x.csv", "1,2,3\n1e30,2e30,-1e30\ninf,1,2\n");
    for (const auto& [norm, spread] : {std::pair("layer", "σ²"), std::pair("rms", "mean(z²)")}) {
        const Run single = compute({"--norm", norm, "--x", x});
        EXPECT_EQ(single.status, 0);
        EXPECT_EQ(single.err, std::string("normscope: compute: float32 overflowed in ") + spread +
                                  " of token 2: use --precision float64\n");
        EXPECT_EQ(compute({"--norm", norm, "--x", x, "--precision", "float64"}).err, "") << norm;
    }
    EXPECT_EQ(compute({"--norm", "none", "--x", x}).err.find("overflowed"), std::string::npos);
    EXPECT_EQ(compute({"--norm", "layer", "--x", put("large.csv", "1,2\n1e39,2\n")}).err,
              "normscope: compute: float32 overflowed in μ of token 2: use --precision float64\n");
    const std::string given = put("nan.csv", "1,nan,2\n"); // is no sum of these values
    EXPECT_EQ(compute({"--norm", "batch", "--mode", "eval", "--running-mean", given,
                       "--running-var", put("var.csv", "1,1,1\n"), "--x", x})
                  .err.find("overflowed"),
              std::string::npos);
}

TEST_F(ComputeTest, SaysWhoseStandardDeviationIsZero) {
    const std::string x = put("x.csv", "1,2,3\n2,2,2\n");
    const Run small = compute({"--norm", "layer", "--x", x, "--eps", "1e-50"});
    EXPECT_EQ(small.status, 0);
    EXPECT_EQ(small.err,
              "normscope: compute: σ² of token 2 is 0, and ε = 1e-50 is 0 in float32, so "
              "that x\u0302 is divided by 0: use a larger --eps or --precision float64\n");
    const Matrix<double> x_hat = load_table(path("out") + "/x_hat.npy").value().values;
    EXPECT_TRUE(x_hat.row(0).allFinite());
    EXPECT_TRUE(x_hat.row(1).array().isNaN().all()) << "0 · ∞";
    EXPECT_EQ(load_table(path("out") + "/rstd.npy").value().values(0, 1),
              std::numeric_limits<double>::infinity());
    const Arguments exact = {"--norm", "layer", "--x",         x,
                             "--eps",  "1e-50", "--precision", "float64"};
    EXPECT_EQ(compute(exact).err, "");
    EXPECT_EQ(
        compute({"--norm", "layer", "--x", x, "--eps", "0"}).err,
        "normscope: compute: σ² of token 2 is 0, and so is ε, so that x\u0302 is divided by 0: "
        "use a larger --eps\n");
    const Run running =
        compute({"--norm", "batch", "--mode", "eval", "--eps", "0", "--running-mean",
                 put("mean.csv", "0,0,0\n"), "--running-var", put("var.csv", "1,0,1\n"), "--x", x});
    EXPECT_NE(running.err.find("the running σ² of feature 2 is 0, and so is ε"), std::string::npos)
        << running.err;
}

TEST_F(ComputeTest, ReadsArraysOfAnArchive) {
    const std::string data = std::string(NORMSCOPE_GOLDEN_DIR) + "/../app/io/data/several.npz";
    const Run run = compute({"--norm", "layer", "--x", data + ":x", "--gamma", data + ":gamma"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(compute({"--norm", "layer", "--x", data}).err.find("holds 3 arrays"),
              std::string::npos);
}

TEST_F(ComputeTest, SaysWhichOptionsDoNothing) {
    const std::string x = put("x.csv", "1,2,3\n4,5,6\n");
    const std::string row = put("row.csv", "1,1,1\n");
    const Arguments running = {"--mode", "eval", "--running-mean", row, "--running-var", row};
    Arguments layer = {"--norm", "layer", "--x", x};
    layer.insert(layer.end(), running.begin(), running.end());
    const Run idle = compute(layer);
    EXPECT_EQ(idle.status, 0);
    EXPECT_EQ(idle.err,
              "normscope: compute: --mode eval changes nothing: only batch norm has running "
              "statistics; choose --norm batch\n"
              "normscope: compute: --running-mean and --running-var change nothing: they are "
              "batch norm's; choose --norm batch\n");
    Arguments batch = layer;
    batch[1] = "batch";
    EXPECT_EQ(compute(batch).err, "");
}

TEST_F(ComputeTest, BlamesTheDataWithStatusOne) {
    const std::string x = put("x.csv", "1,2,3\n4,5,6\n");
    const std::string bad = put("bad.csv", "1,2,3\n4,oops,6\n");
    const std::string one = put("one.csv", "1,2,3\n");
    const std::string stack = std::string(NORMSCOPE_GOLDEN_DIR "/../app/io/data/stack_f4.npy");
    const std::vector<std::pair<Arguments, std::string>> cases = {
        {{"--norm", "layer", "--x", path("none.npy")},
         path("none.npy") + ": could not be read: No such file or directory."},
        {{"--norm", "layer", "--x", bad},
         bad + ": line 2, column 2: expected a number, found \"oops\"."},
        {{"--norm", "layer", "--x", stack}, stack + ": holds 2 matrices"},
        {{"--norm", "batch", "--x", x, "--running-mean", one, "--running-var",
          put("negative.csv", "1,-0.5,1\n")},
         path("negative.csv") + ": value 2 is -0.5: a variance is not negative"},
        {{"--norm", "layer", "--x", x, "--sublayer", one}, one + ": the residual add"},
        {{"--norm", "layer", "--x", x, "--gamma", "abc"}, "abc: neither a number nor a file."},
        {{"--norm", "layer", "--x", x, "--gamma", put("g.csv", "1,2\n")},
         path("g.csv") + ": holds a 1×2 matrix: expected 3 values, one per feature of the 2×3 "
                         "matrix."},
        {{"--norm", "layer", "--x", x, "--affine", "token", "--beta", put("b.csv", "1,2,3\n")},
         path("b.csv") + ": holds a 1×3 matrix: expected 2 values, one per token"},
        {{"--norm", "batch", "--x", one},
         one + ": batch norm in training: more than one value per feature is needed; the matrix "
               "is 1×3. Add tokens, or use --mode eval"},
        {{"--norm", "batch", "--x", x, "--running-mean", x, "--running-var", one},
         x + ": holds a 2×3 matrix: expected 3 values, one per feature"},
    };
    for (const auto& [arguments, message] : cases) {
        const Run failed = compute(arguments);
        EXPECT_EQ(failed.status, 1) << message;
        EXPECT_EQ(failed.err.rfind("normscope: " + message, 0), 0U) << failed.err << message;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
    }
    const Run unwritable = run({"compute", "--norm", "layer", "--x", x, "--out", x});
    EXPECT_EQ(unwritable.status, 1);
    EXPECT_EQ(unwritable.err.rfind("normscope: " + x + ": could not be", 0), 0U) << unwritable.err;
}

TEST_F(ComputeTest, BlamesTheCommandLineWithStatusTwo) {
    const std::string x = put("x.csv", "1,2,3\n4,5,6\n");
    for (const Arguments& arguments : {Arguments{"--x", x},
                                       {"--norm", "layer"},
                                       {"--norm", "instance", "--x", x},
                                       {"--norm", "layer", "--x", x, "--eps", "-1"},
                                       {"--norm", "layer", "--x", x, "--eps", "a"},
                                       {"--norm", "layer", "--x", x, "--eps", "inf"},
                                       {"--norm", "batch", "--x", x, "--momentum", "1.5"},
                                       {"--norm", "layer", "--x", x, "--affine", "row"},
                                       {"--norm", "layer", "--x", x, "--precision", "float16"},
                                       {"--norm", "batch", "--x", x, "--mode", "eval"},
                                       {"--norm", "batch", "--x", x, "--running-mean", x},
                                       {"--norm", "layer", "--x", x, "--nonsense"}}) {
        const Run refused = compute(arguments);
        EXPECT_EQ(refused.status, 2) << refused.err;
        EXPECT_EQ(refused.err.rfind("normscope: compute: ", 0), 0U) << refused.err;
        EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    }
    EXPECT_EQ(run({"compute", "--norm", "layer", "--x", x}).status, 2);
}

} // namespace
} // namespace normscope
