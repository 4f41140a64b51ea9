#include "app/cli/size_option.h"
#include "tests/app/cli/cli_fixture.h"

namespace normscope {
namespace {

TEST_F(CommandLineTest, OpensTheWindowWhenNoSubcommandIsNamed) {
    EXPECT_EQ(run({}).window, WindowRequest{});
    const Run opened = run({"--workspace", "add-norm", "--example", "constant-row", "--theme",
                            "dark", "--scale", "1.5", "--size", "1600x1000", "data/x.csv"});
    ASSERT_TRUE(opened.window.has_value()) << opened.err;
    EXPECT_EQ(*opened.window, (WindowRequest{"data/x.csv", "add-norm", "constant-row", "dark", 1.5,
                                             WindowRequest::Size{1600, 1000}}));
}

TEST_F(CommandLineTest, RefusesBadWindowOptions) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--theme", "pink"},
                                                      {"--scale", "9"},
                                                      {"--scale", "large"},
                                                      {"--size", "1600"},
                                                      {"--nonsense"},
                                                      {"a.csv", "b.csv"}}) {
        const Run refused = run(arguments);
        EXPECT_EQ(refused.status, 2) << arguments.front();
        EXPECT_EQ(refused.err.rfind("normscope: command line: ", 0), 0U) << refused.err;
        EXPECT_FALSE(refused.window.has_value());
    }
    EXPECT_EQ(run({"--scale", "2", "compute", "--norm", "layer", "--x", "x", "--out", "o"}).status,
              2);
}

TEST_F(CommandLineTest, PrintsHelpAndVersion) {
    const Run version = run({"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.out.rfind("NormScope ", 0), 0U) << version.out;
    const Run help = run({"--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("compute"), std::string::npos);
    EXPECT_NE(run({"compute", "--help"}).out.find("--running-mean"), std::string::npos);
    EXPECT_EQ(help.err, "");
}

TEST_F(CommandLineTest, ReadsSizes) {
    EXPECT_EQ(parse_size("1600x1000"), (WindowRequest::Size{1600, 1000}));
    for (const char* text : {"", "x", "1600", "1600x", "x1000", "0x10", "-1x10", "16 x 10",
                             "10x10x10", "99999x10", "1e3x10"}) {
        EXPECT_FALSE(parse_size(text)) << text;
    }
}

} // namespace
} // namespace normscope
