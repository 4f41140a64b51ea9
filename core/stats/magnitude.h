#pragma once
#include "core/base/matrix.h"

#include <algorithm>
#include <cmath>

namespace normscope {

// The largest |value| that is finite of n values; 0 if there is none.
double largest_magnitude(const float* values, Index n);
double largest_magnitude(const double* values, Index n);

// Of n values, in one go: Σv², which is NaN or ∞ if one is, and largest_magnitude().
struct Magnitudes {
    double squares = 0;
    double largest = 0;

    double norm() const { return std::sqrt(squares); }
    // Afterwards these are the magnitudes of both sets of values.
    void add(const Magnitudes& other) {
        squares += other.squares;
        largest = std::max(largest, other.largest);
    }
};
Magnitudes magnitudes(const double* values, Index n);

// best[i] becomes values[i] where that lies further from 0, for n values; NaN lies further than ∞,
// and of two that lie equally far the first stays.
void keep_larger(float* best, const float* values, Index n);
void keep_larger(double* best, const double* values, Index n);

} // namespace normscope
