#include "core/norm/spread.h"

namespace normscope {

double mean_of_squares(const Vector<double>& values) {
    return values.squaredNorm() / static_cast<double>(values.size());
}

// s² = mean(u²) + ε, so that N·∂s/∂u_j = u_j/s = x̂_j; its mean is 0 where that of u is.
Vector<double> pull_of_squares(const Vector<double>& x_hat) {
    return x_hat;
}

} // namespace normscope
