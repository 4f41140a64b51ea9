#include "app/model/history.h"
#include "tests/app/model/random_edit.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

Edit gamma(double value) {
    return SetParam{Param::gamma, 0, 0, value};
}

void make(History& h, const Edit& edit, std::optional<std::size_t> made_in = {}) {
    h.change(*apply(h.document(), edit), edit, made_in);
}

TEST(History, OneGestureIsOneStep) {
    const Document start = blank_document(3, 7);
    History h(start);
    EXPECT_FALSE(h.can_undo());
    for (int frame = 1; frame <= 60; ++frame) {
        make(h, gamma(1 + frame * 0.01));
        h.settle(true);
    }
    h.settle(false);
    for (int frame = 0; frame < 10; ++frame) h.settle(false); // at rest
    EXPECT_EQ(h.undo_label(), "γ[0] → 1.60");
    h.undo();
    EXPECT_EQ(h.document(), start);
    EXPECT_FALSE(h.can_undo());
    EXPECT_EQ(h.redo_label(), "γ[0] → 1.60");
    h.redo();
    EXPECT_EQ((*h.document().gamma)[0], 1.6);
}

TEST(History, LookingAtAnotherStepOfARaceOrAtMoreWordsIsNoStep) {
    History h(blank_document(3, 7));
    h.mark_saved();
    make(h, set<&RaceSetup::step>(5));
    EXPECT_FALSE(h.can_undo()) << "while a hand is on it";
    h.settle(false);
    make(h, Decode{1});
    h.settle(false);
    EXPECT_FALSE(h.can_undo());
    EXPECT_TRUE(h.saved());
    EXPECT_EQ(h.document().train.step, 5);
    EXPECT_EQ(h.document().transformer.decoded, 1);
    make(h, gamma(2));
    h.settle(false);
    make(h, set<&RaceSetup::step>(9));
    h.settle(false);
    h.undo();
    EXPECT_EQ(h.document().train.step, 9) << "the same race is looked at as before";
    h.redo();
    EXPECT_EQ(h.document().train.step, 9);
    make(h, BeginAnew{});
    TrainConfig other = h.document().train.common;
    other.lr *= 2;
    make(h, SetRace{other});
    h.settle(false);
    EXPECT_EQ(h.document().train.step, 0);
    h.undo();
    EXPECT_EQ(h.document().train.step, 9) << "another race is looked at as when it was left";
}

TEST(History, KnowsWhereEachStepWasMade) {
    History h(blank_document(3, 7));
    make(h, gamma(2), 3);
    EXPECT_EQ(h.to_undo()->made_in, 3u) << "also before the step is closed";
    h.settle(false);
    make(h, gamma(4));
    h.settle(false);
    EXPECT_FALSE(h.to_undo()->made_in);
    h.undo();
    EXPECT_EQ(h.to_undo()->made_in, 3u);
    EXPECT_FALSE(h.to_redo()->made_in);
    h.undo();
    EXPECT_FALSE(h.to_undo());
    EXPECT_EQ(h.to_redo()->made_in, 3u);
}

TEST(History, AStepKeepsItsEdit) {
    History h(blank_document(3, 7));
    make(h, Randomize{Distribution::uniform, 12});
    h.settle(false);
    EXPECT_EQ(std::get<Randomize>(h.to_undo()->edit).seed, 12u);
    make(h, SetInput{Input::x, Matrix<double>::Ones(3, 7), {}, {}, "a.csv"});
    h.settle(false);
    EXPECT_EQ(h.undo_label(), "Open a.csv as X");
    EXPECT_EQ(std::get<SetInput>(h.to_undo()->edit).values.size(), 0) << "the document has them";
    h.begin({blank_document(2, 2), "b"});
    EXPECT_EQ(h.undo_label(), "Open “b”");
    EXPECT_TRUE(std::holds_alternative<Replace>(h.to_undo()->edit));
    h.undo();
    EXPECT_TRUE(std::holds_alternative<SetInput>(h.to_undo()->edit));
    EXPECT_TRUE(std::holds_alternative<Replace>(h.to_redo()->edit));
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
            make(h, next(i + 0.5));
            h.settle(false);
        }
        return h;
    };
    const auto cell = [](double value) -> Edit {
        return SetCells{Input::x, 0, 0, Matrix<double>::Constant(1, 1, value)};
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
    History shared = after(6 * bytes, gamma);
    EXPECT_EQ(steps_to_undo(shared), 20) << "γ keeps no matrix";
    History clicks = after(History::k_most_bytes, cell);
    EXPECT_EQ(steps_to_undo(clicks), 20);
}

TEST(History, AClickIsOneStepEach) {
    History h(blank_document(3, 7));
    for (const double value : {2.0, 3.0}) {
        make(h, gamma(value));
        h.settle(false);
    }
    h.undo();
    EXPECT_EQ((*h.document().gamma)[0], 2.0);
    h.undo();
    EXPECT_EQ((*h.document().gamma)[0], 1.0);
}

TEST(History, DraggedThereAndBackIsNoStep) {
    History h(blank_document(3, 7));
    make(h, gamma(2));
    h.settle(true);
    make(h, gamma(1));
    h.settle(false);
    EXPECT_FALSE(h.can_undo());
    EXPECT_TRUE(h.undo_label().empty());
}

TEST(History, UndoInMidGestureTakesTheGestureBack) {
    const Document start = blank_document(3, 7);
    History h(start);
    make(h, gamma(2));
    h.settle(true);
    EXPECT_TRUE(h.can_undo());
    h.undo();
    EXPECT_EQ(h.document(), start);
    EXPECT_TRUE(h.can_redo());
}

TEST(History, AnEditAfterUndoDropsWhatWasUndone) {
    History h(blank_document(3, 7));
    make(h, gamma(2));
    h.settle(false);
    h.undo();
    make(h, gamma(3));
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
    make(h, gamma(2));
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
            h.change(*next, edit);
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
