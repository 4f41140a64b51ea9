#include "app/workspaces/add_norm/tensor_style.h"

#include <array>

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
    return curve;
}

Extent shared_extent(const Derived& derived) {
    std::array<SampleExtent, k_tensors> samples;
    for (std::size_t i = 0; i < k_tensors; ++i) {
        const Moments& m = derived.pooled(static_cast<Tensor>(i)).moments;
        samples[i] = {m.mean, m.std, m.min, m.max};
    }
    return common_extent(samples);
}

} // namespace normscope
