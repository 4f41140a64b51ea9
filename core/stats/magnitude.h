#pragma once
#include "core/base/matrix.h"

namespace normscope {

// The largest |value| that is finite of n values; 0 if there is none.
template<class S>
double largest_magnitude(const S* values, Index n);

// best[i] becomes values[i] where that lies further from 0, for n values; NaN lies further than ∞,
// and of two that lie equally far the first stays.
template<class S>
void keep_larger(S* best, const S* values, Index n);

} // namespace normscope
