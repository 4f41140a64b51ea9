#include "core/stats/magnitude.h"

#include "core/base/wide.h"

#include <cmath>
#include <limits>

namespace normscope {

template<class S>
NORMSCOPE_WIDE double largest_magnitude(const S* values, Index n) {
    S largest = 0;
#pragma omp simd reduction(max : largest)
    for (Index i = 0; i < n; ++i) {
        const S size = std::abs(values[i]);
        const S finite = size <= std::numeric_limits<S>::max() ? size : S(0);
        largest = finite > largest ? finite : largest;
    }
    return static_cast<double>(largest);
}

template<class S>
NORMSCOPE_WIDE void keep_larger(S* best, const S* values, Index n) {
    for (Index i = 0; i < n; ++i) {
        const bool stays = std::abs(values[i]) <= std::abs(best[i]) || std::isnan(best[i]);
        best[i] = stays ? best[i] : values[i];
    }
}

NORMSCOPE_IN_BOTH_PRECISIONS(largest_magnitude);
NORMSCOPE_IN_BOTH_PRECISIONS(keep_larger);

} // namespace normscope
