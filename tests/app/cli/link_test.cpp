#include "app/session/examples.h"
#include "app/session/link.h"
#include "app/session/session_file.h"
#include "tests/app/cli/cli_fixture.h"

#include <cstdlib>

namespace normscope {
namespace {

class LinkCommand : public CommandLineTest {
  protected:
    void SetUp() override {
        CommandLineTest::SetUp();
        ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("XDG_CONFIG_HOME");
        CommandLineTest::TearDown();
    }
    std::string session() const {
        return put("a.normscope.json", write_session(blank_document(2, 3), {{}, 1, {}, {}, {}}));
    }
};

TEST_F(LinkCommand, PrintsALinkThatTheWindowOpens) {
    const Run run =
        CommandLineTest::run({"link", session(), "--page", "https://school.example/n/"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with("https://school.example/n/#s=")) << run.out;
    const auto examples = load_examples(std::string(NORMSCOPE_ASSET_DIR) + "/examples");
    const auto read = read_link(run.out, *first_document(*examples));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->document, blank_document(2, 3));
    EXPECT_EQ(read->view.token, 1);
    EXPECT_EQ(CommandLineTest::run({run.out}).window->start.file, run.out);
}

TEST_F(LinkCommand, KeepsThePageForTheNextLink) {
    EXPECT_EQ(run({"link", session()}).status, 1) << "no page is known";
    const Run said = run({"link", session(), "--page", "file:///n.html"});
    EXPECT_EQ(run({"link", session()}).out, said.out);
}

} // namespace
} // namespace normscope
