#pragma once
#include "app/study/backward/backward.h"

#include <optional>
#include <string>

namespace normscope {

// Why dX (without the skip, where dX is 0 anyway: dF(X)) is zero whatever the numbers are: a loss
// that asks for what the norm takes away.
// Empty while some gradient comes through, a term is broken on purpose, or the target is reached.
std::optional<std::string> vanishing_reason(const Backward& backward);

} // namespace normscope
