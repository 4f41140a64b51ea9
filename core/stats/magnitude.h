#pragma once
#include "core/matrix.h"

namespace normscope {

// The largest |value| that is finite of n values; 0 if there is none.
double largest_magnitude(const float* values, Index n);
double largest_magnitude(const double* values, Index n);

// √Σv² of n values, which is NaN or ∞ if one is; and largest_magnitude(), in one go.
struct Magnitudes {
    double norm = 0;
    double largest = 0;
};
Magnitudes magnitudes(const double* values, Index n);

// best[i] becomes values[i] where that lies further from 0, for n values; NaN lies further than ∞,
// and of two that lie equally far the first stays.
void keep_larger(float* best, const float* values, Index n);
void keep_larger(double* best, const double* values, Index n);

} // namespace normscope
