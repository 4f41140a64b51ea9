#pragma once
#include "app/study/add_norm/play.h"

#include <optional>
#include <string>

namespace normscope {

// The change between two documents of one shape and its effect: "X of studying, d0: 3.16 → 4.36: 3
// of 18 values of Y moved, most by 0.41". None: no number of Add & Norm was changed.
std::optional<std::string> effect_of(const Derived& before, const Derived& now);

// The first token (batch norm: feature) of finite numbers whose norm overflowed in float32 or
// divides by σ² + ε = 0, and the way out. None: there is none.
std::optional<std::string> overflow_note(const Derived& derived);

// The computation in a frame of "Play the five steps", with its numbers: "μ = Σ z / 3 = 5.64 / 3
// = 1.88".
std::string played_words(const Derived& derived, Index set, const PlayedFrame& frame);

} // namespace normscope
