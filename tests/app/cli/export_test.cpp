#include "tests/app/cli/cli_fixture.h"

#include "app/cli/options.h"
#include "app/model/edit.h"
#include "app/session/session_file.h"

#include <tuple>

namespace normscope {
namespace {

class ExportTest : public CommandLineTest {};

TEST_F(ExportTest, WritesEveryFormatByTheFilesEnding) {
    for (const auto& [name, magic] :
         {std::pair("a.png", "\x89PNG"), std::pair("a.svg", "<?xml"), std::pair("a.PDF", "%PDF")}) {
        const Run r = run({"export", "--example", "studying", "--figure", "before-after", "--out",
                           path(name), "--width", "500"});
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_TRUE(read_file(path(name))->starts_with(magic)) << name;
        EXPECT_FALSE(r.window) << "needs no display";
    }
}

TEST_F(ExportTest, DrawsASessionAndTheWholeWorkspace) {
    const std::string session = put("s.normscope.json", write_session(blank_document(3, 7)));
    const Run r = run({"export", "--session", session, "--figure", "workspace", "--theme", "dark",
                       "--out", path("w.png")});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_TRUE(std::filesystem::exists(path("w.png")));
}

TEST_F(ExportTest, DrawsAPartOfASession) {
    const auto drawn = [&](const Document& document, std::vector<std::string> more) {
        std::vector<std::string> arguments = {
            "export",     "--session",    put("s.normscope.json", write_session(document)),
            "--figure",   "before-after", "--out",
            path("w.svg")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Run r = run(arguments);
        EXPECT_EQ(r.status, 0) << r.err;
        return *read_file(path("w.svg"));
    };
    const Document whole =
        *normscope::apply(blank_document(4, 5), Randomize{Distribution::normal, 3});
    EXPECT_EQ(drawn(whole, {"--rows", "1:2", "--features", "0:2"}),
              drawn(cut_out(whole, {1, 0, 2, 3}), {}));
}

TEST_F(ExportTest, DrawsWithASettingOfAWorkspace) {
    const Document usual = blank_document(4, 3);
    const std::tuple<const char*, const char*, Edit, const char*, const char*> cases[] = {
        {"--batch-size", "2", set<&BatchSetup::batch>(2), "batch-vs-layer", "workspace"},
        {"--backward-jacobian", "y", set<&BackwardSetup::jacobian>(JacobianOf::y), "backward",
         "jacobian"},
    };
    for (const auto& [option, value, edit, workspace, figure] : cases) {
        const auto drawn = [&](const Document& document, std::vector<std::string> more) {
            std::vector<std::string> arguments = {
                "export",   "--session", put("s.normscope.json", write_session(document)),
                "--figure", figure,      "--workspace",
                workspace,  "--out",     path("w.svg")};
            arguments.insert(arguments.end(), more.begin(), more.end());
            const Run r = run(arguments);
            EXPECT_EQ(r.status, 0) << r.err;
            return *read_file(path("w.svg"));
        };
        const std::string with_option = drawn(usual, {option, value});
        EXPECT_EQ(with_option, drawn(*normscope::apply(usual, edit), {})) << option;
        EXPECT_NE(with_option, drawn(usual, {})) << option;
    }
}

TEST_F(ExportTest, TakesEverySettingOfAPartThatHasAHelpText) {
    const std::string help = run({"export", "--help"}).out;
    int settings = 0;
    for_each_part([&]<class S>(const Part<S>& part) {
        if constexpr (k_has_fields<S>)
            for (const Field<S>& field : fields<S>())
                if (!field.words.help.empty()) {
                    ++settings;
                    EXPECT_NE(help.find(option_name(field, part.key) + ' '), std::string::npos)
                        << option_name(field, part.key);
                }
    });
    EXPECT_GE(settings, 15);
}

TEST_F(ExportTest, SaysWhatIsWrong) {
    const auto expect = [&](std::vector<std::string> arguments, int status, const char* part) {
        arguments.insert(arguments.begin(), "export");
        const Run r = run(arguments);
        EXPECT_EQ(r.status, status) << r.err;
        EXPECT_TRUE(r.err.starts_with("normscope: ")) << r.err;
        EXPECT_NE(r.err.find(part), std::string::npos) << r.err;
    };
    const std::string out = path("o.png");
    expect({"--figure", "cards", "--out", out}, 2, "--example or --session");
    expect({"--example", "studying", "--figure", "nonsense", "--out", out}, 2, "before-after");
    expect({"--example", "studying", "--figure", "cards", "--out", path("o.gif")}, 2, ".svg");
    // All names, whichever workspace they are of.
    for (const char* figure : {"workspace", "cards", "jacobian", "path-lengths"})
        expect({"--example", "studying", "--figure", "nonsense", "--out", out}, 2, figure);
    for (const char* figure : {"cards", "workspace", "river"}) {
        expect({"--example", "studying", "--figure", figure, "--width", "119", "--out", out}, 2,
               "--width: expected");
        expect({"--example", "studying", "--figure", figure, "--height", "79", "--out", out}, 2,
               "--height: expected");
    }
    expect({"--example", "studying", "--figure", "cards", "--batch-momentum", "2", "--out", out}, 2,
           "--batch-momentum");
    expect(
        {"--example", "studying", "--figure", "cards", "--backward-entry-token", "9", "--out", out},
        2, "entry [9, 0]");
    expect({"--session", path("none.json"), "--figure", "cards", "--out", out}, 1, "none.json");
    expect({"--example", "studying", "--figure", "cards", "--token", "9", "--out", out}, 1,
           "token 9");
    expect({"--example", "studying", "--figure", "cards", "--out", path("no/where.png")}, 1,
           "where.png");
    EXPECT_FALSE(std::filesystem::exists(out));
}

} // namespace
} // namespace normscope
