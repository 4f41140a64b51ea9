#pragma once
#include "core/base/matrix.h"

namespace normscope {

// Replaces row[0 … visible) by its softmax, exp(s − max s)/Σ, and row[visible … size) by 0.
// A NaN or +∞ among them makes the row NaN, as in IEEE arithmetic.
void softmax_row(float* row, Index visible, Index size);
void softmax_row(double* row, Index visible, Index size);

// Replaces dp by ds = p ⊙ (dp − Σ p⊙dp)·scale: the backward pass of a softmax of scaled scores.
void softmax_row_backward(const float* p, float* dp, Index size, float scale);
void softmax_row_backward(const double* p, double* dp, Index size, double scale);

} // namespace normscope
