#include "core/norm/normalize.h"
#include "tests/app/cli/cli_fixture.h"

namespace normscope {
namespace {

class CheckTest : public CommandLineTest {};

TEST_F(CheckTest, ExamplesAgree) {
    for (const char* example : {"backward-by-hand", "studying", "batch-columns"}) {
        const Run done = run({"check", "--example", example});
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_NE(done.out.find("dX, dF(X) agrees"), std::string::npos) << done.out;
        EXPECT_NE(done.out.find("dγ"), std::string::npos);
    }
}

TEST_F(CheckTest, FilesAndEveryNormAgree) {
    const std::string x = put("x.csv", "1.8,-0.3,0.8,2\n0.1,0.7,-1,0.4\n0.2,-3,1,1\n");
    const std::string dy = put("dy.csv", "0.1,-0.2,0.3,1\n1,2,3,-4\n0,1,0,2\n");
    for (const NormEntry& norm : k_norms) {
        const Run done =
            run({"check", "--x", x, "--dy", dy, "--norm", std::string(norm.id), "--gamma", "1.5"});
        EXPECT_EQ(done.status, 0) << done.err;
        EXPECT_NE(done.out.find("dX, dF(X) agrees   12 of 12 entries"), std::string::npos)
            << done.out;
    }
}

TEST_F(CheckTest, XHatAgreesWithTheDefinitionOfEveryNorm) {
    const std::string x = put("x.csv", "1.8,-0.3,0.8,2\n0.1,0.7,-1,0.4\n0.2,-3,1,1\n");
    const std::string dy = put("dy.csv", "0.1,-0.2,0.3,1\n1,2,3,-4\n0,1,0,2\n");
    for (const NormEntry& norm : k_norms)
        for (const char* mode : {"train", "eval"}) {
            const Run done = run(
                {"check", "--x", x, "--dy", dy, "--norm", std::string(norm.id), "--mode", mode});
            EXPECT_EQ(done.status, 0) << done.err;
            EXPECT_NE(done.out.find("x̂         agrees   12 of 12 entries"), std::string::npos)
                << done.out;
            EXPECT_NE(done.out.find(": kernel "), std::string::npos) << done.out;
            EXPECT_NE(done.out.find(", definition "), std::string::npos) << done.out;
        }
}

TEST_F(CheckTest, InEvaluationBatchNormAgreesToo) {
    const auto first_line = [](const Run& r) { return r.out.substr(0, r.out.find('\n')); };
    const Run train = run({"check", "--example", "batch-columns", "--norm", "batch"});
    const Run eval =
        run({"check", "--example", "batch-columns", "--norm", "batch", "--mode", "eval"});
    EXPECT_EQ(eval.status, 0) << eval.err;
    EXPECT_NE(first_line(train), first_line(eval)) << "other gradients";
    EXPECT_NE(eval.out.find("44 updates of momentum 0.1"), std::string::npos) << eval.out;
    const Run one = run({"check", "--example", "batch-of-one", "--mode", "eval"});
    EXPECT_EQ(one.status, 0) << "training refuses one";
    EXPECT_NE(one.out.find("0 and 1"), std::string::npos) << one.out;
    EXPECT_EQ(eval.err, "");
    const Run layer = run({"check", "--example", "studying", "--mode", "eval"});
    EXPECT_EQ(layer.status, 0);
    EXPECT_NE(layer.err.find("check: --mode eval changes nothing"), std::string::npos) << layer.err;
    // In evaluation x̂ is linear in z, and steps are as long as values of 1e20 need.
    const Run large = run({"check", "--example", "overflow", "--norm", "batch", "--mode", "eval"});
    EXPECT_EQ(large.status, 0) << large.out << large.err;
    EXPECT_EQ(run({"check", "--example", "studying", "--mode", "test"}).status, 2);
}

TEST_F(CheckTest, ATighterToleranceThanDifferencesCanMeetFails) {
    const Run done = run({"check", "--example", "studying", "--tolerance", "0"});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.out.find("differs"), std::string::npos);
    EXPECT_NE(done.err.find("differs from central differences"), std::string::npos);
}

TEST_F(CheckTest, ValuesOfAnySizeAgreeWithoutANorm) {
    const Run done = run({"check", "--example", "overflow", "--norm", "none"});
    EXPECT_EQ(done.status, 0) << done.out << done.err;
}

TEST_F(CheckTest, ACommonOffsetCostsNoDigits) {
    const std::string x =
        put("x.csv", "100000000.5,100000001,100000003\n99999998,100000000.25,99999999\n"
                     "100000002,100000004,99999999.5\n");
    const std::string dy = put("dy.csv", "0.1,-0.2,0.3\n1,0,-1\n0.5,0.25,2\n");
    for (const NormEntry& norm : k_norms) {
        // A spread that is no mean of squares has kinks, which a step of differences may cross.
        if (!norm.normalizes() || !norm.spread->squares) continue;
        const Run done =
            run({"check", "--x", x, "--dy", dy, "--norm", std::string(norm.id), "--groups", "1"});
        EXPECT_EQ(done.status, 0) << norm.id << done.out << done.err;
    }
}

TEST_F(CheckTest, DifferencesWithoutDigitsAreNotSaidToDiffer) {
    const Run done = run({"check", "--x", put("x.csv", "3,3,3\n1,2,4\n"), "--dy",
                          put("dy.csv", "0.1,-0.2,0.3\n1,0,-1\n"), "--eps", "1e-40"});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.out.find("dX, dF(X) unknown"), std::string::npos) << done.out;
    EXPECT_NE(done.err.find("smaller than what its values have digits for"), std::string::npos)
        << done.err;
}

TEST_F(CheckTest, NaNHasNoSign) {
    const Run done = run({"check", "--example", "constant-row", "--eps", "0"});
    EXPECT_NE(done.out.find("analytic nan"), std::string::npos) << done.out;
    EXPECT_EQ(done.out.find("-nan"), std::string::npos) << done.out;
}

TEST_F(CheckTest, NamesNaN) {
    const Run done = run({"check", "--example", "nan-token"});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.out.find("is NaN"), std::string::npos) << done.out;
    EXPECT_NE(done.err.find("a gradient is NaN"), std::string::npos) << done.err;
    EXPECT_EQ(done.err.find("differs"), std::string::npos) << done.err;
}

TEST_F(CheckTest, NamesTheFileWhoseValueIsNaN) {
    const std::string x = put("x.csv", "1,2,3\n4,5,7\n");
    const Run done = run({"check", "--x", x, "--dy", put("dy.csv", "1,nan,3\n4,5,6\n")});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.err.find(path("dy.csv") + ": a gradient is NaN"), std::string::npos) << done.err;
}

TEST_F(CheckTest, AGradientWhoseDifferencesAreNaNIsNotSaidToBeIt) {
    const Run done = run({"check", "--example", "nan-token", "--norm", "none"});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.out.find("dX, dF(X) unknown"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("dγ        is NaN"), std::string::npos) << done.out;
}

TEST_F(CheckTest, RefusesWhatDoesNotFit) {
    const std::string x = put("x.csv", "1,2,3\n");
    EXPECT_EQ(run({"check"}).status, 2);
    EXPECT_EQ(run({"check", "--x", x}).status, 2);
    EXPECT_EQ(run({"check", "--x", x, "--example", "studying"}).status, 2);
    const Run shape = run({"check", "--x", x, "--dy", put("dy.csv", "1,2\n")});
    EXPECT_EQ(shape.status, 1);
    EXPECT_NE(shape.err.find("1×2"), std::string::npos) << shape.err;
    const Run batch = run({"check", "--x", x, "--dy", put("d.csv", "1,2,3\n"), "--norm", "batch"});
    EXPECT_EQ(batch.status, 1);
}

class ComputeBackwardTest : public CommandLineTest {};

TEST_F(ComputeBackwardTest, WritesTheGradients) {
    const Run done = run({"compute",
                          "--norm",
                          "layer",
                          "--x",
                          put("x.csv", "1.8,-0.3,0.8"),
                          "--sublayer",
                          put("f.csv", "1.36,0.91,1.07"),
                          "--gamma",
                          "1.5",
                          "--beta",
                          "0.5",
                          "--affine",
                          "token",
                          "--eps",
                          "0",
                          "--precision",
                          "float64",
                          "--dy",
                          put("dy.csv", "0.1,-0.2,0.3"),
                          "--out",
                          path("out")});
    ASSERT_EQ(done.status, 0) << done.err;
    const Matrix<double> dz{{-0.166951, -0.170926, 0.337876}};
    expect_output("dx", dz, 6e-7);
    expect_output("dsublayer", dz, 6e-7);
    expect_output("dgamma", Matrix<double>{{0.364053}}, 6e-7);
    expect_output("dbeta", Matrix<double>{{0.2}}, 1e-12);
}

TEST_F(ComputeBackwardTest, NamesBothShapesOfADyThatDoesNotFit) {
    const Run done = run({"compute", "--norm", "layer", "--x", put("x.csv", "1,2,3"), "--dy",
                          put("dy.csv", "1,2"), "--out", path("out")});
    EXPECT_EQ(done.status, 1);
    EXPECT_NE(done.err.find("1×3"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("1×2"), std::string::npos) << done.err;
    EXPECT_FALSE(has_output("dx"));
}

} // namespace
} // namespace normscope
