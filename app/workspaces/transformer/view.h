#pragma once
#include "app/charts/heatmap.h"
#include "app/study/transformer/transformer_study.h"
#include "app/study/transformer/what_moves.h"
#include "app/workspaces/shared/frame.h"

#include <array>
#include <map>
#include <optional>
#include <string>

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

    bool operator==(const TransformerView&) const = default;
};

// What drawing keeps between frames.
struct TransformerMemory final : OwnMemory {
    explicit TransformerMemory(const DrawMemory::Wake& wake)
        : study(wake), by_layer(wake), peek(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&study, &by_layer, &peek}; }

    Node<TransformerStudy> study;
    Node<ByLayer> by_layer;
    Node<Peek> peek;
    // What the last frame showed of these: only then they are kept up.
    bool by_layer_shown = false;
    std::optional<Index> peeked;                    // the token whose word is another
    std::map<std::string, HeatmapPicture> pictures; // by where they are drawn
    std::optional<OpenedPart> opened;               // until the shell takes it
};

} // namespace normscope
