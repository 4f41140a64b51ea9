#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"

namespace normscope {

// What checks of settings share: `what` is named as a sentence begins.

// A whole number from `least` to `most`.
Result<void> in_range(const char* what, double value, double least, double most);

Result<void> is_finite(const char* what, double value);

// Heads divide the width, or the message names the widths next to it, up to `widest`.
Result<void> heads_divide(Index width, int heads, Index widest);

} // namespace normscope
