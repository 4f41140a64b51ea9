#pragma once
#include "core/base/choice.h"

#include <cstdint>

namespace normscope {

// causal: token t sees tokens 0 … t only.
enum class Mask : std::uint8_t { none, causal };
template<>
inline constexpr std::array<Choice<Mask>, 2> k_choices<Mask>{{
    {Mask::none, "none", "none"},
    {Mask::causal, "causal", "causal"},
}};

} // namespace normscope
