// Edits that take longer than a frame: made on a worker while the document stays as it is.
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "tests/app/workspaces/backward/backwards.h"

#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

constexpr Randomize k_randomize{Distribution::normal, 5};

Document large() {
    return *apply(blank_document(397, 431), Randomize{Distribution::normal, 3});
}

TEST(EditRunner, GivesTheLastEditThatWasAskedForAlone) {
    const Document start = large();
    const Document other = *apply(start, ScaleInput{2});
    EditRunner runner([] {});
    const auto wait = [&](const Document& now) {
        std::optional<EditRunner::Applied> applied;
        while (!applied && runner.waits_for()) applied = runner.take(now);
        return applied;
    };
    runner.start(start, k_randomize, "made anew");
    EXPECT_TRUE(runner.comes_first());
    const auto applied = wait(start);
    ASSERT_TRUE(applied);
    EXPECT_EQ(*applied->document, *apply(start, k_randomize));
    EXPECT_TRUE(std::holds_alternative<Randomize>(applied->edit));
    EXPECT_EQ(applied->said, "made anew");
    EXPECT_FALSE(runner.waits_for());

    runner.start(start, k_randomize);
    EXPECT_FALSE(wait(other)) << "the document has changed since";
    EXPECT_FALSE(runner.waits_for());

    runner.start(start, k_randomize);
    runner.drop();
    EXPECT_FALSE(runner.waits_for());
    runner.start(other, Remove{Axis::feature, 4}); // while the worker still has the one before
    const auto second = wait(other);
    ASSERT_TRUE(second);
    EXPECT_EQ(*second->document, *apply(other, Remove{Axis::feature, 4}));

    Document away = start;
    away.backward.loss = LossKind::distance;
    away.gamma = std::vector<double>(away.gamma->size(), 1e200);
    runner.start(away, LearnSteps{1});
    EXPECT_FALSE(runner.comes_first()) << "an edit of the hand goes before";
    const auto refused = wait(away);
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->document) << "the loss is not finite";
}

TEST(LongEdits, AreOneStepToUndo) {
    Harness h;
    replace_document(h.state(), large());
    h.settle();
    const Document before = h.document();
    EXPECT_FALSE(h.state().apply_edits({k_randomize}));
    EXPECT_EQ(h.document(), before) << "until it is there";
    EXPECT_TRUE(h.app().working());
    h.settle();
    EXPECT_EQ(h.document(), *apply(before, k_randomize));
    EXPECT_EQ(h.state().history.undo_label(), "Randomize (normal, seed 5)");
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST(LongEdits, FollowTheOthersOfTheirFrame) {
    Harness h;
    replace_document(h.state(), large());
    h.settle();
    const Edit gamma = SetParam{Param::gamma, 0, 0, 2};
    const Document expected = *apply(*apply(h.document(), gamma), k_randomize);
    EXPECT_TRUE(h.state().apply_edits({k_randomize, gamma}));
    h.settle();
    EXPECT_EQ(h.document(), expected);
}

TEST(LongEdits, UndoTakesBackWhatWasDoneAfterThem) {
    Backwards h;
    replace_document(h.state(), large());
    h.settle();
    h.choose("backward.learn.toward-z");
    const Document before = h.document();
    h.state().apply_edits({LearnSteps{1}});
    h.state().apply_edits({SetParam{Param::gamma, 0, 0, 2}}); // a step of learning gives way
    h.frame();
    EXPECT_FALSE(h.state().edit_runner.waits_for());
    undo(h.state());
    h.settle();
    EXPECT_EQ(h.document(), before);
}

TEST(LongEdits, AreTakenBackBeforeTheyAreThere) {
    Harness h;
    replace_document(h.state(), large());
    h.settle();
    const Document before = h.document();
    h.state().apply_edits({k_randomize});
    const auto menu = find_menu(h.state(), "edit");
    ASSERT_TRUE(menu);
    EXPECT_EQ(menu->items.front().label, "Undo Randomize (normal, seed 5)");
    EXPECT_TRUE(menu->items.front().enabled);
    undo(h.state());
    EXPECT_FALSE(h.app().working());
    h.settle();
    EXPECT_EQ(h.document(), before);
}

class LongLearning : public ::testing::Test {
  protected:
    LongLearning() {
        replace_document(h.state(), large());
        h.settle();
        h.choose("backward.learn.toward-z");
    }
    Backwards h;
};

TEST_F(LongLearning, AStepIsOneEdit) {
    const Document before = h.document();
    h.choose("backward.learn.step");
    EXPECT_EQ(h.document(), *apply(before, LearnSteps{1}));
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LongLearning, ARunGoesOnUntilItIsPausedAndIsOneStepToUndo) {
    // So large that the gradients are made on a worker too, and lag behind the steps.
    ASSERT_TRUE(h.state().apply_edits({set<&BackwardSetup::lr>(10)}));
    replace_document(h.state(), *apply(h.document(), Resize{Axis::feature, 1327}));
    h.settle();
    ASSERT_GT(h.document().x->size(), k_backward_at_once);
    const Document before = h.document();
    h.click("backward.learn.run");
    while (h.state().view.running && h.document().backward.losses->size() < 5) h.frame();
    EXPECT_TRUE(h.state().view.running);
    h.click("backward.learn.run");
    EXPECT_FALSE(h.state().view.running);
    EXPECT_FALSE(h.state().edit_runner.waits_for()) << "no step after the pause";
    h.settle();
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
}

TEST_F(LongLearning, ARunThatIsRefusedEndsAndSaysWhy) {
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), 1e200);
    h.become(d);
    h.settle();
    h.state().view.running = true;
    while (h.state().view.running) h.frame();
    h.settle();
    EXPECT_EQ(h.document(), d);
    EXPECT_TRUE(h.state().status_is_error);
    EXPECT_NE(h.state().status.find("not a finite number"), std::string::npos);
}

} // namespace
} // namespace normscope::testing
