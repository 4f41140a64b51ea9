#include "app/charts/heatmap.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <cmath>

namespace normscope {

double common_limit(std::span<const double> largest_magnitudes) {
    double largest = 0;
    for (const double v : largest_magnitudes)
        if (std::isfinite(v)) largest = std::max(largest, v);
    if (largest <= 0) return 1;
    const double decade = std::pow(10.0, std::floor(std::log10(largest)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0})
        if (largest <= step * decade * (1 + 1e-9)) return step * decade;
    return 10 * decade;
}

NormLimits norm_limits(std::span<const double> largest_in, std::span<const double> largest_out) {
    constexpr double k_pale = 10; // a colour of less than this part of the full one is pale
    const double in = common_limit(largest_in);
    const double out = common_limit(largest_out);
    const double larger = std::max(in, out);
    return larger > k_pale * std::min(in, out) ? NormLimits{in, out} : NormLimits{larger, larger};
}

double own_limit(const Heatmap& map, HeatmapPicture& picture) {
    if (picture.limit > 0 && picture.limit_of == map.version) return picture.limit;
    const double largest = map.values.visit(
        [&](const auto* values) { return largest_magnitude(values, map.values.size()); });
    picture.limit_of = map.version;
    picture.limit = common_limit({&largest, 1});
    return picture.limit;
}

} // namespace normscope
