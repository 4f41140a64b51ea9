#pragma once
#include "app/charts/distribution_chart.h"
#include "app/study/add_norm/derived.h"

namespace normscope {

constexpr Stage stage_of(Tensor which) {
    return static_cast<Stage>(which); // they begin alike
}
static_assert(stage_of(Tensor::x) == Stage::x && stage_of(Tensor::y) == Stage::y);

// Colour is never alone: the curves that are compared also differ by their line.
constexpr Dash dash_of(Tensor which) {
    if (which == Tensor::x_hat) return Dash::dashed;
    return which == Tensor::z ? Dash::dotted : Dash::solid;
}

// A set of values as a chart takes it. `distribution` must outlive the curve.
DistributionCurve curve_of(const Distribution1D& distribution, Color color, std::string label);

// The extent that a distribution needs on an axis.
SampleExtent extent_of(const Distribution1D& distribution);

} // namespace normscope
