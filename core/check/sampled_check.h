#pragma once
#include "core/base/lists.h"
#include "core/base/matrix.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <unordered_set>
#include <vector>

// Gradients checked entry by entry, with a step of the caller's and as many entries as time allows,
// so that a screen can check at every frame.
namespace normscope {

// Largest share of the step that rounding at `at` may change: beyond it the derivative is NaN.
constexpr double k_inexact_step = 1e-3;

// f'(at) from four values around it: (8·(f₊₁ − f₋₁) − (f₊₂ − f₋₂)) / 12h, whose error is of order
// h⁴ (Abramowitz, Stegun 1964, 25.3.6), so that h may be large enough to drown the rounding of f.
// `f` is called with at ± h and at ± 2h, h the power of two next to `step` > 0, so that these have
// no rounding of their own where `at` is large. It returns a number or a vector: NaN where `at` has
// no digits for such a step.
template<class F>
auto five_point_difference(F&& f, double at, double step) {
    using Value = std::remove_cvref_t<decltype(f(at))>;
    double h = std::exp2(std::round(std::log2(step)));
    if (std::abs(at + h - at - h) > k_inexact_step * h) h = std::nan("");
    const Value near = f(at + h) - f(at - h);
    const Value far = f(at + 2 * h) - f(at - 2 * h);
    return Value((8 * near - far) / (12 * h));
}

// One entry of a gradient, both ways.
struct GradientEntry {
    Index entry = -1; // −1: none was compared
    double analytic = 0;
    double numeric = 0;
};

// Comparison of a gradient with differences of its function.
struct SampledCheck {
    Index checked = 0;
    Index total = 0;         // entries the gradient has
    double max_absolute = 0; // |analytic − numeric|, NaN if one was not a number
    double max_relative = 0; // divided by max(|analytic|, |numeric|, scale)
    GradientEntry worst;     // where the relative difference is largest
    GradientEntry largest;   // where the absolute difference is largest
    double relative_at_largest = 0;

    // Everything compared agrees to `tolerance`; NaN does not.
    bool agrees(double tolerance) const { return max_relative <= tolerance; }

    // The entry with the largest absolute difference, if its relative difference is beyond
    // `tolerance`; else the entry with the largest relative difference.
    const GradientEntry& off_most(double tolerance) const {
        return relative_at_largest > tolerance ? largest : worst;
    }

    // `scale`: the size of the gradient's terms before they cancel. A gradient that vanishes by
    // cancellation has no digits of its own to compare.
    void compare(Index entry, double analytic, double numeric, double scale) {
        ++checked;
        const double absolute = std::abs(analytic - numeric);
        const double size = std::max({std::abs(analytic), std::abs(numeric), scale});
        const double relative = absolute == 0 ? 0 : absolute / size;
        if (!std::isnan(max_absolute) && !(absolute <= max_absolute)) {
            max_absolute = absolute;
            largest = {entry, analytic, numeric};
            relative_at_largest = relative;
        }
        if (worst.entry < 0 || (!std::isnan(max_relative) && !(relative <= max_relative))) {
            max_relative = relative;
            worst = {entry, analytic, numeric};
        }
    }
};

// Entries to compare of a gradient of `total` entries: all when there are at most `most`, else
// `most` different entries drawn from the seed, in ascending order.
inline std::vector<Index> entries_to_check(Index total, Index most, std::uint64_t seed) {
    if (total <= most) return first_places(std::max<Index>(total, 0));
    // Floyd's sampling: `most` draws whatever the total.
    Random random(seed);
    std::unordered_set<Index> chosen;
    for (Index last = total - most; last < total; ++last) {
        const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(last) + 1));
        if (!chosen.insert(i).second) chosen.insert(last);
    }
    std::vector<Index> entries(chosen.begin(), chosen.end());
    std::ranges::sort(entries);
    return entries;
}

} // namespace normscope
