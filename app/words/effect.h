#pragma once
#include "app/study/add_norm/derived.h"

#include <optional>
#include <string>

namespace normscope {

// What was changed between two documents of one shape, and what came of it: "X of studying,
// d0: 3.16 → 4.36: 3 of 18 values of Y moved, most by 0.41". Nothing where no number of Add & Norm
// was changed.
std::optional<std::string> effect_of(const Derived& before, const Derived& now);

} // namespace normscope
