// The program goes on when something throws in the middle of a frame.
#include "app/io/file.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/dialog.h"
#include "app/widgets/controls.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>
#include <new>

namespace normscope::testing {
namespace {

// Throws with a clip, a scope and a text field begun.
class FaultyDialog final : public Dialog {
  public:
    std::string title() const override { return "Faulty"; }
    Size wanted(const Ui&, float) const override { return {300, 200}; }
    void draw(Ui& ui, Rect r, App::State&) override {
        const IdScope scope(ui, "faulty");
        ui.canvas.push_clip(r);
        button(ui, "press", r, {.label = "press"});
        throw std::out_of_range("index 7 of 5");
    }
};

class Faults : public ::testing::Test {
  protected:
    // Changes the document, so that there is something to lose.
    void change() {
        h.click("add-norm.gamma.d1");
        h.key_and_settle(Key::del);
        ASSERT_FALSE(h.state().history.saved());
    }
    void expect_told(const std::string& cause) {
        EXPECT_TRUE(h.state().status_is_error);
        EXPECT_NE(h.state().status.find("could not be drawn"), std::string::npos);
        EXPECT_NE(h.state().status.find(cause), std::string::npos) << h.state().status;
    }

    Harness h;
};

TEST_F(Faults, ADialogThatThrowsIsToldAndTheProgramGoesOn) {
    change();
    const Document before = h.document();
    const auto& drawn = h.expect_faults();
    h.state().show(std::make_unique<FaultyDialog>());
    h.frame();
    EXPECT_TRUE(drawn);
    h.settle();
    EXPECT_TRUE(drawn);
    expect_told("index 7 of 5");
    EXPECT_TRUE(h.has_text("index 7 of 5")) << "on the screen";
    EXPECT_EQ(h.document(), before);
    h.click("add-norm.gamma.d2");
    h.key_and_settle(Key::del);
    EXPECT_NE(h.document(), before) << "and takes input";
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(Faults, ACommandThatThrowsIsToldAndTheProgramGoesOn) {
    h.expect_faults();
    h.state().defer([](App::State&) { throw std::bad_alloc(); });
    h.settle();
    expect_told("not enough memory");
}

TEST_F(Faults, AWorkspaceThatThrowsOnceIsDrawnAgain) {
    const auto& drawn = h.expect_faults();
    for (std::size_t workspace = 0; workspace < 3; ++workspace) {
        h.state().view.workspace = workspace;
        replace_document(h.state(), blank_document(200, 300));
        h.textures().broken = true;
        h.frame();
        for (int i = 0; i < 9 && h.state().frame_failed == false; ++i) h.frame();
        h.textures().broken = false;
        ASSERT_TRUE(h.state().frame_failed) << workspace;
        EXPECT_TRUE(drawn);
        expect_told("no texture");
        h.settle();
        EXPECT_TRUE(drawn);
        EXPECT_FALSE(h.state().frame_failed);
    }
}

TEST_F(Faults, AFaultThatComesAgainEndsTheProgramWithItsCause) {
    const auto& drawn = h.expect_faults();
    h.state().show(std::make_unique<FaultyDialog>());
    h.frame();
    ASSERT_TRUE(drawn);
    h.state().show(std::make_unique<FaultyDialog>());
    h.frame();
    ASSERT_FALSE(drawn);
    EXPECT_NE(drawn.error().message.find("index 7 of 5"), std::string::npos);
}

TEST(FaultsOnDisk, UnsavedWorkIsBroughtBackAfterTheEnd) {
    const Harness home;
    Document changed;
    {
        Harness h({.persist = true, .dir = home.dir()});
        h.click("add-norm.gamma.d1");
        h.key(Key::del);
        changed = h.document();
        const auto& drawn = h.expect_faults();
        for (int i = 0; i < 2; ++i) {
            h.state().show(std::make_unique<FaultyDialog>());
            h.frame();
        }
        ASSERT_FALSE(drawn);
    }
    int copies = 0;
    for (const auto& entry : std::filesystem::directory_iterator(home.dir() / "state")) {
        const auto bytes = read_file(entry.path());
        ASSERT_TRUE(bytes);
        const auto copy = read_session_copy(*bytes, entry.path().string());
        copies += copy && copy->document == changed ? 1 : 0;
    }
    EXPECT_EQ(copies, 1);
}

} // namespace
} // namespace normscope::testing
