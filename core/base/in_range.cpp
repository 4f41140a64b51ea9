#include "core/base/in_range.h"

#include <cmath>
#include <string>

namespace normscope {
namespace {

// The multiples of the heads below and above the width, as far as they are allowed.
Error nearest_widths(Index width, int heads) {
    const Index below = width / heads * heads;
    const Index above = below + heads;
    if (below == 0) return error_of("{}", above);
    if (above > k_widest_model) return error_of("{}", below);
    return error_of("{} or {}", below, above);
}

} // namespace

Result<void> in_range(const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return {};
    const auto text = [](double v) { return std::to_string(static_cast<long long>(v)); };
    return fail("{} must be from {} to {}; it is {}", what, text(least), text(most), text(value));
}

Result<void> is_finite(const char* what, double value) {
    if (std::isfinite(value)) return {};
    return fail("{} must be a finite number; it is {}", what, value);
}

Result<void> check_eps(double eps) {
    if (eps >= 0 && std::isfinite(eps)) return {};
    return fail("ε must be a finite number of 0 or more; it is {}", eps);
}

Result<void> check_heads(Index width, int heads) {
    TRY(in_range("the number of heads", heads, 1, width));
    if (width % heads == 0) return {};
    return fail("width {} is not a multiple of {} heads: choose {}", width, heads,
                nearest_widths(width, heads));
}

} // namespace normscope
