#pragma once
#include "core/base/choice.h"

#include <array>
#include <cstdint>

namespace normscope {

// Place of the norm N in a residual block. λ scales the trunk, α the branch:
//   post      y = N(λx + αF(x))                 Vaswani et al. 2017
//   pre       y = λx + αF(N(x))                 Xiong et al. 2020
//   deepnorm  post, with λ and the initialisation that the depth asks for (Wang et al. 2022)
//   peri      y = λx + αN₂(F(N(x)))             Kim et al. 2025
// A block whose α is trained from 0 on is ReZero's (Bachlechner et al. 2021, eq. 3).
enum class Placement : std::uint8_t { post, pre, deepnorm, peri };
template<>
inline constexpr std::array<Choice<Placement>, 4> k_choices<Placement>{{
    {Placement::post, "post", "Post"},
    {Placement::pre, "pre", "Pre"},
    {Placement::deepnorm, "deepnorm", "DeepNorm"},
    {Placement::peri, "peri", "Peri"},
}};

// Whether N stands before the sublayer, inside the branch: the trunk is not normalized.
constexpr bool is_inside(Placement placement) {
    return placement == Placement::pre || placement == Placement::peri;
}

} // namespace normscope
