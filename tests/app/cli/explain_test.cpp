#include "app/io/npy.h"
#include "tests/app/cli/cli_fixture.h"

#include <algorithm>

namespace normscope {
namespace {

class ExplainTest : public CommandLineTest {
  protected:
    static std::string explain(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "explain");
        const Run done = run(std::move(arguments));
        EXPECT_EQ(done.status, 0) << done.err;
        return done.out;
    }
    static void expect_contains(const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
};

TEST_F(ExplainTest, WorksAnExampleOut) {
    const std::string text = explain({"--example", "backward-by-hand"});
    expect_contains(text, "Layer norm, token ");
    expect_contains(text, "1.80 + 1.36 = 3.16");
    for (const char* heading :
         {"1 Add", "2 Mean", "3 Variance", "4 Normalize", "5 Scale and shift"}) {
        expect_contains(text, std::string("\n") + heading + "\n");
    }
    expect_contains(explain({"--example", "backward-by-hand", "--digits", "4"}), "= 1.8800");
}

TEST_F(ExplainTest, WorksFilesOut) {
    const std::string x = put("x.csv", "word,a,b,c\nthe,1,2,3\ncat,4,5,9\n");
    const std::string f = put("f.csv", "1,1,1\n0,0,0\n");
    expect_contains(explain({"--x", x, "--sublayer", f}), "token the");
    const std::string second = explain({"--x", x, "--token", "1", "--eps", "0"});
    expect_contains(second, "token cat");
    expect_contains(second, "= 18.00 / 3 = 6.00");
    expect_contains(explain({"--x", x, "--gamma", "2", "--beta", put("b.csv", "7,8,9")}),
                    "2.00 · ");
    expect_contains(explain({"--x", x, "--norm", "rms"}), "Mean square");
    expect_contains(explain({"--x", x, "--norm", "none"}), "No norm, token the");
}

TEST_F(ExplainTest, WorksAFeatureOutUnderBatchNorm) {
    const std::string x = put("x.csv", "a,b,c\n1,2,3\n4,5,6\n");
    const std::string text = explain({"--x", x, "--norm", "batch", "--feature", "2", "--eps", "0"});
    expect_contains(text, "feature c");
    expect_contains(text, "= 9.00 / 2 = 4.50");
    EXPECT_EQ(run({"explain", "--x", x, "--norm", "batch", "--token", "0"}).status, 2);
    EXPECT_EQ(run({"explain", "--x", x, "--feature", "0"}).status, 2);
}

TEST_F(ExplainTest, WorksAGroupOutUnderGroupNorm) {
    const std::string x = put("x.csv", "word,a,b,c,d\nthe,1,2,3,4\ncat,4,5,9,1\n");
    const std::string text = explain({"--x", x, "--norm", "group", "--groups", "2", "--token", "1",
                                      "--feature", "2", "--eps", "0"});
    expect_contains(text, "Group norm, group cat, c–d");
    expect_contains(text, "= 10.00 / 2 = 5.00");
    const Run odd = run({"explain", "--x", x, "--norm", "group", "--groups", "3"});
    EXPECT_EQ(odd.status, 1);
    expect_contains(odd.err, "3 groups cannot share 4 features evenly; choose 2 or 4 groups");
}

TEST_F(ExplainTest, TakesUnitsWhereTheDigitsAskedForWouldShowNothing) {
    const std::string x = put("x.csv", "1e-9,2e-9,3e-9\n");
    for (const std::string digits : {"1", "3", "9"}) {
        const std::string text = explain({"--x", x, "--eps", "0", "--digits", digits});
        expect_contains(text, "in units of 1e-9");
        expect_contains(text, "= −1.2");
        EXPECT_EQ(text.find("NaN"), std::string::npos) << text;
    }
    expect_contains(explain({"--x", x, "--digits", "12"}), "0.000000001000 + ");
    // Too few of them for the spread, though not for the values.
    const std::string few = explain({"--x", put("y.csv", "1000.00002,1000.00003,1000.00005\n"),
                                     "--eps", "0", "--digits", "1", "--precision", "float64"});
    expect_contains(few, "differ from them: these are too few digits, ask for more.");
}

TEST_F(ExplainTest, ElidesLongRows) {
    const std::string text = explain({"--example", "activations"});
    expect_contains(text, "more\n");
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 100);
}

TEST_F(ExplainTest, SaysWhatIsWrong) {
    const std::string x = put("x.csv", "1,2,3\n4,5,6\n");
    const std::string one = put("one.csv", "1,2,3\n");
    const std::vector<std::pair<int, std::vector<std::string>>> cases = {
        {2, {}},
        {2, {"--example", "studying", "--x", x}},
        {2, {"--example", "studying", "--sublayer", x}},
        {2, {"--example", "none-such"}},
        {2, {"--x", x, "--digits", "0"}},
        {2, {"--x", x, "--norm", "instance"}},
        {1, {"--x", x, "--norm", "group", "--groups", "5"}},
        {2, {"--x", x, "--token", "-1"}},
        {2, {"--x", x, "--token", "first"}},
        {1, {"--x", x, "--token", "2"}},
        {1, {"--x", path("none.csv")}},
        {1, {"--x", x, "--sublayer", one}},
        {1, {"--x", one, "--norm", "batch"}},
        {1, {"--x", x, "--gamma", one, "--affine", "token"}},
    };
    for (auto [status, arguments] : cases) {
        arguments.insert(arguments.begin(), "explain");
        const Run failed = run(arguments);
        EXPECT_EQ(failed.status, status) << failed.err;
        EXPECT_EQ(failed.err.rfind("normscope: ", 0), 0U) << failed.err;
        EXPECT_EQ(failed.out, "");
    }
    EXPECT_NE(run({"explain", "--x", x, "--token", "-1"})
                  .err.find("--token: expected a whole number from 0 up, found -1"),
              std::string::npos);
}

TEST_F(ExplainTest, TakesAPartOfAMatrix) {
    const std::string x = put("x.csv", "1,2,3\n4,5,9\n7,8,6\n");
    const std::string f = put("f.csv", "0,0,0\n0,1,0\n0,0,1\n");
    const std::string cut = put("cut.csv", "5,9\n8,6\n"), cut_f = put("cut-f.csv", "1,0\n0,1\n");
    const Run part =
        run({"explain", "--x", x, "--sublayer", f, "--rows", "1:2", "--features", "1:2"});
    EXPECT_EQ(part.status, 0) << part.err;
    const std::string steps = part.out.substr(part.out.find('\n'));
    const std::string of_cut = run({"explain", "--x", cut, "--sublayer", cut_f}).out;
    EXPECT_NE(of_cut.find("5.00"), std::string::npos) << of_cut;
    EXPECT_NE(steps.find("5.00"), std::string::npos) << steps;
    EXPECT_EQ(steps.find("4.00"), std::string::npos) << steps;
    EXPECT_NE(run({"explain", "--x", x, "--rows", "2:1"}).status, 0);
    EXPECT_NE(run({"explain", "--x", x, "--rows", "1"}).status, 0);
    EXPECT_NE(run({"explain", "--x", x, "--rows", "0:3"}).status, 0) << "there are three";
}

TEST_F(ExplainTest, RefusesALargerMatrixAndNamesTheOptionsOfAPart) {
    const std::string x = put("x.npy", write_npy(Matrix<float>(Matrix<float>::Zero(1025, 1024))));
    const Run r = run({"explain", "--x", x});
    EXPECT_NE(r.status, 0);
    EXPECT_NE(r.err.find("--rows 0:1023 --features 0:1023"), std::string::npos) << r.err;
    EXPECT_EQ(run({"explain", "--x", x, "--rows", "0:1023"}).status, 0);
}

TEST_F(ExplainTest, TakesAWholeNumberAsItIsWritten) {
    const std::string twelve = put("x.csv", "1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n9,10\n10,11\n"
                                            "11,12\n12,13\n");
    EXPECT_EQ(explain({"--x", twelve, "--token", "010"}),
              explain({"--x", twelve, "--token", "10"}));
    EXPECT_NE(explain({"--x", twelve, "--token", "010"}), explain({"--x", twelve, "--token", "8"}));
}

} // namespace
} // namespace normscope
