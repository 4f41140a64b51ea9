#pragma once
#include "app/document/derived.h"

#include <optional>
#include <string>

namespace normscope {

// Where float32 overflowed on finite numbers, and the way out; the first token (batch norm:
// feature) of which it is so. Nothing in float64.
std::optional<std::string> overflow_note(const Derived& derived);

} // namespace normscope
