#pragma once
#include "app/study/add_norm/play.h"

#include <optional>
#include <string>

namespace normscope {

// What was changed between two documents of one shape, and what came of it: "X of studying,
// d0: 3.16 → 4.36: 3 of 18 values of Y moved, most by 0.41". Nothing where no number of Add & Norm
// was changed.
std::optional<std::string> effect_of(const Derived& before, const Derived& now);

// Where a norm of finite numbers overflowed in float32 or divides by σ² + ε = 0, and the way out;
// the first token (batch norm: feature) of which it is so.
std::optional<std::string> overflow_note(const Derived& derived);

// What is happening in a frame of "Play the five steps", with its numbers: "μ = Σ z / 3 = 5.64 / 3
// = 1.88".
std::string played_words(const Derived& derived, Index set, const PlayedFrame& frame);

} // namespace normscope
