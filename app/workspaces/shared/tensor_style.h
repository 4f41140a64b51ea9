#pragma once
#include "app/charts/distribution_chart.h"
#include "app/study/add_norm/derived.h"

namespace normscope {

constexpr Stage stage_of(Tensor which) {
    switch (which) {
    case Tensor::x:
        return Stage::x;
    case Tensor::f:
        return Stage::f;
    case Tensor::z:
        return Stage::z;
    case Tensor::x_hat:
        return Stage::x_hat;
    case Tensor::y:
        return Stage::y;
    }
    return Stage::z;
}

// Colour is never alone: the curves that are compared also differ by their line.
constexpr Dash dash_of(Tensor which) {
    if (which == Tensor::x_hat) return Dash::dashed;
    return which == Tensor::z ? Dash::dotted : Dash::solid;
}

// A set of values as a chart takes it. `distribution` must outlive the curve.
DistributionCurve curve_of(const Distribution1D& distribution, Color color, std::string label);

// What of an axis a distribution needs.
SampleExtent extent_of(const Distribution1D& distribution);

// The x-axis that the distributions of all five tensors share.
Extent shared_extent(const Derived& derived);

} // namespace normscope
