#include "app/charts/number_format.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/random.h"
#include "tests/app/shell/layout_checks.h"
#include "tests/app/workspaces/batch_vs_layer/batch_vs_layer.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

TEST(BatchVsLayerWorkspace, OneTokenHasNoStatisticsOverTheBatchAndNoOthers) {
    BatchVsLayer h({.example = "backward-by-hand"});
    EXPECT_EQ(h.document().token_count(), 1);
    EXPECT_TRUE(h.has_text("no other token"));
    EXPECT_FALSE(h.has_text("others exactly 0"));
    const auto below = std::ranges::find(h.log().texts, "Who touches whom", &LoggedText::text);
    ASSERT_NE(below, h.log().texts.end());
    const auto not_a_number = std::ranges::count_if(h.log().texts, [&](const LoggedText& text) {
        return text.text == "NaN" && text.rect.y < below->rect.y;
    });
    EXPECT_EQ(not_a_number, 0) << "why, in place of cells";
}

TEST(BatchVsLayerWorkspace, TheKeysOfTheColoursAreInSightInEveryLanguage) {
    for (const char* const language : {"en", "de", "es"})
        for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
            Harness h({.window = window, .language = language});
            h.key_and_settle(Key::n2);
            for (const char* const card : {"z", "layer", "batch"}) {
                const std::string name = std::string("batch-vs-layer.norms.") + card + ".key";
                ASSERT_TRUE(h.has(name)) << name << ", " << window.w << ", " << language;
                EXPECT_EQ(h.named(name).in_sight(), h.named(name).rect);
            }
            EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << window.w << language;
        }
}

TEST(BatchVsLayerWorkspace, OpensWithItsKeyAndSaysWhoIsMeasuredAgainstWhom) {
    BatchVsLayer h;
    EXPECT_TRUE(h.has_text("Own average"));
    EXPECT_TRUE(h.has_text("Class average"));
    EXPECT_TRUE(h.has_text("others exactly 0"));
    EXPECT_TRUE(h.has_text("full"));
    EXPECT_TRUE(h.has_text("6 of 24 values move")); // a row
    EXPECT_TRUE(h.has_text("4 of 24 values move")); // a column
}

// All norms are shown here: which one the document has changes nothing, and nothing is made anew.
TEST(BatchVsLayerWorkspace, StaysWhenTheDocumentsNormOrPrecisionChanges) {
    BatchVsLayer h;
    const auto shown = [&] { return h.has_text("Who touches whom"); };
    EXPECT_TRUE(shown());
    h.key(Key::n1);
    h.click("add-norm.norm.batch");
    h.key(Key::n2);
    h.settle();
    ASSERT_EQ(h.document().norm, NormKind::batch);
    EXPECT_TRUE(shown());
    Document d = h.document();
    d.precision = Precision::float64;
    d.norm = NormKind::none;
    h.become(d);
    h.settle();
    EXPECT_TRUE(shown());
    h.key(Key::z, true);
    h.settle();
    EXPECT_TRUE(shown());
}

TEST(BatchVsLayerWorkspace, TheLineBelowSaysThatItsNumbersAreOfFloat32) {
    BatchVsLayer h;
    h.move(h.z_cell(1, 2));
    h.settle();
    EXPECT_TRUE(h.has_text("X to Y in float32, this workspace in float64"));
    h.key(Key::n1);
    h.settle();
    EXPECT_FALSE(h.has_text("this workspace in float64"));
}

TEST(BatchVsLayerWorkspace, TheBatchOfOneIsRefusedInTrainingOnly) {
    BatchVsLayer h;
    const Rect size = h.named("batch-vs-layer.size").rect;
    h.click(Point{size.x + 3, size.y + size.h / 2});
    h.settle();
    EXPECT_EQ(h.document().batch.batch, 1);
    EXPECT_TRUE(h.has_text("Training refuses a batch of one"));
    EXPECT_TRUE(h.has_text("from batches of all 4 samples"));
    const TrainAndEval& one = h.study().training();
    EXPECT_TRUE(one.eval.allFinite());
    EXPECT_EQ(one.running.updates, h.document().batch.updates);
    EXPECT_NE(one.eval.row(0), h.z().row(0)) << "it is normalized";
    h.key(Key::right);
    h.settle();
    EXPECT_EQ(h.document().batch.batch, 2);
    EXPECT_FALSE(h.study().training().train_error);
    h.key(Key::z, true);
    EXPECT_EQ(h.document().batch.batch, 1);
}

TEST(BatchVsLayerWorkspace, ANanBatchIsForGoodUntilTheStatisticsAreReset) {
    BatchVsLayer h;
    h.scroll_to("batch-vs-layer.running.nan");
    h.click("batch-vs-layer.running.nan");
    h.settle();
    EXPECT_EQ(h.document().batch.nan_update, 22);
    EXPECT_TRUE(h.study().training().eval.array().isNaN().all());
    EXPECT_TRUE(h.study().training().train.allFinite());
    EXPECT_TRUE(h.has_text("NaN for good"));
    h.click("batch-vs-layer.running.step");
    h.settle();
    EXPECT_EQ(h.document().batch.updates, 45);
    EXPECT_TRUE(h.study().training().poisoned);
    h.click("batch-vs-layer.running.reset");
    h.settle();
    EXPECT_FALSE(h.study().training().poisoned);
    EXPECT_TRUE(h.study().training().eval.allFinite());
    EXPECT_EQ(h.document().batch.updates, 0);
}

TEST(BatchVsLayerWorkspace, TheRunningStatisticsAreSeenToArriveWithEveryMomentum) {
    BatchVsLayer h;
    EXPECT_TRUE(h.has_text("99 % takes 44."));
    EXPECT_FALSE(h.has_text("2000")); // the axis of updates
    h.become(*apply(h.document(), set<&BatchSetup::momentum>(0.003)));
    h.settle();
    EXPECT_TRUE(h.has_text("99 % takes 1533."));
    EXPECT_TRUE(h.has_text("2000"));
    h.become(*apply(h.document(), set<&BatchSetup::updates>(1533)));
    h.settle();
    EXPECT_TRUE(h.has_text("99.0 % of the way"));
}

TEST(BatchVsLayerWorkspace, ANanInTheBatchIsNamedBesideTheRunningStatistics) {
    BatchVsLayer h({.example = "nan-token"});
    const std::string name = h.document().features->at(1);
    EXPECT_TRUE(h.study().training().running.mean.array().isNaN()(1));
    EXPECT_TRUE(h.has_text("Not for “" + name + "”: not all of its samples are finite"));
    BatchVsLayer finite;
    EXPECT_FALSE(finite.has_text("are finite, and so"));
    EXPECT_TRUE(finite.has_text("running μ"));
}

TEST(BatchVsLayerWorkspace, TheFutureLeaksUnderBatchNormOnly) {
    BatchVsLayer h;
    h.scroll_to_end();
    EXPECT_TRUE(h.has_text("exactly 0 under layer norm"));
    const Sequences s = sequences(h.document().batch, h.document().eps);
    EXPECT_GT(s.batch_moved.earlier.value(), 0.01);
    EXPECT_EQ(s.layer_moved.earlier, 0.0);
    EXPECT_TRUE(h.has_text("no later words"));
    // Raise the first word of the first sentence.
    const Rect first = h.named("batch-vs-layer.sequences.z.0").rect;
    h.click(Point{first.x + 8, first.y + 8});
    h.settle();
    EXPECT_EQ(h.document().batch.leak, (SentenceCell{0, 0, 0}));
    EXPECT_FALSE(sequences(h.document().batch, h.document().eps).batch_moved.earlier)
        << "nothing comes before it";
    EXPECT_TRUE(h.has_text("no earlier words"));
    EXPECT_TRUE(h.has_text("later words 0.") || h.has_text("later words 1."));
    EXPECT_TRUE(h.has_text("+1 the"));
    EXPECT_TRUE(h.has_text("after the +1")) << "z of the cell under the mouse";
    h.key(Key::down); // and on by keyboard
    h.settle();
    EXPECT_EQ(h.document().batch.leak, (SentenceCell{0, 1, 0}));
    h.key(Key::right);
    h.settle();
    EXPECT_EQ(h.document().batch.leak, (SentenceCell{0, 1, 1}));
}

TEST(BatchVsLayerWorkspace, LeavingPaddingOutTakesItFromTheStatistics) {
    BatchVsLayer h;
    h.scroll_to_end();
    h.click("batch-vs-layer.padding.left-out");
    h.settle();
    EXPECT_EQ(h.document().batch.padding, Padding::left_out);
    h.key(Key::z, true);
    EXPECT_EQ(h.document().batch.padding, Padding::counted);
}

TEST(BatchVsLayerWorkspace, AtRestNothingIsComputedOrDrawnAnew) {
    BatchVsLayer h;
    h.settle();
    const std::uint64_t norms = h.study().norms_version();
    const std::uint64_t drawn = h.draw_digest();
    h.frames(3);
    EXPECT_EQ(h.study().norms_version(), norms);
    EXPECT_EQ(h.draw_digest(), drawn);
    EXPECT_FALSE(h.app().animating());
}

TEST(BatchVsLayerWorkspace, EveryExampleIsShownWithAndWithoutTheSkip) {
    BatchVsLayer h;
    for (const Example& example : h.state().examples) {
        auto document = open_example(example);
        ASSERT_TRUE(document);
        for (const Residual residual : {Residual::add, Residual::no_skip})
            for (const Index batch : {Index{0}, Index{1}, Index{2}}) {
                document->residual = residual;
                document->batch.batch = batch;
                document->batch.nan_update = batch == 2 ? 3 : 0;
                h.become(*document);
                h.frames(2);
            }
    }
}

Document filled(Index tokens, Index features) {
    Document d = blank_document(tokens, features);
    Random random(3);
    Matrix<double> x(tokens, features);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
    d.x = std::move(x);
    return d;
}

TEST(BatchVsLayerWorkspace, TheResultsAreShownWithGammaAndBetaOrWithout) {
    BatchVsLayer h;
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), -2.0);
    h.become(d);
    h.click("batch-vs-layer.result.y");
    h.settle();
    EXPECT_TRUE(h.has_text("γ (z − μ)"));
    EXPECT_TRUE(h.has_text("‖∂Y / ∂z‖"));
    const Touch y = touch_of(h.study().norms(), 0, 0, 1);
    h.move(h.z_cell(0, 0));
    h.settle();
    EXPECT_TRUE(h.has_text("most by " + number_text(2 * y[k_layer].largest, 2)));
    h.click("batch-vs-layer.result.x-hat");
    h.move(h.z_cell(0, 0));
    h.settle();
    EXPECT_FALSE(h.has_text("γ (z − μ)"));
    EXPECT_FALSE(h.has_text("‖∂Y / ∂z‖"));
    EXPECT_TRUE(h.has_text("most by " + number_text(y[k_layer].largest, 2)));
    EXPECT_EQ(h.document(), d) << "how it is looked at is no edit";
}

TEST(BatchVsLayerWorkspace, TheBatchSizeShowsWhatTheNormsShow) {
    BatchVsLayer h;
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), 40.0);
    h.become(d);
    h.click("batch-vs-layer.result.y");
    h.settle();
    const auto difference = [&](NormResult which) {
        return "they differ by " + number_text(h.study().training_result(which).difference, 2);
    };
    ASSERT_NE(difference(NormResult::y), difference(NormResult::x_hat));
    EXPECT_TRUE(h.has_text("Training, Y"));
    EXPECT_TRUE(h.has_text("Evaluation, Y"));
    EXPECT_TRUE(h.has_text(difference(NormResult::y)));
    h.click("batch-vs-layer.result.x-hat");
    h.settle();
    EXPECT_TRUE(h.has_text("Training, x"));
    EXPECT_TRUE(h.has_text("Evaluation, x"));
    EXPECT_TRUE(h.has_text(difference(NormResult::x_hat)));
}

TEST(BatchVsLayerWorkspace, ANaNIsNamedWhereItShows) {
    BatchVsLayer h({.example = "nan-token"});
    const auto why = h.study().norms().not_a_number;
    ASSERT_TRUE(why);
    EXPECT_TRUE(h.has_text(why->cause));
    EXPECT_FALSE(BatchVsLayer().study().norms().not_a_number);
}

TEST(BatchVsLayerWorkspace, EachCardSaysWhatAnInfiniteEntryDoesToItsSet) {
    BatchVsLayer h;
    Matrix<double> x = *h.document().x;
    x(0, 2) = std::numeric_limits<double>::infinity();
    ASSERT_TRUE(h.state().apply_edits({SetInput{Input::x, x, {}, {}, "x"}}));
    h.settle();
    ASSERT_TRUE(h.study().norms().not_a_number);
    EXPECT_TRUE(h.study().norms().not_a_number->infinite);
    EXPECT_TRUE(h.has_text("∞ − ∞ and ∞/∞ are NaN"));
    EXPECT_TRUE(h.has_text("∞/∞ is NaN, and the rest")) << "RMS norm takes no mean";
}

TEST(BatchVsLayerWorkspace, ANaNBatchThatLiesAheadIsSaidToDoSo) {
    BatchVsLayer h;
    ASSERT_TRUE(
        h.state().apply_edits({set<&BatchSetup::updates>(20), set<&BatchSetup::nan_update>(30)}));
    h.settle();
    EXPECT_TRUE(h.has_text("The NaN batch is still ahead, at update 30."));
    ASSERT_TRUE(h.state().apply_edits({set<&BatchSetup::updates>(30)}));
    h.settle();
    EXPECT_FALSE(h.has_text("still ahead"));
}

TEST(BatchVsLayerWorkspace, AMomentumThatCannotBeIsRefusedInASentence) {
    BatchVsLayer h;
    for (const std::string typed : {"0", "NaN"}) {
        h.double_click(h.center_of("batch-vs-layer.momentum.value"));
        h.type(typed);
        h.state().status.clear();
        h.key(Key::enter);
        h.frames(2);
        EXPECT_EQ(h.state().status, "Momentum must be from 0.001 to 1, but it is " + typed + ".")
            << typed;
        EXPECT_EQ(h.document().batch.momentum, 0.1) << typed;
    }
}

TEST(BatchVsLayerWorkspace, ASmallWindowShowsTheThreeCardsAtOnce) {
    BatchVsLayer h({.window = {1024, 768}});
    EXPECT_TRUE(h.has_text("mean z²"));
    h.click("batch-vs-layer.norms.more");
    h.settle();
    EXPECT_FALSE(h.has("batch-vs-layer.norms.rms"));
    for (const std::string card : {"z", "layer", "batch"}) {
        const NamedPart& cells = h.named("batch-vs-layer.norms." + card + ".cells");
        EXPECT_LE(cells.rect.bottom(), cells.clip.bottom()) << card;
    }
}

TEST(BatchVsLayerWorkspace, TheSequencesNameTheirFeatures) {
    BatchVsLayer h({.example = "nan-token"});
    const auto named = [&](const std::string& name) {
        return std::ranges::count(h.log().texts, name, &LoggedText::text);
    };
    EXPECT_GE(named("d2"), 12 + 4) << "z and two norms of four sentences";
}

TEST(BatchVsLayerWorkspace, EveryUntouchedPairIsWrittenAsZero) {
    const auto zeros = [](BatchVsLayer& h) {
        return std::ranges::count_if(h.log().texts, [](const auto& t) { return t.text == "0"; });
    };
    BatchVsLayer h({.example = "one-feature"}); // x̂ is 0 under layer norm: all of it
    BatchVsLayer other({.example = "studying"});
    EXPECT_GE(zeros(h), 9 + 6) << "layer, and RMS beside its diagonal";
    EXPECT_GE(zeros(other), 12 + 12) << "layer and RMS beside their diagonals";
}

TEST(BatchVsLayerWorkspace, ANormThatLosesItsWholeGradientSaysSo) {
    BatchVsLayer h;
    EXPECT_FALSE(h.has_text("no gradient"));
    Document d = h.document();
    d.eps = 0;
    d.batch.batch = 2;
    h.become(d);
    h.settle();
    ASSERT_TRUE(h.study().influence(NormResult::y).of[k_batch].isZero(0));
    EXPECT_TRUE(h.has_text("all 0: no gradient"));
    EXPECT_TRUE(h.has_text("Batch norm of two rows is degenerate"));
    EXPECT_FALSE(h.has_text("but for ε"));
    d.eps = 1e-5;
    h.become(d);
    h.settle();
    EXPECT_FALSE(h.has_text("no gradient"));
    EXPECT_TRUE(h.has_text("but for ε"));
    d.gamma = std::vector<double>(d.gamma->size(), 0); // which takes it all, not the norm
    h.become(d);
    h.click("batch-vs-layer.result.y");
    h.settle();
    EXPECT_TRUE(h.has_text("all 0: no gradient"));
    EXPECT_FALSE(h.has_text("Batch norm of two rows is degenerate"));
}

// A norm of two values keeps only which is larger; any other trace comes from ε.
TEST(BatchVsLayerWorkspace, TheTraceOfEpsIsNamed) {
    BatchVsLayer two_rows({.example = "batch-against-layer"});
    EXPECT_TRUE(two_rows.has_text("only ε’s trace"));
    EXPECT_FALSE(two_rows.has_text("full: "));
    EXPECT_TRUE(two_rows.has_text("Batch norm of two rows is degenerate"));
    BatchVsLayer two_features({.example = "two-features"});
    EXPECT_TRUE(two_features.has_text("Layer norm of two features is degenerate"));
    BatchVsLayer one_feature({.example = "one-feature"});
    EXPECT_TRUE(one_feature.has_text("RMS norm of one feature is degenerate"));
    BatchVsLayer many({.example = "studying"});
    EXPECT_FALSE(many.has_text("degenerate"));
}

TEST(BatchVsLayerWorkspace, ANaNThatStaysOneIsNotSaidNotToMove) {
    BatchVsLayer h;
    Matrix<double> x = *h.document().x;
    x(1, 2) = std::numeric_limits<double>::quiet_NaN();
    ASSERT_TRUE(h.state().apply_edits({SetInput{Input::x, x, {}, {}, "x"}}));
    h.settle();
    h.move(h.z_cell(0, 2));
    h.settle();
    EXPECT_TRUE(h.has_text("NaN stays NaN")) << "under batch norm";
    EXPECT_FALSE(h.has_text("nothing moves"));
}

TEST(BatchVsLayerWorkspace, InfluenceIsOfTheBatch) {
    BatchVsLayer h;
    EXPECT_TRUE(h.has_text("in the whole batch"));
    const Rect size = h.named("batch-vs-layer.size").rect;
    h.click(Point{size.x + size.w / 3, size.y + size.h / 2});
    h.settle();
    ASSERT_EQ(h.document().batch.batch, 2);
    EXPECT_TRUE(h.has_text("in a batch of B = 2"));
    EXPECT_TRUE(h.has_text("Class average of B = ")) << "the card goes by B";
    EXPECT_EQ(h.study().influence(NormResult::y).of[k_batch].rows(), 2);
}

TEST(BatchVsLayerWorkspace, TheLargestDocumentIsShownInItsOwnFrame) {
    BatchVsLayer h;
    h.become(filled(1031, 1017));
    h.frame();
    EXPECT_TRUE(h.has_text("1017 of 1048527 values move")); // a row
    EXPECT_TRUE(h.has_text("1031 of 1048527 values move")); // a column
    h.become(*apply(h.document(), SetZ{0, 0, Matrix<double>::Constant(1, 1, 9)}));
    h.frame();
    EXPECT_EQ(h.study().norms().z(0, 0), 9);
}

TEST(BatchVsLayerWorkspace, AnotherSeedIsMeasuredWhileTheLastExperimentStays) {
    BatchVsLayer h;
    const auto first = h.state().memory.of<BatchMemory>().small_batches.last();
    ASSERT_TRUE(first);
    h.scroll_to_end();
    h.become(*apply(h.document(), set<&BatchSetup::seed>(5)));
    h.frame();
    EXPECT_EQ(h.state().memory.of<BatchMemory>().small_batches.last(), first);
    EXPECT_TRUE(h.has_text("Measuring with seed 5"));
    h.settle();
    EXPECT_EQ(h.state().memory.of<BatchMemory>().small_batches.last()->seed, 5u);
    EXPECT_FALSE(h.has_text("Measuring"));
    EXPECT_TRUE(h.has_text("4096 features of N(0, 1), measured"));
}

TEST(BatchVsLayerWorkspace, TheSeedSaysThatItIsAlsoOfTheSequences) {
    for (const Size window : {Size{1024, 4000}, Size{1600, 4000}}) {
        BatchVsLayer h({.window = window});
        EXPECT_TRUE(h.has_text("for Sequences too:")) << window.w;
    }
}

TEST(BatchVsLayerWorkspace, PointingAtABatchSizeKeepsWhatWasMeasured) {
    BatchVsLayer h;
    h.scroll_to("batch-vs-layer.small-batches.table");
    const NamedPart table = h.named("batch-vs-layer.small-batches.table");
    const SmallBatch measured =
        h.state().memory.of<BatchMemory>().small_batches.last()->sizes.front();
    const SmallBatch theory = small_batch_theory(2);
    h.move({table.rect.x + 20, table.rect.y + 8});
    h.settle();
    EXPECT_TRUE(h.has_text(fixed_text(measured.train_eval, 3)));
    EXPECT_TRUE(h.has_text(fixed_text(theory.train_eval, 3)));
    EXPECT_NE(fixed_text(measured.train_eval, 3), fixed_text(theory.train_eval, 3));
    EXPECT_TRUE(h.has_text("s = √σ² of a batch"));
}

TEST(BatchVsLayerWorkspace, ASmallVarianceHasDigitsToComputeWith) {
    BatchVsLayer h;
    Matrix<double> x(2, 2);
    x << 1, 2, 1.1, 2.01;
    Document d = blank_document(2, 2);
    d.x = x;
    h.become(d);
    h.settle();
    EXPECT_TRUE(h.has_text("0.0025")) << "σ² of 1 and 1.1";
    EXPECT_TRUE(h.has_text("2.5e-5")) << "σ² of 2 and 2.01";
}

TEST(BatchVsLayerWorkspace, AMeanThatIsRoundingIsZero) {
    BatchVsLayer h;
    Matrix<double> x(2, 5);
    x << -0.2, -0.3, 1.6, -1.3, 0.2, 1, 2, 3, 4, 5;
    Document d = blank_document(2, 5);
    d.x = x;
    d.precision = Precision::float64;
    h.become(d);
    h.settle();
    EXPECT_FALSE(h.has_text("e-17")) << "-0.2 - 0.3 + 1.6 - 1.3 + 0.2";
    EXPECT_TRUE(h.has_text("3.00"));
}

TEST(BatchVsLayerWorkspace, NumbersThatStandTogetherShareTheirDecimals) {
    BatchVsLayer h;
    Matrix<double> x(2, 2);
    x << 0.06, 0.08, 1.5, 1.1;
    Document d = blank_document(2, 2);
    d.x = x;
    h.become(d);
    h.settle();
    EXPECT_TRUE(h.has_text("0.070")) << "μ of 0.06 and 0.08";
    EXPECT_TRUE(h.has_text("1.300")) << "μ of 1.5 and 1.1";
}

TEST(BatchVsLayerWorkspace, ALargeDocumentIsShownAndCanBeEdited) {
    BatchVsLayer h;
    h.become(filled(512, 768));
    h.settle();
    EXPECT_TRUE(h.has_text("its first 147 tokens"));
    EXPECT_TRUE(h.has_text("768 of 393216 values move")); // a row
    EXPECT_TRUE(h.has_text("512 of 393216 values move")); // a column
}

} // namespace
} // namespace normscope::testing
