#pragma once
#include "core/matrix.h"

namespace normscope {

// Sums over one group of n values, with a = γ⊙dy and u = z − μ.
struct GroupSums {
    double aa = 0; // Σ (a − mean a)²
    double au = 0; // Σ (a − mean a)·u
    double uu = 0; // Σ u²
    double gg = 0; // Σ γ²u²
};

// gamma, dy, z: n values; mean: μ of z. Without a mean (rms norm, none) nothing is subtracted from
// a or z. `a` is room for n values.
enum class Centred : bool { no, yes };
GroupSums group_sums(const double* gamma, const double* dy, const double* z, double mean,
                     Centred centred, double* a, Index n);

} // namespace normscope
