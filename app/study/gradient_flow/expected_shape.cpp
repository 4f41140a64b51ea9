#include "app/study/gradient_flow/expected_shape.h"

#include <cmath>

namespace normscope {

std::optional<ExpectedShape> measured_shape(const StackStudy& study) {
    const auto points = flow_points(study, FlowQuantity::gradient);
    if (points.empty()) return std::nullopt;
    const double ratio = points.front().mean / points.back().mean;
    if (std::isnan(ratio)) return std::nullopt;
    if (ratio < 1e-3) return ExpectedShape::vanishes;
    if (ratio < 2.0 / 3) return ExpectedShape::shrinks_slowly;
    if (ratio <= 1.5) return ExpectedShape::flat;
    if (ratio <= 1e3) return ExpectedShape::grows;
    return ExpectedShape::explodes;
}

std::span<const Choice<ExpectedShape>> choices(ExpectedShape) {
    static constexpr Choice<ExpectedShape> k_shapes[] = {
        {ExpectedShape::flat, "flat", "Flat"},
        {ExpectedShape::shrinks_slowly, "shrinks-slowly", "Shrinks slowly"},
        {ExpectedShape::vanishes, "vanishes", "Vanishes"},
        {ExpectedShape::grows, "grows", "Grows"},
        {ExpectedShape::explodes, "explodes", "Explodes"}};
    return k_shapes;
}

} // namespace normscope
