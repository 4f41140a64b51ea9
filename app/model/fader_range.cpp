#include "app/model/fader_range.h"

#include <cmath>

namespace normscope {

void FaderRange::grow(std::span<const double> values) {
    for (const double v : values) {
        if (!std::isfinite(v)) continue;
        // Without doubling v, which may be near the largest number.
        const double below = std::floor(v);
        const double above = std::ceil(v);
        if (v < lo) lo = v - below < 0.5 ? below : below + 0.5;
        if (v > hi) hi = above - v < 0.5 ? above : above - 0.5;
    }
}

} // namespace normscope
