#pragma once
#include "app/model/transformer/transformer_setup.h"

#include <cstdint>

namespace normscope {

// A box of the figure; layers and blocks count from 0, from the input up.
struct Box {
    enum class Kind : std::uint8_t { embedding, sublayer, add_norm, final_norm, linear, softmax };
    Kind kind = Kind::embedding;
    StackSide side = StackSide::encoder;
    int layer = 0, block = 0;
    bool operator==(const Box&) const = default;

    bool in_layer() const { return kind == Kind::sublayer || kind == Kind::add_norm; }
    // The two boxes of this box's block.
    Box sublayer() const { return {Kind::sublayer, side, layer, block}; }
    Box add_norm() const { return {Kind::add_norm, side, layer, block}; }
};

} // namespace normscope
