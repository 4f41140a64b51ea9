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
    EXPECT_EQ(h.count_in("influence", "no other token"), k_compared_count - 1) << "but for batch";
    EXPECT_FALSE(h.has("batch-vs-layer.influence.batch.cells"));
    EXPECT_FALSE(h.has("batch-vs-layer.norms.batch.cells")) << "why, in place of cells";
    const float below = h.named("batch-vs-layer.influence").rect.y;
    EXPECT_TRUE(std::ranges::none_of(h.log().texts, [&](const LoggedText& text) {
        return text.text == "NaN" && text.rect.y < below;
    }));
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
    EXPECT_TRUE(h.says("norms.layer", "Own average"));
    EXPECT_TRUE(h.says("norms.batch", "Class average"));
    EXPECT_TRUE(h.says("influence", "others exactly 0"));
    EXPECT_TRUE(h.says("influence", "full"));
    EXPECT_TRUE(h.says("norms.layer", "6 of 24")) << "a row";
    EXPECT_TRUE(h.says("norms.batch", "4 of 24")) << "a column";
}

// All norms are shown here: which one the document has changes nothing, and nothing is made anew.
TEST(BatchVsLayerWorkspace, StaysWhenTheDocumentsNormOrPrecisionChanges) {
    BatchVsLayer h;
    const auto shown = [&] { return h.has("batch-vs-layer.influence.batch.cells"); };
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
    const auto said = [&] { return h.has_text("X to Y in float32, this workspace in float64"); };
    h.move(h.z_cell(1, 2));
    h.settle();
    EXPECT_TRUE(said());
    h.key_and_settle(Key::n1);
    EXPECT_FALSE(said());
}

TEST(BatchVsLayerWorkspace, TheBatchOfOneIsRefusedInTrainingOnly) {
    BatchVsLayer h;
    const Rect size = h.named("batch-vs-layer.size").rect;
    h.click(Point{size.x + 3, size.y + size.h / 2});
    h.settle();
    EXPECT_EQ(h.document().batch.batch, 1);
    EXPECT_FALSE(h.has("batch-vs-layer.batch-size.training.cells"));
    EXPECT_TRUE(h.has("batch-vs-layer.batch-size.evaluation.cells"));
    const TrainAndEval& one = h.study().training();
    EXPECT_TRUE(one.train_error);
    EXPECT_EQ(one.learned_on, 4) << "all samples";
    EXPECT_TRUE(h.says("batch-size", "all 4 samples"));
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
    const auto in_red = [&] {
        const Color error = theme(h.state().view.theme).error;
        return !h.vertices(error, h.named("batch-vs-layer.running").rect).empty();
    };
    h.scroll_to("batch-vs-layer.running.nan");
    EXPECT_FALSE(in_red());
    h.click("batch-vs-layer.running.nan");
    h.settle();
    EXPECT_EQ(h.document().batch.nan_update, 22);
    EXPECT_TRUE(h.study().training().eval.array().isNaN().all());
    EXPECT_TRUE(h.study().training().train.allFinite());
    EXPECT_TRUE(in_red()) << "marked in the chart, and explained";
    h.click("batch-vs-layer.running.step");
    h.settle();
    EXPECT_EQ(h.document().batch.updates, 45);
    EXPECT_TRUE(h.study().training().poisoned);
    h.click("batch-vs-layer.running.reset");
    h.settle();
    EXPECT_FALSE(h.study().training().poisoned);
    EXPECT_FALSE(in_red());
    EXPECT_TRUE(h.study().training().eval.allFinite());
    EXPECT_EQ(h.document().batch.updates, 0);
}

TEST(BatchVsLayerWorkspace, TheRunningStatisticsAreSeenToArriveWithEveryMomentum) {
    struct Row {
        double momentum;
        int arrives;
        const char* last_tick; // of the axis of updates
    };
    for (const Row& row : {Row{0.1, 44, "60"}, Row{0.003, 1533, "2000"}}) {
        BatchVsLayer h;
        Document d = h.document();
        d.batch.momentum = row.momentum;
        d.batch.updates = 7;
        h.become(d);
        h.settle();
        EXPECT_TRUE(h.says("running", std::to_string(row.arrives))) << row.momentum;
        EXPECT_EQ(h.count_in("running", row.last_tick), 1) << row.momentum;
        d.batch.updates = row.arrives;
        h.become(d);
        h.settle();
        EXPECT_TRUE(h.says("running", "99.0 %")) << row.momentum;
    }
}

TEST(BatchVsLayerWorkspace, ANanInTheBatchIsNamedBesideTheRunningStatistics) {
    BatchVsLayer h({.example = "nan-token"});
    EXPECT_TRUE(h.study().training().running.mean.array().isNaN()(1));
    EXPECT_TRUE(h.says("running", "“" + h.document().features->at(1) + "”"));
    BatchVsLayer finite; // names the feature that is looked at
    EXPECT_FALSE(finite.says("running", "“" + finite.document().features->at(1) + "”"));
    EXPECT_TRUE(finite.says("running", "“" + finite.document().features->at(0) + "”"));
}

TEST(BatchVsLayerWorkspace, TheFutureLeaksUnderBatchNormOnly) {
    BatchVsLayer h;
    h.scroll_to_end();
    const auto now = [&] { return sequences(h.document().batch, h.document().eps); };
    const auto says_amount = [&](std::optional<double> moved) {
        return h.says("sequences", "words " + number_text(moved.value(), 2));
    };
    EXPECT_GT(now().batch_moved.earlier.value(), 0.01);
    EXPECT_TRUE(says_amount(now().batch_moved.earlier));
    EXPECT_EQ(now().layer_moved.earlier, 0.0);
    EXPECT_TRUE(h.says("sequences", "words exactly 0"));
    EXPECT_FALSE(now().batch_moved.later) << "nothing comes after it";
    // Raise the first word of the first sentence.
    const Rect first = h.named("batch-vs-layer.sequences.z.0").rect;
    h.click(Point{first.x + 8, first.y + 8});
    h.settle();
    EXPECT_EQ(h.document().batch.leak, (SentenceCell{0, 0, 0}));
    EXPECT_FALSE(now().batch_moved.earlier) << "nothing comes before it";
    EXPECT_TRUE(says_amount(now().batch_moved.later));
    EXPECT_EQ(h.count_in("sequences", "+1 the"), 3) << "in z and under both norms";
    EXPECT_TRUE(h.says("sequences", "z = " + fixed_text(now().z(0, 0), 2)))
        << "of the cell under the mouse";
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
    h.settle();
    const double largest = touch_of(h.study().norms(), 0, 0, 1)[k_layer].largest;
    for (const bool y : {true, false}) {
        h.click(y ? "batch-vs-layer.result.y" : "batch-vs-layer.result.x-hat");
        h.move(h.z_cell(0, 0));
        h.settle();
        EXPECT_EQ(h.says("norms.layer", "γ (z − μ)"), y);
        EXPECT_EQ(h.says("influence", "‖∂Y / ∂z‖"), y);
        EXPECT_TRUE(h.says("norms.layer", "by " + number_text((y ? 2 : 1) * largest, 2))) << y;
    }
    EXPECT_EQ(h.document(), d) << "how it is looked at is no edit";
}

TEST(BatchVsLayerWorkspace, TheBatchSizeShowsWhatTheNormsShow) {
    BatchVsLayer h;
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), 40.0);
    h.become(d);
    const auto difference = [&](NormResult which) {
        return number_text(h.study().training_result(which).difference, 2);
    };
    for (const bool y : {true, false}) {
        h.click_and_settle(y ? "batch-vs-layer.result.y" : "batch-vs-layer.result.x-hat");
        EXPECT_EQ(h.says("batch-size", difference(NormResult::y)), y);
        EXPECT_EQ(h.says("batch-size", difference(NormResult::x_hat)), !y);
        for (const std::string half : {"Training, ", "Evaluation, "})
            EXPECT_TRUE(h.says("batch-size", half + (y ? "Y" : "x"))) << half << y;
    }
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
    EXPECT_TRUE(h.says("norms.layer", "∞ − ∞"));
    EXPECT_FALSE(h.says("norms.rms", "∞ − ∞")) << "RMS norm takes no mean";
    EXPECT_TRUE(h.says("norms.rms", "∞/∞"));
}

TEST(BatchVsLayerWorkspace, ANaNBatchThatLiesAheadIsSaidToDoSo) {
    BatchVsLayer h;
    ASSERT_TRUE(h.state().apply_edits({set<&BatchSetup::nan_update>(30)}));
    for (const int updates : {20, 30}) {
        ASSERT_TRUE(h.state().apply_edits({set<&BatchSetup::updates>(updates)}));
        h.settle();
        EXPECT_EQ(h.study().training().poisoned, updates == 30);
        EXPECT_EQ(h.has_text("The NaN batch is still ahead, at update 30."), updates < 30);
    }
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
    EXPECT_TRUE(h.has("batch-vs-layer.norms.rms"));
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
    struct Row {
        const char* what;
        Index batch;
        double eps, gamma;
        bool no_gradient, degenerate, trace; // what is said
    };
    for (const Row& row : {Row{"four rows", 4, 1e-5, 1, false, false, false},
                           Row{"two rows", 2, 0, 1, true, true, false},
                           Row{"two rows with ε", 2, 1e-5, 1, false, true, true},
                           Row{"γ takes it all, not the norm", 2, 1e-5, 0, true, false, false}}) {
        BatchVsLayer h;
        Document d = h.document();
        d.batch.batch = row.batch;
        d.eps = row.eps;
        d.gamma = std::vector<double>(d.gamma->size(), row.gamma);
        h.become(d);
        h.click_and_settle("batch-vs-layer.result.y");
        const Matrix<double>& reach = h.study().influence(NormResult::y).of[k_batch];
        EXPECT_EQ(reach.isZero(0), row.no_gradient) << row.what;
        EXPECT_EQ(h.says("influence", "no gradient"), row.no_gradient) << row.what;
        EXPECT_EQ(h.says("influence", "degenerate"), row.degenerate) << row.what;
        EXPECT_EQ(h.says("influence", "but for ε"), row.trace) << row.what;
    }
}

// A norm of two values keeps only which is larger; any other trace comes from ε.
TEST(BatchVsLayerWorkspace, TheTraceOfEpsIsNamed) {
    struct Row {
        const char* example;
        std::optional<std::size_t> degenerate; // the norm
    };
    for (const Row& row : {Row{"batch-against-layer", k_batch}, Row{"two-features", k_layer},
                           Row{"one-feature", k_rms}, Row{"studying", {}}}) {
        BatchVsLayer h({.example = row.example});
        EXPECT_EQ(h.says("influence", "degenerate"), row.degenerate.has_value()) << row.example;
        if (!row.degenerate) continue;
        EXPECT_TRUE(is_degenerate(h.study(), *row.degenerate, h.study().norms().batch));
        const std::string norm(k_compared_norms[*row.degenerate].label);
        EXPECT_TRUE(h.says("influence", norm + " norm of")) << row.example;
    }
    BatchVsLayer two_rows({.example = "batch-against-layer"});
    const double trace = two_rows.study().influence(NormResult::x_hat).of[k_batch].maxCoeff();
    EXPECT_EQ(two_rows.count_in("influence", "only ε’s trace, " + number_text(trace, 2)), 1);
}

TEST(BatchVsLayerWorkspace, ANaNThatStaysOneIsNotSaidNotToMove) {
    BatchVsLayer h;
    Matrix<double> x = *h.document().x;
    x(1, 2) = std::numeric_limits<double>::quiet_NaN();
    ASSERT_TRUE(h.state().apply_edits({SetInput{Input::x, x, {}, {}, "x"}}));
    h.settle();
    h.move(h.z_cell(0, 2));
    h.settle();
    EXPECT_TRUE(h.says("norms.batch", "NaN stays NaN"));
}

TEST(BatchVsLayerWorkspace, InfluenceIsOfTheBatch) {
    BatchVsLayer h;
    EXPECT_FALSE(h.says("influence", "B = "));
    EXPECT_EQ(h.study().influence(NormResult::y).of[k_batch].rows(), 4) << "the whole batch";
    const Rect size = h.named("batch-vs-layer.size").rect;
    h.click(Point{size.x + size.w / 3, size.y + size.h / 2});
    h.settle();
    ASSERT_EQ(h.document().batch.batch, 2);
    EXPECT_TRUE(h.says("influence", "B = 2"));
    EXPECT_TRUE(h.says("norms.batch", "B = 2"));
    EXPECT_EQ(h.study().influence(NormResult::y).of[k_batch].rows(), 2);
}

TEST(BatchVsLayerWorkspace, TheLargestDocumentIsShownInItsOwnFrame) {
    BatchVsLayer h;
    h.become(filled(1031, 1017));
    h.frame();
    EXPECT_TRUE(h.says("norms.layer", "1017 of 1048527")) << "a row";
    EXPECT_TRUE(h.says("norms.batch", "1031 of 1048527")) << "a column";
    h.become(*apply(h.document(), SetZ{0, 0, Matrix<double>::Constant(1, 1, 9)}));
    h.frame();
    EXPECT_EQ(h.study().norms().z(0, 0), 9);
}

TEST(BatchVsLayerWorkspace, AnotherSeedIsMeasuredWhileTheLastExperimentStays) {
    BatchVsLayer h;
    const auto last = [&] { return h.state().memory.of<BatchMemory>().small_batches.last(); };
    const auto first = last();
    ASSERT_TRUE(first);
    const auto of_first = [&] {
        return h.says("small-batches", "seed " + std::to_string(first->seed));
    };
    h.scroll_to_end();
    h.become(*apply(h.document(), set<&BatchSetup::seed>(5)));
    h.frame();
    EXPECT_EQ(last(), first);
    EXPECT_TRUE(of_first()) << "what is shown is named";
    h.settle();
    EXPECT_EQ(last()->seed, 5u);
    EXPECT_FALSE(of_first());
    EXPECT_TRUE(h.says("small-batches", std::to_string(k_small_batch_features)));
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
    for (const SmallBatch& shown : {measured, theory})
        EXPECT_TRUE(h.says("small-batches", fixed_text(shown.train_eval, 3)));
    EXPECT_NE(fixed_text(measured.train_eval, 3), fixed_text(theory.train_eval, 3));
    EXPECT_TRUE(h.says("small-batches", "s = √σ²"));
}

TEST(BatchVsLayerWorkspace, StatisticsHaveDigitsToComputeWithAndShareTheirDecimals) {
    struct Row {
        std::array<double, 4> x; // feature after feature
        std::string first, second;
        const char* of;
    };
    for (const Row& row : {Row{{1, 1.1, 2, 2.01}, "0.0025", "2.5e-5", "small σ²"},
                           Row{{0.06, 1.5, 0.08, 1.1}, "0.070", "1.300", "μ of a row each"}}) {
        BatchVsLayer h;
        Document d = blank_document(2, 2);
        d.x = Matrix<double>(Eigen::Map<const Eigen::Matrix2d>(row.x.data()));
        h.become(d);
        h.settle();
        EXPECT_TRUE(h.has_text(row.first)) << row.of;
        EXPECT_TRUE(h.has_text(row.second)) << row.of;
    }
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

TEST(BatchVsLayerWorkspace, ALargeDocumentIsShownAndCanBeEdited) {
    BatchVsLayer h;
    h.become(filled(512, 768));
    h.settle();
    const Index shown = h.study().influence(NormResult::x_hat).tokens;
    EXPECT_LT(shown, 512);
    EXPECT_TRUE(h.says("influence", "first " + std::to_string(shown)));
    EXPECT_TRUE(h.says("norms.layer", "768 of 393216")) << "a row";
    EXPECT_TRUE(h.says("norms.batch", "512 of 393216")) << "a column";
}

} // namespace
} // namespace normscope::testing
