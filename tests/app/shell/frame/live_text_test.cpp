#include "app/shell/frame/live_text.h"

#include "app/shell/files/file_commands.h"
#include "app/shell/menus/dialog.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

// The live text once Tab has come to the part of this name.
std::string told_at(const std::string& name) {
    Harness h;
    for (int i = 0; i < 300 && h.focused() != name; ++i) h.key(Key::tab);
    EXPECT_EQ(h.focused(), name);
    h.state().texts = h.log().texts;
    return live_text(h.state());
}

TEST(LiveText, ACellIsToldWithItsPlaceAndItsValue) {
    const std::string told = told_at("add-norm.card-x.cells");
    EXPECT_EQ(told.find("cells I, d0, X 0.9."), 0u) << told;
}

TEST(LiveText, AFaderIsToldWithItsFeatureAndItsValue) {
    const std::string told = told_at("add-norm.gamma.d1");
    EXPECT_EQ(told.find("fader γ d1 1.40"), 0u) << told;
}

TEST(LiveText, AQuestionIsToldWithTheAnswerThatHasTheKeyboard) {
    Harness h;
    h.state().show(ask("Go on?", "Nothing is lost.", {{"no", "Stay", {}}, {"yes", "Go", {}}}));
    h.key(Key::tab);
    h.state().texts = h.log().texts;
    const std::string told = live_text(h.state());
    EXPECT_EQ(told.find("Go on?: button Stay"), 0u) << told;
}

TEST(LiveText, AQuestionThatOpensIsToldWhole) {
    Harness h;
    std::string told;
    h.state().services.tell = [&](const std::string& text) { told = text; };
    h.state().show(ask("Go on?", "Nothing is lost.", {{"no", "Stay", {}}, {"yes", "Go", {}}}));
    h.settle();
    EXPECT_EQ(told.find("Go on? Nothing is lost. Stay Go"), 0u) << told;
}

TEST(LiveText, TheItemOfAMenuThatArrowKeysLightIsToldWithItsKeys) {
    Harness h;
    h.key(Key::f10);
    EXPECT_EQ(live_text(h.state()).find("menu item Open… Ctrl+O"), 0u) << live_text(h.state());
    h.key(Key::down);
    EXPECT_EQ(live_text(h.state()).find("menu item Save Ctrl+S"), 0u) << live_text(h.state());
}

} // namespace
} // namespace normscope::testing
