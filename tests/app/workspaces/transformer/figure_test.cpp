#include "app/charts/number_format.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/workspaces/transformer/transformer_harness.h"

#include <gtest/gtest.h>

// The drawing of the Transformer, its model and its sentences, by hand.
namespace normscope::testing {
namespace {

struct DrawnTransformer : TransformerHarness {
    std::string workspace() { return std::string(workspace_table()[state().view.workspace].id); }
    // The middle of a cell of a box's heat map.
    Point cell(const std::string& name, const Box& box, Index token, Index feature) {
        const Rect box_rect = named(name).rect;
        for (float x = box_rect.x; x < box_rect.right(); x += 2)
            for (float y = box_rect.y; y < box_rect.bottom(); y += 2) {
                move({x, y});
                frames(1);
                const auto& at = view().hovered;
                if (at && at->box == box && at->token == token && at->feature == feature)
                    return {x, y};
            }
        return {};
    }
};

constexpr Box k_first_add{Box::Kind::add_norm, StackSide::encoder, 0, 0};

TEST(TransformerFigure, AClickOnABoxChoosesItAndPinsItsToken) {
    DrawnTransformer h;
    const Box cross{Box::Kind::sublayer, StackSide::decoder, 0, 1};
    const Point at = h.cell("transformer.layers.decoder-cross", cross, 2, 7);
    h.click_and_settle(at);
    EXPECT_EQ(h.view().box, cross);
    EXPECT_EQ(h.view().pinned, (TokenOf{StackSide::decoder, 2}));
}

TEST(TransformerFigure, SaysWhereTheNumberUnderTheMouseComesFrom) {
    DrawnTransformer h;
    h.cell("transformer.layers.encoder-self-add", k_first_add, 1, 3);
    h.frames(1);
    const std::string where = where_from(h.study(), k_first_add, 1, 3);
    EXPECT_TRUE(h.has_text(place_of(h.study(), k_first_add) + ", “am”"));
    EXPECT_TRUE(h.has_text(where.substr(0, where.find(" = "))));
}

TEST(TransformerFigure, TheLayerAboveIsDrawn) {
    DrawnTransformer h;
    h.click_and_settle("transformer.layers.layer.more");
    EXPECT_TRUE(h.has_text("2 of 3"));
    EXPECT_EQ(h.view().layer, (std::array{1, 1}));
    EXPECT_EQ(h.view().box.layer, 1);
}

TEST(TransformerFigure, ABarOfTheOverviewChoosesItsAddAndNorm) {
    DrawnTransformer h;
    h.click_and_settle("transformer.layers.overview.encoder.layer-3-encoder-ffn-add");
    EXPECT_EQ(h.view().box, (Box{Box::Kind::add_norm, StackSide::encoder, 2, 1}));
    EXPECT_EQ(h.view().layer[0], 2);
}

// These pages have no room for the lens.
TEST(TransformerFigure, AClickOnABoxOpensTheLensBesideIt) {
    using Screen = normscope::testing::Setup; // a test has one of its own
    for (const Screen& screen : {Screen{.window = {1024, 768}}, Screen{.scale = 2}}) {
        TransformerHarness h(screen);
        const auto seen = [&] { return h.named("transformer.lens").in_sight().h; };
        EXPECT_LT(seen(), 1) << "it stands below all";
        for (const std::string box : {"encoder-ffn-add", "decoder-cross"}) {
            const Rect at = h.named("transformer.layers." + box).in_sight();
            h.press("transformer.layers." + box);
            EXPECT_GT(seen(), screen.window.h / 3) << "without scrolling";
            EXPECT_FALSE(h.named("transformer.lens").rect.overlaps(at.inset(at.w / 4, 0))) << box;
            EXPECT_EQ(h.fault(), "") << box;
            if (box == "encoder-ffn-add") h.press("transformer.lens.close");
        }
        h.key_and_settle(Key::escape);
        EXPECT_LT(seen(), 1);
    }
}

TEST(TransformerFigure, TheGradientTakesThePlaceOfTheOutput) {
    DrawnTransformer h;
    const auto before = h.draw_digest();
    h.click_and_settle("transformer.layers.mode.gradient");
    EXPECT_TRUE(h.view().gradient);
    EXPECT_NE(h.draw_digest(), before);
}

TEST(TransformerModel, ASettingIsOneStepOfUndo) {
    DrawnTransformer h;
    const TransformerSetup before = h.setup();
    h.click_and_settle("transformer.placement.pre");
    EXPECT_EQ(h.setup().config.placement, Placement::pre);
    EXPECT_TRUE(h.has("transformer.layers.decoder-final-norm"));
    EXPECT_TRUE(h.has_text("X + F(Norm(X))"));
    h.undo();
    EXPECT_TRUE(h.setup() == before);
    EXPECT_FALSE(h.has("transformer.layers.decoder-final-norm"));
    EXPECT_TRUE(h.has_text("Norm(X + F(X))"));
}

TEST(TransformerModel, ADecoderAloneHasNoCrossAttention) {
    DrawnTransformer h;
    ASSERT_FALSE(h.all_of("transformer.sentences.source").empty());
    h.unfold("model");
    h.click_and_settle("transformer.arch.decoder");
    EXPECT_EQ(h.setup().config.arch, Architecture::decoder);
    EXPECT_FALSE(h.has("transformer.layers.decoder-cross"));
    EXPECT_TRUE(h.has_text("Masked attention"));
    EXPECT_TRUE(h.all_of("transformer.sentences.source").empty()) << "nobody reads it";
}

TEST(TransformerFigure, ASublayerIsTakenOutAndPutBack) {
    DrawnTransformer h;
    h.unfold("lens");
    h.click_and_settle("transformer.lens.take-out.sublayer");
    EXPECT_TRUE(is_taken_out(h.setup(), {StackSide::encoder, 0, 0, BlockPiece::sublayer}));
    ASSERT_TRUE(h.study().moved());
    const std::string share = fixed_text(100 * h.study().moved()->share, 1) + " %";
    EXPECT_TRUE(h.has_text(share));
    h.click_and_settle("transformer.lens.take-out.sublayer");
    EXPECT_TRUE(h.setup().taken_out->empty());
    EXPECT_FALSE(h.has_text(share));
}

TEST(TransformerSentences, AWordIsTypedOverAndTakenBack) {
    DrawnTransformer h;
    h.click("transformer.sentences.source.1.word");
    h.frames(2);
    h.type("we");
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.setup().source->front(), "we");
    h.undo();
    EXPECT_EQ(h.setup().source->front(), "I");
}

TEST(TransformerSentences, AWordIsAddedTypedAndTakenOut) {
    DrawnTransformer h;
    h.click_and_settle("transformer.sentences.source.add");
    EXPECT_EQ(h.setup().source->size(), 6u);
    h.type("well"); // the new word is typed over
    h.key_and_settle(Key::enter);
    EXPECT_EQ(h.setup().source->back(), "well");
    h.undo();
    h.undo();
    EXPECT_EQ(h.setup().source->size(), 5u);
}

TEST(TransformerFigure, AnAddAndNormOpensInItsWorkspaceAndLeadsBack) {
    DrawnTransformer h;
    const Document own = h.document();
    h.unfold("lens");
    h.click_and_settle("transformer.lens.open-add-norm");
    EXPECT_EQ(h.workspace(), "add-norm");
    EXPECT_EQ(*h.document().tokens, h.study().tokens(StackSide::encoder));
    EXPECT_TRUE(h.has_text(place_of(h.study(), k_first_add)));
    h.click_and_settle("add-norm.setup.back-to-stack");
    EXPECT_EQ(h.workspace(), "transformer");
    EXPECT_TRUE(h.document() == own);
}

// The trained example is pre-norm: what the paper draws as one box stands at two places.
TEST(TransformerFigure, AFrameSaysWhichNormAndWhichAddBelongTogether) {
    TransformerHarness h;
    const auto named = [&](const std::string& part) {
        const Rect r = h.named("transformer." + part).rect;
        return std::ranges::count_if(h.log().texts, [&](const LoggedText& t) {
            return t.text == "Add & Norm" && r.contains(t.rect.center());
        });
    };
    Document d = h.document();
    for (const Placement placement : {Placement::pre, Placement::peri, Placement::post}) {
        d.transformer.config.placement = placement;
        h.become(d);
        h.settle();
        EXPECT_EQ(named("layers"), 5) << "two of the encoder's layer, three of the decoder's";
        EXPECT_EQ(named("lens"), 1);
        EXPECT_EQ(h.fault(), "");
    }
    d.transformer.config.norm = k_without_norm;
    h.become(d);
    h.settle();
    EXPECT_EQ(named("layers") + named("lens"), 0);
}

TEST(TransformerFigure, TheHighestStackKeepsOffTheChoicesAboveIt) {
    TransformerHarness h({.window = {1024, 768}, .scale = 1.1f});
    Document d = h.document();
    d.transformer.config.placement = Placement::peri;
    h.become(d);
    h.settle();
    EXPECT_EQ(h.fault(), "");
}

TEST(TransformerFigure, NoWordsReachUnderTheLens) {
    TransformerHarness h({.window = {1024, 768}, .scale = 1.1f});
    h.press("transformer.layers.mode.gradient");
    for (const std::string box : {"encoder-ffn-add", "decoder-cross"}) {
        h.press("transformer.layers." + box);
        EXPECT_EQ(clipped_text(h.log(), {1024, 768}, 1.1f).value_or(""), "") << box;
        h.key_and_settle(Key::escape);
    }
}

TEST(TransformerFigure, FitsTheWindowOfALaptop) {
    TransformerHarness h({.scale = 1.08f, .unfolded = false}); // as text grows with the window
    for (const char* panel : {"lens", "token-way", "next-word"}) {
        const NamedPart& part = h.named("transformer." + std::string(panel));
        EXPECT_LE(part.rect.bottom(), part.clip.bottom()) << panel;
    }
}

} // namespace
} // namespace normscope::testing
