#include "app/shell/files/file_commands.h"
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>
#include <string>

namespace normscope::testing {
namespace {

std::string repeated(const std::string& word, int times) {
    std::string text = word;
    for (int i = 1; i < times; ++i) text += " " + word;
    return text;
}

TEST(Question, IsAsHighAsItsTextWhateverItsLetters) {
    for (const Size window : {Size{1600, 1000}, Size{480, 700}})
        for (const float scale : {1.0f, 1.5f}) {
            Harness h({.window = window, .scale = scale});
            for (const std::string& text :
                 {std::string("Quit?"), repeated("letters", 40), repeated("größäüß", 40),
                  repeated("数字", 60), std::string("“/home/") + std::string(300, 'x') + "”"}) {
                h.state().show(
                    ask("Title", text, {{"cancel", "Cancel", {}}, {"quit", "Quit", {}}}));
                h.settle();
                const Rect buttons = h.named("dialog.quit").rect;
                float bottom = 0;
                for (const LoggedText& t : h.log().texts)
                    if (t.text != "Quit" && t.text.size() > 3 &&
                        text.find(t.text.substr(0, 4)) != text.npos)
                        bottom = std::max(bottom, t.rect.bottom());
                EXPECT_LE(bottom, buttons.y) << text;
                EXPECT_GE(bottom, buttons.y - 40 * scale) << text << " leaves a hole";
                h.key_and_settle(Key::escape);
            }
        }
}

} // namespace
} // namespace normscope::testing
