#include "app/model/history.h"
#include "tests/app/model/random_edit.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

Document with_gamma(const Document& d, double value) {
    return *apply(d, SetParam{Param::gamma, 0, 0, value});
}

TEST(History, OneGestureIsOneStep) {
    const Document start = blank_document(3, 7);
    History h(start);
    EXPECT_FALSE(h.can_undo());
    for (int frame = 1; frame <= 60; ++frame) {
        h.change(with_gamma(h.document(), 1 + frame * 0.01), "γ[0] → " + std::to_string(frame));
        h.settle(true);
    }
    h.settle(false);
    for (int frame = 0; frame < 10; ++frame) h.settle(false); // at rest
    EXPECT_EQ(h.undo_label(), "γ[0] → 60");
    h.undo();
    EXPECT_EQ(h.document(), start);
    EXPECT_FALSE(h.can_undo());
    EXPECT_EQ(h.redo_label(), "γ[0] → 60");
    h.redo();
    EXPECT_EQ((*h.document().gamma)[0], 1.6);
}

TEST(History, KnowsWhereEachStepWasMade) {
    History h(blank_document(3, 7));
    h.change(with_gamma(h.document(), 2), "γ", 3);
    EXPECT_EQ(h.undo_made_in(), 3u) << "also before the step is closed";
    h.settle(false);
    h.change(with_gamma(h.document(), 4), "γ again");
    h.settle(false);
    EXPECT_FALSE(h.undo_made_in());
    h.undo();
    EXPECT_EQ(h.undo_made_in(), 3u);
    EXPECT_FALSE(h.redo_made_in());
    h.undo();
    EXPECT_FALSE(h.undo_made_in());
    EXPECT_EQ(h.redo_made_in(), 3u);
}

int steps_to_undo(History& h) {
    int steps = 0;
    for (; h.can_undo(); h.undo()) ++steps;
    return steps;
}

TEST(History, TheOldestStepsAreForgottenWhereTheirMatricesTakeTooMuch) {
    const std::size_t bytes = 3 * 7 * sizeof(double);
    const auto after = [&](std::size_t most_bytes, const auto& next) {
        History h(blank_document(3, 7), most_bytes);
        for (int i = 1; i <= 20; ++i) {
            h.change(next(h.document(), i + 0.5), "set");
            h.settle(false);
        }
        return h;
    };
    const auto cell = [](const Document& d, double value) {
        return *apply(d, SetCells{Input::x, 0, 0, Matrix<double>::Constant(1, 1, value)});
    };
    // The last step has X and F(X), every one before it another X.
    History h = after(6 * bytes, cell);
    EXPECT_EQ((*h.document().x)(0, 0), 20.5);
    EXPECT_EQ(steps_to_undo(h), 4);
    EXPECT_EQ((*h.document().x)(0, 0), 16.5);
    for (int i = 0; i < 4; ++i) h.redo();
    EXPECT_EQ((*h.document().x)(0, 0), 20.5);
    History tight = after(1, cell);
    EXPECT_EQ(steps_to_undo(tight), 1) << "there is always one";
    History shared = after(6 * bytes, with_gamma);
    EXPECT_EQ(steps_to_undo(shared), 20) << "γ keeps no matrix";
    History clicks = after(History::k_most_bytes, cell);
    EXPECT_EQ(steps_to_undo(clicks), 20);
}

TEST(History, AClickIsOneStepEach) {
    History h(blank_document(3, 7));
    for (const double value : {2.0, 3.0}) {
        h.change(with_gamma(h.document(), value), "set");
        h.settle(false);
    }
    h.undo();
    EXPECT_EQ((*h.document().gamma)[0], 2.0);
    h.undo();
    EXPECT_EQ((*h.document().gamma)[0], 1.0);
}

TEST(History, DraggedThereAndBackIsNoStep) {
    History h(blank_document(3, 7));
    h.change(with_gamma(h.document(), 2), "there");
    h.settle(true);
    h.change(with_gamma(h.document(), 1), "back");
    h.settle(false);
    EXPECT_FALSE(h.can_undo());
    EXPECT_TRUE(h.undo_label().empty());
}

TEST(History, UndoInMidGestureTakesTheGestureBack) {
    const Document start = blank_document(3, 7);
    History h(start);
    h.change(with_gamma(h.document(), 2), "drag");
    h.settle(true);
    EXPECT_TRUE(h.can_undo());
    h.undo();
    EXPECT_EQ(h.document(), start);
    EXPECT_TRUE(h.can_redo());
}

TEST(History, AnEditAfterUndoDropsWhatWasUndone) {
    History h(blank_document(3, 7));
    h.change(with_gamma(h.document(), 2), "first");
    h.settle(false);
    h.undo();
    h.change(with_gamma(h.document(), 3), "second");
    EXPECT_FALSE(h.can_redo());
    h.settle(false);
    EXPECT_FALSE(h.can_redo());
    EXPECT_TRUE(h.redo_label().empty());
    h.redo();
    EXPECT_EQ((*h.document().gamma)[0], 3.0);
}

TEST(History, SavedIsAboutTheDocumentNotTheWay) {
    History h(blank_document(3, 7));
    EXPECT_TRUE(h.saved());
    h.change(with_gamma(h.document(), 2), "edit");
    h.settle(false);
    EXPECT_FALSE(h.saved());
    h.mark_saved();
    EXPECT_TRUE(h.saved());
    h.undo();
    EXPECT_FALSE(h.saved());
    h.redo();
    EXPECT_TRUE(h.saved());
}

// Any edits, some refused, some within one gesture; then all the way back and forth.
TEST(History, UndoAfterRandomEditsReturnsTheSameDocuments) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const Document start = testing::any_document(random, 3, 5, testing::any_number);
        History h(start);
        std::vector<Document> settled{start};
        for (int i = 0; i < 100; ++i) {
            const Edit edit = testing::any_edit(random, h.document());
            const auto next = apply(h.document(), edit);
            if (!next) continue;
            ASSERT_TRUE(check(*next)) << check(*next).error().message;
            h.change(*next, describe(edit, h.document()));
            const bool interacting = random.below(3) == 0;
            h.settle(interacting);
            if (!interacting && !(h.document() == settled.back())) settled.push_back(h.document());
        }
        h.settle(false);
        if (!(h.document() == settled.back())) settled.push_back(h.document());
        ASSERT_GT(settled.size(), 20u);
        for (std::size_t i = settled.size(); i-- > 0;) {
            ASSERT_EQ(h.document(), settled[i]) << i;
            EXPECT_EQ(h.can_undo(), i > 0);
            if (i > 0) {
                EXPECT_FALSE(h.undo_label().empty());
                h.undo();
            }
        }
        EXPECT_EQ(h.document(), start);
        for (std::size_t i = 1; i < settled.size(); ++i) {
            h.redo();
            ASSERT_EQ(h.document(), settled[i]) << i;
        }
        EXPECT_FALSE(h.can_redo());
    }
}

} // namespace
} // namespace normscope
