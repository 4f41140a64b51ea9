#pragma once
#include "core/base/choice.h"

#include <array>
#include <cstdint>

namespace normscope {

// A quantity of the chart, per block, over the seeds.
enum class FlowQuantity : std::uint8_t {
    gradient,   // ‖∂L/∂x_l‖, l = 0 … L
    activation, // mean square of x_l, l = 0 … L
    w1, // norms of the parameter gradients of block l = 1 … L: the feed-forward layer's matrices,
    w2,
    attention, // W_q, W_k, W_v and W_out together,
    weight,    // the matrix of linear, tanh and relu,
    gamma,
    beta,
};

// The shape of the gradient's curve from the top of the stack down to its input: guessed before the
// curve is shown, and measured.
enum class ExpectedShape : std::uint8_t { flat, shrinks_slowly, vanishes, grows, explodes };
template<>
inline constexpr std::array<Choice<ExpectedShape>, 5> k_choices<ExpectedShape>{{
    {ExpectedShape::flat, "flat", "Flat"},
    {ExpectedShape::shrinks_slowly, "shrinks-slowly", "Shrinks slowly"},
    {ExpectedShape::vanishes, "vanishes", "Vanishes"},
    {ExpectedShape::grows, "grows", "Grows"},
    {ExpectedShape::explodes, "explodes", "Explodes"},
}};

} // namespace normscope
