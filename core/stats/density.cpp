#include "core/stats/density.h"

#include "core/kernels/bin_index.h"
#include "core/stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace normscope {
namespace {

// The kernel beyond this many bandwidths is left out: exp(−18) = 1.5e-8.
constexpr double k_reach = 6;
// From here on values are counted in cells first; below, each is placed exactly.
constexpr Index k_count_from = 8192;
// A kernel wider than this many grid steps is summed from cells a fraction of it wide.
constexpr double k_widest_table = 4096;

// Masses on an equally spaced grid that contains the `points` grid points and, on both sides, as
// many more as the kernel reaches: mass i at lo + (i − pad)·step; `refine` steps make a grid step.
struct Masses {
    double lo = 0;
    double step = 0;
    int refine = 1;
    Index pad = 0;
    std::vector<double> mass;
    double total = 0;

    Masses(double first, double last, int points, double bandwidth) : lo(first) {
        const double spacing = (last - first) / (points - 1);
        refine = static_cast<int>(std::clamp(std::ceil(4 * spacing / bandwidth), 1.0, 8.0));
        step = spacing / refine;
        pad = static_cast<Index>(std::ceil(k_reach * bandwidth / step)) + 1;
        mass.assign(static_cast<std::size_t>(2 * pad + Index{points - 1} * refine + 1), 0.0);
    }

    // Linear binning (Wand 1994): shared by the two neighbours, so that the mean is kept.
    void add(double x, double weight) {
        total += weight;
        const double position = (x - lo) / step + static_cast<double>(pad);
        if (!(position >= 0) || !(position < static_cast<double>(mass.size() - 1))) return;
        const auto i = static_cast<std::size_t>(position);
        const double right = position - static_cast<double>(i);
        mass[i] += weight * (1 - right);
        mass[i + 1] += weight * right;
    }

    std::vector<double> convolve(int points, double sigma) const {
        std::vector<double> kernel(static_cast<std::size_t>(2 * pad + 1));
        for (Index k = -pad; k <= pad; ++k) {
            const double u = static_cast<double>(k) * step / sigma;
            kernel[static_cast<std::size_t>(k + pad)] = std::exp(-0.5 * u * u);
        }
        std::vector<double> y(static_cast<std::size_t>(points), 0.0);
        // Mass by mass, because a small sample leaves most of them 0. Grid point j is mass
        // pad + j·refine; the kernel covers pad masses on either side.
        const auto masses = static_cast<Index>(mass.size());
        for (Index i = 0; i < masses; ++i) {
            const double m = mass[static_cast<std::size_t>(i)];
            if (m == 0) continue;
            const Index first = std::max<Index>(0, (i - 2 * pad + refine - 1) / refine);
            const Index last = std::min<Index>(points - 1, i / refine);
            const double* k = kernel.data() + i - first * refine;
            for (Index j = first; j <= last; ++j, k -= refine)
                y[static_cast<std::size_t>(j)] += m * *k;
        }
        const double scale = 1.0 / (total * sigma * std::sqrt(2.0 * std::numbers::pi));
        for (double& v : y) v *= scale;
        return y;
    }
};

// A large sample counted once in fine equal cells over [lo, hi], from which its density is made.
struct Cells {
    double lo = 0;
    double hi = 0;
    std::vector<std::int64_t> counts;
    std::int64_t outside = 0; // ±∞ included

    double width() const { return (hi - lo) / static_cast<double>(counts.size()); }
    double centre(std::size_t i) const { return lo + (static_cast<double>(i) + 0.5) * width(); }
    std::int64_t inside() const {
        return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    }
};

// More cells than the first level of the cache holds would be slow.
template<class S>
Cells count_in_cells(Sample<S> sample, double lo, double hi, int cells) {
    const detail::BinCounts counted = detail::count_equal(sample, equal_edges(lo, hi, cells));
    const auto n = static_cast<Index>(counted.size()) - 3;
    return {lo, hi, {counted.begin() + 1, counted.begin() + 1 + n}, counted[0] + counted[n + 1]};
}

// What counting in cells of `width` and linear binning on `step` spread the values by.
double without_spread(double bandwidth, double width, double step) {
    const double variance = bandwidth * bandwidth - width * width / 12 - step * step / 6;
    return variance > 0.25 * bandwidth * bandwidth ? std::sqrt(variance) : bandwidth;
}

// For a kernel much wider than the grid: a few thousand terms a point.
std::vector<double> sum_directly(const Cells& cells, double lo, double hi, int points,
                                 double bandwidth) {
    const double total = static_cast<double>(cells.inside());
    const double scale = 1.0 / (total * bandwidth * std::sqrt(2.0 * std::numbers::pi));
    std::vector<double> y;
    for (int j = 0; j < points; ++j) {
        const double at = lo + (hi - lo) * j / (points - 1);
        double sum = 0;
        for (std::size_t i = 0; i < cells.counts.size(); ++i) {
            if (cells.counts[i] == 0) continue;
            const double u = (at - cells.centre(i)) / bandwidth;
            sum += static_cast<double>(cells.counts[i]) * std::exp(-0.5 * u * u);
        }
        y.push_back(sum * scale);
    }
    return y;
}

bool is_drawable(double lo, double hi, int points, double bandwidth) {
    return points >= 2 && hi > lo && std::isfinite(hi - lo) && bandwidth > 0 &&
           std::isfinite(bandwidth);
}

template<class S>
std::int64_t infinities(Sample<S> sample, const Cells& cells) {
    if (cells.outside == 0) return 0;
    std::int64_t count = 0;
    for (Index i = 0; i < sample.size; ++i) count += std::isinf(sample[i]) ? 1 : 0;
    return count;
}

} // namespace

double silverman_bandwidth(double std, double iqr, Index n) {
    double spread = std;
    if (iqr > 0 && !(iqr / 1.34 > spread)) spread = iqr / 1.34;
    if (!(spread > 0) || !std::isfinite(spread)) {
        // A constant sample has no scale of spread; its curve is a narrow bump.
        return 0.05;
    }
    return 0.9 * spread * std::pow(static_cast<double>(std::max<Index>(n, 1)), -0.2);
}

template<class S>
Density density(Sample<S> sample, double lo, double hi, int points, double bandwidth) {
    Density out{lo, hi, bandwidth,
                std::vector<double>(static_cast<std::size_t>(std::max(points, 0)))};
    if (!is_drawable(lo, hi, points, bandwidth)) return out;
    const double reach = k_reach * bandwidth;
    if (reach * (points - 1) > k_widest_table * (hi - lo)) {
        const Cells cells = count_in_cells(sample, lo - reach, hi + reach, 4096);
        if (cells.inside() > 0) out.y = sum_directly(cells, lo, hi, points, bandwidth);
        return out;
    }
    Masses masses(lo, hi, points, bandwidth);
    double width = 0;            // of a cell
    std::int64_t beyond_all = 0; // finite values beyond the kernel's reach
    if (sample.size >= k_count_from) {
        const double spacing = (hi - lo) / (points - 1);
        const double wanted = std::min(spacing, bandwidth / 4) / 4;
        const double count = std::clamp((hi - lo + 2 * reach) / wanted, 256.0, 16384.0);
        const Cells cells =
            count_in_cells(sample, lo - reach, hi + reach, static_cast<int>(std::ceil(count)));
        width = cells.width();
        beyond_all = cells.outside - infinities(sample, cells);
        for (std::size_t i = 0; i < cells.counts.size(); ++i)
            if (cells.counts[i] > 0)
                masses.add(cells.centre(i), static_cast<double>(cells.counts[i]));
    } else {
        for (Index i = 0; i < sample.size; ++i) {
            const double x = static_cast<double>(sample[i]);
            if (std::isfinite(x)) masses.add(x, 1.0);
        }
    }
    const double inside = masses.total;
    if (inside == 0) return out;
    out.y = masses.convolve(points, without_spread(bandwidth, width, masses.step));
    // The integral over the real line is 1: finite values beyond the kernel's reach count in it.
    if (beyond_all > 0)
        for (double& y : out.y) y *= inside / (inside + static_cast<double>(beyond_all));
    return out;
}

template Density density(Sample<float>, double, double, int, double);
template Density density(Sample<double>, double, double, int, double);

} // namespace normscope
