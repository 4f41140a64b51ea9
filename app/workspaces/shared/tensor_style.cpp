#include "app/workspaces/shared/tensor_style.h"

#include <cmath>

namespace normscope {

DistributionCurve curve_of(const Distribution1D& d, Color color, std::string label) {
    DistributionCurve curve;
    curve.color = color;
    curve.label = std::move(label);
    curve.density = d.density.y;
    curve.density_lo = d.density.lo;
    curve.density_hi = d.density.hi;
    curve.bin_edges = d.histogram.edges;
    curve.bin_density = d.bin_density;
    curve.mean = d.moments.mean;
    curve.std = d.moments.std;
    curve.min = d.moments.min;
    curve.max = d.moments.max;
    return curve;
}

SampleExtent extent_of(const Distribution1D& d) {
    const Moments& m = d.moments;
    const double tail = k_density_tail * d.density.bandwidth;
    // With a NaN or ∞ among the values there are no moments, but there is a curve of the others.
    if (!std::isfinite(m.std) && !d.density.y.empty())
        return {m.mean, m.std, d.density.lo, d.density.hi};
    return {m.mean, m.std, m.min, m.max, tail};
}

} // namespace normscope
