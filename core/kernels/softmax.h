#pragma once
#include "core/base/matrix.h"

namespace normscope {

// Replaces row[0 … visible) by its softmax, exp(s − max s)/Σ, and row[visible … size) by 0.
// A NaN or +∞ among them makes the row NaN, as in IEEE arithmetic.
template<class S>
void softmax_row(S* row, Index visible, Index size);

// Replaces dp by ds = p ⊙ (dp − Σ p⊙dp)·scale: the backward pass of a softmax of scaled scores.
template<class S>
void softmax_row_backward(const S* p, S* dp, Index size, S scale);

} // namespace normscope
