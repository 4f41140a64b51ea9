#include "core/base/in_range.h"

#include <cmath>
#include <string>

namespace normscope {
namespace {

// The multiples of the heads below and above the width, as far as they are allowed.
std::string nearest_widths(Index width, int heads, Index widest) {
    const Index below = width / heads * heads;
    const Index above = below + heads;
    if (below == 0) return std::to_string(above);
    if (above > widest) return std::to_string(below);
    return std::to_string(below) + " or " + std::to_string(above);
}

} // namespace

Result<void> in_range(const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return {};
    const auto text = [](double v) { return std::to_string(static_cast<long long>(v)); };
    return fail(std::string(what) + " must be from " + text(least) + " to " + text(most) +
                "; it is " + text(value));
}

Result<void> is_finite(const char* what, double value) {
    if (std::isfinite(value)) return {};
    return fail(std::string(what) + " must be a finite number; it is " + std::to_string(value));
}

Result<void> heads_divide(Index width, int heads, Index widest) {
    if (width % heads == 0) return {};
    return fail("width " + std::to_string(width) + " is not a multiple of " +
                std::to_string(heads) + " heads: choose " + nearest_widths(width, heads, widest));
}

} // namespace normscope
