#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"

#include <cstdint>

namespace normscope {

//   relu  max(0, z)
//   gelu  z·Φ(z), Φ the normal distribution function, exact as in PyTorch (Hendrycks, Gimpel 2016)
//   tanh  tanh(z)
enum class Activation : std::uint8_t { none, relu, gelu, tanh };
// Feed-forward layers have the first two.
template<>
inline constexpr std::array<Choice<Activation>, 3> k_choices<Activation>{{
    {Activation::relu, "relu", "ReLU"},
    {Activation::gelu, "gelu", "GELU"},
    {Activation::tanh, "tanh", "tanh"},
}};

// Replaces z by its activation. NaN stays NaN.
template<class S>
void activate(Activation activation, Matrix<S>& z);

// Replaces dy by dz = dy ⊙ φ'(z). relu and tanh read only their output y, gelu only its input z.
template<class S>
void activate_backward(Activation activation, const Matrix<S>& z, const Matrix<S>& y,
                       Matrix<S>& dy);

} // namespace normscope
