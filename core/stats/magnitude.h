#pragma once
#include "core/base/matrix.h"

#include <algorithm>
#include <cmath>

namespace normscope {

// The largest |value| that is finite of n values; 0 if there is none.
template<class S>
double largest_magnitude(const S* values, Index n);

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
template<class S>
void keep_larger(S* best, const S* values, Index n);

} // namespace normscope
