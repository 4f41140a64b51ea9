#pragma once
#include "core/base/choice.h"

#include <cstdint>
#include <span>

namespace normscope {

// What goes around a layer F: x + F(x) (He et al. 2015), F(x) alone, or x + α·F(x) with an α of its
// own that is trained from 0 on (ReZero: Bachlechner et al. 2021).
enum class Skip : std::uint8_t { add, none, rezero };

std::span<const Choice<Skip>> choices(Skip);

} // namespace normscope
