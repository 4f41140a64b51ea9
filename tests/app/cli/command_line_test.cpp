#include "tests/app/cli/cli_fixture.h"

#include <fstream>

namespace normscope {
namespace {

TEST_F(CommandLineTest, OpensTheWindowWhenNoSubcommandIsNamed) {
    const Run bare = run({});
    ASSERT_TRUE(bare.window.has_value());
    EXPECT_TRUE(bare.window->start.file.empty());
    EXPECT_TRUE(bare.window->start.persist);
    EXPECT_FALSE(bare.window->size || bare.window->start.theme || bare.window->start.ui_scale);
    EXPECT_TRUE(bare.window->screenshot.empty());

    const std::string x = put("x.csv", "1,2\n");
    const Run opened = run({"--workspace", "add-norm", "--example", "constant-row", "--theme",
                            "dark", "--scale", "1.5", "--size", "1600x1000", x});
    ASSERT_TRUE(opened.window.has_value()) << opened.err;
    const StartOptions& start = opened.window->start;
    EXPECT_EQ(start.file, x);
    EXPECT_EQ(start.workspace, "add-norm");
    EXPECT_EQ(start.example, "constant-row");
    EXPECT_EQ(start.theme, ThemeKind::dark);
    EXPECT_EQ(start.ui_scale, 1.5F);
    EXPECT_EQ(opened.window->size, (WindowSize{1600, 1000}));
}

TEST_F(CommandLineTest, ReportsWhyThereIsNoWindow) {
    const Run typo = run({"no-display"});
    EXPECT_EQ(typo.status, 2) << "no such file: perhaps it was meant as a command";
    EXPECT_EQ(typo.err,
              "normscope: no-display: there is no such file and no such command (see normscope "
              "--help)\n");
    EXPECT_FALSE(typo.window.has_value()) << "before a window is opened";
    const std::string missing = path("no-display");
    const Run no_file = run({missing});
    EXPECT_EQ(no_file.status, 1) << "a file of data, as compute --x says it";
    EXPECT_EQ(no_file.err, "normscope: " + missing + ": there is no such file\n");
    const Run failed = run({put("no-display", "")});
    EXPECT_EQ(failed.status, 1);
    EXPECT_EQ(failed.err, "normscope: no display: play one\n");
}

TEST_F(CommandLineTest, TakesAScreenshotThroughTheWindow) {
    const Run shot =
        run({"screenshot", "--out", "a.png", "--size", "800x600", "--theme", "contrast"});
    ASSERT_TRUE(shot.window.has_value()) << shot.err;
    EXPECT_EQ(shot.window->screenshot, "a.png");
    EXPECT_EQ(shot.window->size, (WindowSize{800, 600}));
    EXPECT_EQ(shot.window->start.theme, ThemeKind::contrast);
    EXPECT_FALSE(shot.window->start.persist);
    EXPECT_EQ(run({"screenshot"}).status, 2);
    const Run jpg = run({"screenshot", "--out", "a.jpg"});
    EXPECT_EQ(jpg.status, 2);
    EXPECT_EQ(jpg.err, "normscope: screenshot: --out: a.jpg does not end in .png\n");
    EXPECT_FALSE(jpg.window.has_value()) << "no picture of another kind than its name says";
    const Run missing = run({"screenshot", "--out", "a.png", "not-there"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_EQ(missing.err, "normscope: not-there: there is no such file\n");
    EXPECT_FALSE(missing.window.has_value());
    EXPECT_EQ(run({"screenshot", "--out", "a.png", put("no-display", "")}).status, 1);
}

TEST_F(CommandLineTest, ListsTheExamples) {
    const Run list = run({"examples"});
    EXPECT_EQ(list.status, 0);
    EXPECT_NE(list.out.find("studying  "), std::string::npos) << list.out;
    EXPECT_NE(list.out.find("constant-row  "), std::string::npos) << list.out;
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

// /dev/full takes what is printed until it is flushed.
TEST_F(CommandLineTest, QuotesALongNameInPart) {
    const Run r = run({"compute", "--norm", "layer", "--x", std::string(5000, 'n') + ".csv",
                       "--out", path("out")});
    EXPECT_NE(r.status, 0);
    EXPECT_LT(r.err.size(), 400u);
    EXPECT_TRUE(r.err.starts_with("normscope: nnn")) << r.err;
    EXPECT_NE(r.err.find("n.csv"), std::string::npos) << r.err;
}

TEST_F(CommandLineTest, FailsWhereItsOutputCannotBeWritten) {
    for (const std::vector<const char*>& words :
         std::vector<std::vector<const char*>>{{"--help"},
                                               {"--version"},
                                               {"examples"},
                                               {"explain", "--example", "studying", "--token", "0"},
                                               {"compute", "--help"}}) {
        std::vector<const char*> argv{"normscope"};
        argv.insert(argv.end(), words.begin(), words.end());
        std::ofstream full("/dev/full");
        ASSERT_TRUE(full.is_open());
        std::ostringstream err;
        const int status = run_command_line(
            static_cast<int>(argv.size()), argv.data(),
            [](const WindowRequest&) -> Result<int> { return 0; }, full, err);
        EXPECT_EQ(status, 1) << words[0] << err.str();
        EXPECT_NE(err.str().find("output could not be written"), std::string::npos) << err.str();
    }
}

TEST_F(CommandLineTest, ReadsSizes) {
    EXPECT_EQ(parse_size("1600x1000"), (WindowSize{1600, 1000}));
    EXPECT_EQ(parse_size("480x320"), (WindowSize{480, 320}));
    for (const char* text : {"", "x", "1600", "1600x", "x1000", "0x10", "-1x10", "16 x 10",
                             "10x10x10", "99999x800", "1e3x800", "479x800", "800x319"}) {
        EXPECT_FALSE(parse_size(text)) << text;
    }
}

} // namespace
} // namespace normscope
