#pragma once
#include "app/charts/heatmap.h"
#include "app/study/transformer/box.h"
#include "app/workspaces/shared/look.h"

#include <array>
#include <optional>
#include <string_view>

namespace normscope {

// A cell of a box's heat map.
struct BoxCell {
    Box box;
    Index token = 0, feature = 0;
    bool operator==(const BoxCell&) const = default;
};

struct TokenOf {
    StackSide side = StackSide::encoder;
    Index token = 0;
    bool operator==(const TokenOf&) const = default;
};

// A cell of one of a lens's maps, by the map's slot.
struct LensCell {
    std::string_view map;
    Box box; // of the lens
    HeatmapCell at;
    bool operator==(const LensCell&) const = default;
};

// How the Transformer is looked at.
struct TransformerView {
    Box box{Box::Kind::add_norm, StackSide::encoder, 0, 0}; // that the lens shows
    std::array<int, 2> layer{0, 0};                         // drawn of each side
    bool gradient = false;                                  // ∂L/∂ of each box in its place
    std::optional<int> head = 0;                            // of attention; none: the mean of all
    std::optional<TokenOf> pinned;                          // none: the last one under the head
    std::optional<BoxCell> hovered;                         // in this frame
    std::optional<SentenceSide> added; // a side whose last word is new: it is typed over
    bool all_tokens = false;           // the lens's curves are of all; else of the pinned one
    std::optional<LensCell> over;      // under the mouse in the lens
    std::optional<bool> by_layer;      // the panel below the lens; none: in Gradient
    double waited = 0;                 // seconds since the last word, while decoding plays
    std::optional<double> pulse;       // goes up the stack; seconds of ImGui's clock when it began
    bool more_model = false, more_lens = false; // the folded rows of these panels are there
    // The lens lies over the figure, once a box was clicked, where the page has no room for the
    // lens beside it.
    bool lens_floats = false, lens_open = false;

    void keep(Look& look) {
        look("box", box.kind, Box::Kind::softmax);
        look("side", box.side, StackSide::decoder);
        look("layer", box.layer, k_most_transformer_layers - 1);
        look("block", box.block, 2);
        look("encoder-layer", layer[0], k_most_transformer_layers - 1);
        look("decoder-layer", layer[1], k_most_transformer_layers - 1);
        look("gradient", gradient);
        look("head", head, static_cast<int>(k_widest_transformer));
        look("all-tokens", all_tokens);
        look("by-layer", by_layer, true);
        look("more-model", more_model);
        look("more-lens", more_lens);
        look("lens-open", lens_open);
    }
    bool operator==(const TransformerView&) const = default;
};

} // namespace normscope
