#pragma once
#include "core/base/matrix.h"

namespace normscope {

// Sums over one group of n values, with a = γ⊙dy.
struct GroupSums {
    double aa = 0; // Σ (a − mean a)²
    double ax = 0; // Σ (a − mean a)·x̂
    double xx = 0; // Σ x̂²
    double gg = 0; // Σ γ²x̂²
};

// gamma, dy, x_hat: n values. Where the norm has no mean (rms norm, none) nothing is subtracted
// from a. `a` is room for n values.
enum class Centred : bool { no, yes };
GroupSums group_sums(const double* gamma, const double* dy, const double* x_hat, Centred centred,
                     double* a, Index n);

} // namespace normscope
