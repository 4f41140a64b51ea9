#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <concepts>

namespace normscope {

// Checks of settings. `what` names the setting, as a sentence begins.

// A number from `least` to `most`; the message cuts all three to whole numbers.
Result<void> in_range(const char* what, double value, double least, double most);
template<std::integral N, class Most>
Result<void> in_range(const char* what, N value, double least, Most most) {
    return in_range(what, static_cast<double>(value), least, static_cast<double>(most));
}

Result<void> is_finite(const char* what, double value);

// An ε: a finite number of 0 or more.
Result<void> check_eps(double eps);

inline constexpr Index k_widest_model = 8192;

// Heads from one to the width, which they divide; else the message names the nearest widths that
// they divide, up to the widest.
Result<void> check_heads(Index width, int heads);

} // namespace normscope
