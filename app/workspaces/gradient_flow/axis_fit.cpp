#include "app/workspaces/gradient_flow/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace normscope {

namespace {

constexpr double k_far = 20;      // decades: what one curve spans and others do not
constexpr double k_least_cut = 6; // decades that are left of it

double decades(LineRange r) {
    return std::log10(r.hi / r.lo);
}

LineRange whole_decades(LineRange r) {
    return {std::pow(10.0, std::floor(std::log10(r.lo) + 1e-9)),
            std::pow(10.0, std::ceil(std::log10(r.hi) - 1e-9))};
}

LineRange hull(std::span<const LineRange> ranges) {
    std::vector<double> ends;
    for (const LineRange& r : ranges) ends.insert(ends.end(), {r.lo, r.hi});
    return line_range(ScaleKind::log, ends);
}

} // namespace

LineRange curves_range(std::span<const LineRange> curves) {
    const LineRange all = hull(curves);
    if (curves.size() < 3 || decades(all) <= k_far) return all;
    for (const auto i : indices(curves)) {
        std::vector<LineRange> others(curves.begin(), curves.end());
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        LineRange range = whole_decades(hull(others));
        if (decades(range) > decades(all) / 4) continue;
        const double shown = std::pow(10.0, std::max(k_least_cut, 2 * decades(range)));
        const LineRange near = range;
        if (all.lo < near.lo) range.lo = std::max(all.lo, near.hi / shown);
        if (all.hi > near.hi) range.hi = std::min(all.hi, near.lo * shown);
        return range;
    }
    return all;
}

LineRange with_guess(LineRange range, LineRange guess, LineRange measured) {
    return hull(std::array{range, guess, measured});
}

std::vector<Leaving> leaves(std::span<const DataPoint> points, LineRange range) {
    constexpr double k_slack = 1e-9;
    const LineRange edges{range.lo * (1 - k_slack), range.hi * (1 + k_slack)};
    const auto placed = [](double y) { return y > 0 && std::isfinite(y); };
    std::vector<Leaving> out;
    for (const bool below : {true, false}) {
        const double edge = below ? range.lo : range.hi;
        const auto beyond = [&](double y) { return below ? y < edges.lo : y > edges.hi; };
        std::optional<Leaving> leaving;
        double farthest = edge;
        for (std::size_t i = points.size(); i-- > 0;) {
            const DataPoint p = points[i];
            if (!placed(p.y)) continue;
            if (beyond(p.y)) farthest = below ? std::min(farthest, p.y) : std::max(farthest, p.y);
            if (leaving || i + 1 == points.size()) continue;
            const DataPoint next = points[i + 1];
            if (!placed(next.y) || beyond(p.y) == beyond(next.y)) continue;
            const double t = std::log(edge / next.y) / std::log(p.y / next.y);
            leaving = Leaving{{next.x + t * (p.x - next.x), edge}, edge};
        }
        if (!leaving) continue;
        leaving->farthest = farthest;
        out.push_back(*leaving);
    }
    return out;
}

} // namespace normscope
