#pragma once
#include "app/study/add_norm/derived.h"

#include <optional>
#include <string>

namespace normscope {

// Where a norm of finite numbers overflowed in float32 or divides by σ² + ε = 0, and the way out;
// the first token (batch norm: feature) of which it is so.
std::optional<std::string> overflow_note(const Derived& derived);

} // namespace normscope
