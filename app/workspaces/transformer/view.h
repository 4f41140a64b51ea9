#pragma once
#include "app/study/transformer/transformer_study.h"

#include <array>
#include <optional>

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

// How the Transformer is looked at.
struct TransformerView {
    Box box{Box::Kind::add_norm, StackSide::encoder, 0, 0}; // that the lens shows
    std::array<int, 2> layer{0, 0};                         // drawn of each side
    bool gradient = false;                                  // ∂L/∂ of each box in its place
    std::optional<int> head = 0;                            // of attention; none: the mean of all
    std::optional<TokenOf> pinned;                          // none: the last one under the head
    std::optional<BoxCell> hovered;                         // in this frame
    std::optional<SentenceSide> added; // a side whose last word is new: it is typed over
    double waited = 0;                 // seconds since the last word, while decoding plays

    bool operator==(const TransformerView&) const = default;
};

} // namespace normscope
