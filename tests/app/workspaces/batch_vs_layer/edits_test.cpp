// Batch vs Layer as it opens, and what it says of the last edit.
#include "app/charts/number_format.h"
#include "tests/app/workspaces/batch_vs_layer/batch_vs_layer.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

Document three_by_four(Index groups = 1) {
    Document d = blank_document(3, 4);
    Matrix<double> x(3, 4);
    x << 1, 2, 3, 4, 4, 5, 6, 9, 7, 0, 5, 2;
    d.x = x;
    d.norm.groups = groups;
    return d;
}

auto texts_like(const Harness& h, const std::string& text) {
    return std::ranges::count(h.log().texts, text, &LoggedText::text);
}

TEST(BatchVsLayerOpened, ThePageHasFewControlsAndThreeLargeCards) {
    Harness h;
    h.key(Key::n2);
    h.settle();
    for (const std::string card : {"z", "layer", "batch"})
        EXPECT_GT(h.named("batch-vs-layer.norms." + card).rect.w, 400) << card;
    for (const std::string folded :
         {"norms.rms", "norms.group", "influence", "running", "small-batches", "sequences"})
        EXPECT_FALSE(h.has("batch-vs-layer." + folded)) << folded;
    const NamedPart& last = h.named("batch-vs-layer.batch-size");
    EXPECT_LE(last.rect.bottom(), last.clip.bottom()) << "one screen";
    h.click_and_settle("batch-vs-layer.sequences.unfold");
    EXPECT_GT(h.named("batch-vs-layer.sequences").in_sight().h, 300);
    h.key_and_settle(Key::home);
    h.click_and_settle("batch-vs-layer.norms.more");
    EXPECT_TRUE(h.has("batch-vs-layer.norms.group"));
}

TEST(BatchVsLayerOpened, TheCardOfBatchNormTellsOfPaddingAndAClassOfOne) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        Harness h({.window = window});
        const auto told = [&] { return h.has_text("Padding counts. In a batch of one, σ² is 0."); };
        h.key_and_settle(Key::n2);
        EXPECT_TRUE(told()) << window.w;
        Document d = h.document();
        d.batch.batch = 2;
        h.become(d);
        h.settle();
        EXPECT_FALSE(told()) << "what is behind the batch does not";
    }
}

TEST(BatchVsLayerOpened, TheTableOfSmallBatchesIsShownOnDemand) {
    BatchVsLayer h;
    EXPECT_TRUE(h.has("batch-vs-layer.small-batches.table"));
    h.click_and_settle("batch-vs-layer.small-batches.numbers");
    EXPECT_FALSE(h.has("batch-vs-layer.small-batches.table"));
}

TEST(BatchVsLayerOpened, EachGroupHasItsOwnMuAndSigma) {
    BatchVsLayer h;
    h.become(three_by_four(2));
    h.settle();
    EXPECT_EQ(texts_like(h, "d0–d1"), 3) << "in each row";
    EXPECT_EQ(texts_like(h, "d2–d3"), 3);
    const NormOfZ& group = h.study().norms().norms[3];
    ASSERT_EQ(group.mean.size(), 6);
    for (const double mean : group.mean)
        EXPECT_GT(h.count_in("norms.group", fixed_text(mean, 2)), 0) << mean;
}

TEST(BatchVsLayerOpened, TheBandSweepsAlongWhatSharesMuAndSigma) {
    BatchVsLayer h;
    h.move(h.z_cell(1, 2));
    h.frames(2);
    EXPECT_TRUE(h.app().animating());
    h.settle();
    EXPECT_FALSE(h.app().animating());
    EXPECT_EQ(h.state().view.of<BatchView>().swept, 1);
    EXPECT_EQ(h.state().view.of<BatchView>().banded, (Cell{1, 2}));
}

TEST(BatchVsLayerEdit, IsToldInEachNormWithTheOldValue) {
    BatchVsLayer h;
    h.become(three_by_four());
    h.settle();
    struct Told {
        std::string card, count;
        std::size_t norm;
        Matrix<double> old;
    };
    const std::array<Told, 2> all = {{{"norms.layer", "4 of 12", k_layer, h.x_hat(k_layer)},
                                      {"norms.batch", "3 of 12", k_batch, h.x_hat(k_batch)}}};
    const auto from_to = [&](const Told& told) {
        const Matrix<double>& now = h.x_hat(told.norm);
        Index t = 0, d = 0; // of the value that moved farthest
        (now - told.old).cwiseAbs().maxCoeff(&t, &d);
        return fixed_text(told.old(t, d), 2) + " → " + fixed_text(now(t, d), 2);
    };
    for (const Told& told : all) EXPECT_FALSE(h.says(told.card, " → ")) << told.card;
    h.click(h.z_cell(2, 2));
    h.type("50");
    h.key(Key::enter);
    h.move({-1000, -1000});
    h.settle();
    for (const Told& told : all) {
        EXPECT_TRUE(h.says(told.card, told.count)) << told.card;
        EXPECT_TRUE(h.says(told.card, from_to(told))) << told.card;
        EXPECT_GT(h.count_in(told.card, fixed_text(told.old(2, 2), 2)), 0) << "in its cell, small";
    }
    EXPECT_FALSE(h.probes(0, 0)) << "nothing is pointed at";
    h.move(h.z_cell(0, 0));
    h.settle();
    const Touch by_one = touch_of(h.study().norms(), 0, 0, 1);
    for (const Told& told : all) {
        EXPECT_TRUE(h.says(told.card, number_text(by_one[told.norm].largest, 2))) << told.card;
        EXPECT_TRUE(h.says(told.card, from_to(told))) << "apart from what +1 would do";
    }
    h.key(Key::escape);
    h.move({-1000, -1000});
    h.settle();
    for (const Told& told : all)
        EXPECT_FALSE(h.says(told.card, " → ")) << "Esc forgets what stood before";
}

// Unchanged cells keep their colour and place: scales and cells stand still.
TEST(BatchVsLayerEdit, LeavesTheColoursAndPlacesOfOtherCellsAsTheyAre) {
    BatchVsLayer h;
    h.become(three_by_four());
    h.settle();
    const auto limit = [&](std::string_view scale) {
        return h.state().view.scales.at(scale).now->hi;
    };
    const Theme& colors = theme(h.state().view.theme);
    const Rect cells = h.named("batch-vs-layer.norms.layer.cells").rect;
    const Rect first{cells.x, cells.y, cells.w / 4, cells.h / 3};
    const Color unchanged = heat_color(colors, h.x_hat(k_layer)(0, 0), limit("batch.results"));
    const double z = limit("batch.z"), results = limit("batch.results");
    const auto is_as_before = [&] {
        return limit("batch.results") == results && !h.vertices(unchanged, first).empty();
    };
    ASSERT_TRUE(is_as_before());
    const Point at = h.z_cell(2, 2);
    h.move(at);
    h.press();
    for (int i = 1; i <= 20; ++i) {
        h.move({at.x + 30.0f * static_cast<float>(i), at.y});
        EXPECT_TRUE(is_as_before()) << "during the edit";
        EXPECT_EQ(limit("batch.z"), z) << "during the edit";
    }
    EXPECT_GT(h.z()(2, 2), 10);
    h.release();
    h.settle();
    EXPECT_TRUE(is_as_before()) << "after it";
    EXPECT_GT(limit("batch.z"), z) << "once the hand has let go, Z has its room";
    for (const char* typed : {"500", "-12345.67", "1e-7", "-1e38"}) {
        h.click(at);
        h.type(typed);
        h.key(Key::enter);
        h.settle();
        EXPECT_EQ(h.named("batch-vs-layer.norms.layer.cells").rect.w, cells.w) << typed;
    }
}

TEST(BatchVsLayerEdit, TheTraceOfEpsIsCalledThat) {
    BatchVsLayer h({.example = "batch-against-layer"});
    h.move(h.z_cell(0, 0));
    h.settle();
    EXPECT_TRUE(h.says("norms.batch", "2 of 6"));
    EXPECT_TRUE(h.says("norms.batch", "2.8e-6"));
    EXPECT_TRUE(h.says("norms.batch", "but for ε"));
    EXPECT_TRUE(h.says("norms.layer", "3 of 6"));
    EXPECT_FALSE(h.says("norms.layer", "but for ε"));
}

TEST(BatchVsLayerEdit, ADocumentOfOneTokenGetsThreeMore) {
    BatchVsLayer h({.example = "three-features"});
    const Document before = h.document();
    ASSERT_EQ(before.token_count(), 1);
    h.click_and_settle("batch-vs-layer.norms.batch.add-tokens");
    EXPECT_EQ(h.document().token_count(), 4);
    EXPECT_FALSE(h.study().norms().norms[k_batch].error);
    EXPECT_FALSE(h.has("batch-vs-layer.norms.batch.add-tokens"));
    h.key(Key::z, true);
    h.settle();
    EXPECT_EQ(h.document(), before);
}

TEST(BatchVsLayerSequences, PaddingIsADashAlsoWithoutEps) {
    BatchVsLayer h({.example = "three-features"});
    ASSERT_EQ(h.document().eps, 0);
    Index padding = 0;
    for (const Index length : h.document().batch.lengths) padding += k_longest_sentence - length;
    ASSERT_GT(padding, 0);
    EXPECT_EQ(texts_like(h, "–"), 3 * padding * k_sentence_features) << "z and two norms";
    EXPECT_EQ(texts_like(h, "NaN"), 0);
}

TEST(BatchVsLayerCards, MeanAndSpreadHaveAsManyDecimals) {
    BatchVsLayer h({.example = "studying"});
    const NormOfZ& layer = h.study().norms().norms[k_layer];
    for (const auto& values : {layer.mean, layer.scale()})
        for (const double v : values) EXPECT_GT(texts_like(h, fixed_text(v, 3)), 0) << v;
}

TEST(BatchVsLayerBatchSize, SaysWhichVarianceIsOfTheBatchAndWhichOfTraining) {
    BatchVsLayer h;
    EXPECT_TRUE(h.has_text("σ² is of this batch and divides by B = 4"));
    EXPECT_TRUE(h.has_text("collected over 44 updates of training and divides by 3"));
    Document d = h.document();
    d.batch.updates = 0;
    h.become(d);
    h.settle();
    EXPECT_TRUE(h.has_text("σ² is the 1 that running statistics begin with"));
}

TEST(BatchVsLayerBatchSize, ItsColoursHaveAKey) {
    BatchVsLayer h({.example = "studying"});
    for (const std::string end : {"−2", "2"}) EXPECT_GT(h.count_in("batch-size", end), 0) << end;
}

} // namespace
} // namespace normscope::testing
