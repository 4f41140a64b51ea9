#include "app/session/link.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>
#include <imgui.h>

namespace normscope::testing {
namespace {

Setup started_with(const std::string& link) {
    Setup setup;
    setup.file = link;
    return setup;
}

// The link that Edit, Copy link copies, as in a browser.
std::string copied_link(Harness& h) {
    h.state().services.page = "http://localhost/";
    h.click_and_settle("bar.edit");
    h.click_and_settle("menu.edit.copy-link");
    return ImGui::GetClipboardText();
}

TEST(Links, AreCopiedAndPasted) {
    Harness h;
    h.key_and_settle(Key::n3); // Backward
    h.become(blank_document(2, 3));
    const std::size_t workspace = h.state().view.workspace;
    const Document before = h.document();
    const std::string link = copied_link(h);
    ASSERT_TRUE(is_link(link)) << h.state().status;
    Harness other;
    ImGui::SetClipboardText(link.c_str());
    other.key_and_settle(Key::v, true);
    EXPECT_EQ(write_session(other.document()), write_session(before));
    EXPECT_EQ(other.state().view.workspace, workspace);
    EXPECT_TRUE(other.state().history.saved());
    EXPECT_TRUE(other.state().files.recent.paths().empty());
    other.key_and_settle(Key::z, true);
    EXPECT_FALSE(other.document() == before);
}

TEST(Links, AreOpenedFromTheCommandLine) {
    Harness h;
    h.click("add-norm.gamma.d1");
    h.key_and_settle(Key::del);
    const Document before = h.document();
    const std::string link = copied_link(h);
    Harness other(started_with(link));
    other.settle();
    EXPECT_EQ(write_session(other.document()), write_session(before));
    EXPECT_FALSE(other.state().history.can_undo());
}

TEST(Links, ThatAreBrokenLeaveTheFirstDocument) {
    Harness h;
    Harness other(started_with("http://localhost/#s=eJxTAAAAIQ"));
    other.settle();
    EXPECT_TRUE(other.state().status_is_error);
    EXPECT_EQ(write_session(other.document()), write_session(h.document()));
}

TEST(Links, ThatCannotBeMadeOfferAFile) {
    Harness h;
    h.click_and_settle("bar.edit");
    h.click_and_settle("menu.edit.copy-link"); // no page is known
    EXPECT_TRUE(h.state().status_action);
}

} // namespace
} // namespace normscope::testing
