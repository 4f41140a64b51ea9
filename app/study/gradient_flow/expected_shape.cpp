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

std::string_view shape_label(ExpectedShape shape) {
    switch (shape) {
    case ExpectedShape::flat:
        return "Flat";
    case ExpectedShape::shrinks_slowly:
        return "Shrinks slowly";
    case ExpectedShape::vanishes:
        return "Vanishes";
    case ExpectedShape::grows:
        return "Grows";
    case ExpectedShape::explodes:
        return "Explodes";
    }
    return "";
}

} // namespace normscope
