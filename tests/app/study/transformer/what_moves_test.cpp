#include "app/study/transformer/transformer_study.h"
#include "app/study/transformer/what_moves.h"

#include <algorithm>
#include <gtest/gtest.h>

// The sources and readers of a number, the leak past a mask, the differences by layer.
namespace normscope {
namespace {

bool holds(const CellBlock& cells, Index token, Index feature) {
    return token >= cells.row && token < cells.row + cells.rows && feature >= cells.col &&
           feature < cells.col + cells.cols;
}

std::vector<Box> boxes_of(const TransformerStudy& study) {
    std::vector<Box> out;
    for (const StackSide side : {StackSide::encoder, StackSide::decoder})
        for (const Box::Kind kind : {Box::Kind::embedding, Box::Kind::sublayer, Box::Kind::add_norm,
                                     Box::Kind::final_norm, Box::Kind::linear, Box::Kind::softmax})
            for (int l = 0; l < 2; ++l)
                for (int b = 0; b < 3; ++b)
                    if (const Box box{kind, side, l, b}; study.has(box)) {
                        const bool in_layers =
                            kind == Box::Kind::sublayer || kind == Box::Kind::add_norm;
                        if (in_layers || (l == 0 && b == 0)) out.push_back(box);
                    }
    return out;
}

TEST(GoesInto, IsMadeOfSeenFromTheOtherEnd) {
    for (const Placement placement : {Placement::post, Placement::pre, Placement::peri}) {
        TransformerSetup setup = default_transformer();
        setup.config.layers = 2;
        setup.config.placement = placement;
        const auto study = TransformerStudy::of(setup, nullptr);
        const std::vector<Box> boxes = boxes_of(*study);
        const Index token = 2, feature = 3;
        for (const Box& from : boxes) {
            const auto readers = goes_into(*study, from, token, feature);
            for (const Box& to : boxes) {
                // Two cells of each reader: one that counts this number, one that may not.
                for (const auto& [t, d] : {std::pair<Index, Index>{2, 3}, {1, 2}, {4, 3}}) {
                    const auto parts = made_of(*study, to, t, d);
                    const bool made = std::ranges::any_of(parts, [&](const BoxCells& part) {
                        return part.box == from && holds(part.cells, token, feature);
                    });
                    const bool goes = std::ranges::any_of(readers, [&](const BoxCells& reader) {
                        return reader.box == to && holds(reader.cells, t, d);
                    });
                    EXPECT_EQ(made, goes) << place_of(*study, from) << ' ' << name_of(*study, from)
                                          << " → " << place_of(*study, to) << ' '
                                          << name_of(*study, to) << " (" << t << ", " << d << ')';
                }
            }
        }
    }
}

TEST(Peek, TheMaskKeepsEarlierOutputsBitForBit) {
    Peek::Input input{default_transformer(), 3};
    const auto masked = Peek::of(input, nullptr);
    ASSERT_EQ(masked->moved.size(), 5u);
    for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(masked->moved[t], 0) << t;
    EXPECT_GT(masked->moved[3], 0.01);
    EXPECT_GT(masked->moved[4], 0);
    EXPECT_NE(masked->word, "studying");
    input.setup.config.masked = false;
    const auto seen = Peek::of(input, nullptr);
    for (std::size_t t = 0; t < 5; ++t) EXPECT_GT(seen->moved[t], 0) << t;
}

TEST(ByLayer, ComparesThePlacementsUnderTheSameWeights) {
    TransformerSetup setup = default_transformer();
    setup.config.placement = Placement::deepnorm;
    const auto study = ByLayer::of(setup, nullptr);
    ASSERT_EQ(study->measured.size(), 3u);
    EXPECT_EQ(study->measured[0].placement, Placement::deepnorm);
    setup.config.placement = Placement::post;
    const auto post = ByLayer::of(setup, nullptr);
    ASSERT_EQ(post->measured.size(), 2u);
    const auto pass = TransformerStudy::of(setup, nullptr);
    const TransformerMeasure own = measure(pass->forward(), *pass->backward());
    EXPECT_EQ(post->measured[0].measure.decoder[2].w2_grad_norm, own.decoder[2].w2_grad_norm);
    EXPECT_EQ(study->measured[1].measure.decoder[2].w2_grad_norm, own.decoder[2].w2_grad_norm);
    EXPECT_NE(post->measured[1].measure.decoder[2].w2_grad_norm, own.decoder[2].w2_grad_norm);
}

} // namespace
} // namespace normscope
