#include "app/workspaces/transformer/lens.h"
#include "tests/app/workspaces/transformer/transformer_harness.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

// The lights in the other maps of the lens when the mouse points at a number in one map.
namespace normscope::testing {
namespace {

struct LensLights : TransformerHarness {
    void choose(const Box& box) {
        view().box = box;
        view().lens_open = true;
        settle();
    }
    // Points at a cell of a map of so many rows and columns.
    void point_at(const std::string& map, Index row, Index col, Index rows, Index cols) {
        const Rect r = named("transformer.lens." + map).rect;
        move({r.x + r.w * (static_cast<float>(col) + 0.5f) / static_cast<float>(cols),
              r.y + r.h * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows)});
        frames(3);
    }
    // The cells of a map that an outline of a colour goes around.
    std::optional<CellBlock> outlined(const std::string& map, Color color, Index rows, Index cols) {
        const Rect r = named("transformer.lens." + map).rect;
        const std::vector<Point> found = vertices(color, r.inset(-3));
        if (found.empty()) return std::nullopt;
        const auto [left, right] = std::ranges::minmax(found, {}, &Point::x);
        const auto [top, bottom] = std::ranges::minmax(found, {}, &Point::y);
        const auto place = [](float at, float from, float size, Index count) {
            return static_cast<Index>(std::lround((at - from) / size * static_cast<float>(count)));
        };
        CellBlock out{place(top.y, r.y, r.h, rows), place(left.x, r.x, r.w, cols), 0, 0};
        out.rows = place(bottom.y, r.y, r.h, rows) - out.row;
        out.cols = place(right.x, r.x, r.w, cols) - out.col;
        return out;
    }
    Color focus() { return theme(state().view.theme).focus; }
    Index words(StackSide side) { return static_cast<Index>(study().tokens(side).size()); }
};

TEST(TransformerLensLights, AHiddenValueIsMadeOfItsTokenAlone) {
    LensLights h;
    const Box ffn{Box::Kind::sublayer, StackSide::encoder, 0, 1};
    h.choose(ffn);
    const Index rows = h.words(StackSide::encoder), d = h.setup().config.width,
                hidden = h.setup().config.ffn;
    h.point_at("hidden", 2, 7, rows, hidden);
    EXPECT_EQ(h.outlined("x", h.focus(), rows, d), (CellBlock{2, 0, 1, d}));
    EXPECT_FALSE(h.outlined("hidden", h.focus(), rows, hidden));
    h.point_at("f", 1, 3, rows, d);
    EXPECT_EQ(h.outlined("hidden", h.focus(), rows, hidden), (CellBlock{1, 0, 1, hidden}));
    EXPECT_FALSE(h.outlined("x", h.focus(), rows, d));
}

TEST(TransformerLensLights, ASumIsMadeOfAWordAndAPosition) {
    LensLights h;
    h.choose({Box::Kind::embedding, StackSide::encoder, 0, 0});
    const Index rows = h.words(StackSide::encoder), d = h.setup().config.width;
    h.point_at("sum", 1, 5, rows, d);
    for (const char* part : {"words", "positions"})
        EXPECT_EQ(h.outlined(part, h.focus(), rows, d), (CellBlock{1, 5, 1, 1})) << part;
}

TEST(TransformerLensLights, MaskedAttentionMixesTheValuesOfEarlierWordsAlone) {
    LensLights h;
    h.choose({Box::Kind::sublayer, StackSide::decoder, 0, 0});
    const Index rows = h.words(StackSide::decoder),
                width = h.setup().config.width / h.setup().config.heads;
    h.point_at("mixed", 1, 2, rows, width);
    EXPECT_EQ(h.outlined("values", h.focus(), rows, width), (CellBlock{0, 2, 2, 1}));
    EXPECT_EQ(h.outlined("weights", h.focus(), rows, rows), (CellBlock{1, 0, 1, 2}));
}

TEST(TransformerLensLights, ANumberOnATokensWaySaysWhereItComesFrom) {
    LensLights h;
    const Rect way = h.named("transformer.token-way.stages").rect;
    bool found = false;
    for (float x = way.x; x < way.right() && !found; x += 3) {
        h.move({x, way.bottom() - 40});
        h.frames(2);
        const auto& at = h.view().hovered;
        found = at && at->box.kind == Box::Kind::sublayer && h.has_text("F(X) = ");
    }
    EXPECT_TRUE(found);
}

} // namespace
} // namespace normscope::testing
