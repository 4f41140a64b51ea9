#include "app/workspaces/gradient_flow/axis_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace normscope {

namespace {

constexpr double k_far = 12;         // decades: what one curve spans and others do not
constexpr double k_least_cut = 6;    // decades that are left of it
constexpr double k_guess_beyond = 1; // decades beyond the curves that a guess may claim

double decades(LineRange r) {
    return std::log10(r.hi / r.lo);
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
    for (std::size_t i = 0; i < curves.size(); ++i) {
        std::vector<LineRange> others(curves.begin(), curves.end());
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        LineRange range = hull(others);
        if (decades(range) > decades(all) / 4) continue;
        const double shown = std::pow(10.0, std::max(k_least_cut, 2 * decades(range)));
        if (all.lo < range.lo) range.lo = std::max(all.lo, range.hi / shown);
        if (all.hi > range.hi) range.hi = std::min(all.hi, range.lo * shown);
        return range;
    }
    return all;
}

LineRange with_guess(LineRange range, LineRange guess) {
    const double beyond = std::pow(10.0, k_guess_beyond);
    const std::array both = {range,
                             LineRange{std::clamp(guess.lo, range.lo / beyond, range.hi * beyond),
                                       std::clamp(guess.hi, range.lo / beyond, range.hi * beyond)}};
    return hull(both);
}

std::optional<Leaving> leaves(std::span<const DataPoint> points, LineRange range) {
    constexpr double k_rounding = 1e-9;
    const LineRange edges{range.lo * (1 - k_rounding), range.hi * (1 + k_rounding)};
    const auto within = [&](double y) { return y >= edges.lo && y <= edges.hi; };
    for (std::size_t i = points.size(); i-- > 1;) {
        const DataPoint in = points[i], out = points[i - 1];
        if (!within(in.y) || within(out.y) || !(out.y > 0) || !std::isfinite(out.y)) continue;
        const bool below = out.y < range.lo;
        const double edge = below ? range.lo : range.hi;
        const double t = std::log(edge / in.y) / std::log(out.y / in.y);
        Leaving leaving{{in.x + t * (out.x - in.x), edge}, out.y};
        for (std::size_t j = 0; j < i; ++j) {
            const double y = points[j].y;
            if (y > 0 && std::isfinite(y) && (below ? y < leaving.farthest : y > leaving.farthest))
                leaving.farthest = y;
        }
        return leaving;
    }
    return std::nullopt;
}

} // namespace normscope
