// Edits of a large document, each made in the frame that asks for it.
#include "app/shell/files/file_commands.h"
#include "tests/app/workspaces/backward/backwards.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

Document large() {
    return *apply(blank_document(397, 431), Randomize{Distribution::normal, 3});
}

TEST(LargeEdits, AreOneStepToUndo) {
    constexpr Randomize k_randomize{Distribution::normal, 5};
    Harness h;
    replace_document(h.state(), large());
    h.settle();
    const Document before = h.document();
    EXPECT_TRUE(h.state().apply_edits({k_randomize}));
    EXPECT_EQ(h.document(), *apply(before, k_randomize));
    h.settle();
    EXPECT_EQ(h.state().history.undo_label(), "Randomize (normal, seed 5)");
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

class LargeLearning : public ::testing::Test {
  protected:
    LargeLearning() {
        replace_document(h.state(), large());
        h.settle();
        h.choose("backward.learn.toward-z");
    }
    Backwards h;
};

TEST_F(LargeLearning, AStepIsOneEdit) {
    const Document before = h.document();
    h.choose("backward.learn.step");
    EXPECT_EQ(h.document(), *apply(before, LearnSteps{1}));
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LargeLearning, ARunGoesOnUntilItIsPausedAndIsOneStepToUndo) {
    const Document before = h.document();
    h.click("backward.learn.run");
    for (int i = 0; i < 600 && h.document().backward.losses->size() < 5; ++i) h.frame();
    EXPECT_TRUE(h.state().view.running);
    h.click("backward.learn.run");
    EXPECT_FALSE(h.state().view.running);
    const Document paused = h.document();
    h.settle();
    EXPECT_EQ(h.document(), paused) << "no step after the pause";
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LargeLearning, ARunThatIsRefusedEndsAndSaysWhy) {
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), 1e200);
    h.become(d);
    h.settle();
    h.state().view.running = true;
    for (int i = 0; i < 600 && h.state().view.running; ++i) h.frame();
    EXPECT_FALSE(h.state().view.running);
    h.settle();
    EXPECT_EQ(h.document(), d);
    EXPECT_TRUE(h.state().status_is_error);
    EXPECT_NE(h.state().status.find("not a finite number"), std::string::npos);
}

} // namespace
} // namespace normscope::testing
