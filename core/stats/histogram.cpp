#include "core/stats/histogram.h"

#include "core/base/lists.h"
#include "core/base/wide.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace normscope {
namespace {

using BinBlock = std::array<int, 128>; // neighbours
constexpr auto k_bin_block = static_cast<Index>(BinBlock{}.size());

// The bins of a block of values, several in a register. False where one is outside, or so near to
// an edge, in bins, that arithmetic may be wrong.
template<class S>
NORMSCOPE_WIDE bool find_bins(const S* x, double lo, double hi, double per_bin, double near,
                              BinBlock& bin) {
    S inside = 0; // a NaN is not
#pragma omp simd reduction(+ : inside)
    for (Index k = 0; k < k_bin_block; ++k)
        inside += (x[k] >= static_cast<S>(lo)) & (x[k] <= static_cast<S>(hi)) ? S(1) : S(0);
    if (inside < static_cast<S>(k_bin_block)) return false;
    double least_part = 1, most_part = 0;
#pragma omp simd reduction(min : least_part) reduction(max : most_part)
    for (Index k = 0; k < k_bin_block; ++k) {
        const double at = (static_cast<double>(x[k]) - lo) * per_bin;
        const int whole = static_cast<int>(at);
        const double part = at - whole;
        least_part = part < least_part ? part : least_part;
        most_part = part > most_part ? part : most_part;
        entry_at(bin, k) = whole;
    }
    return least_part > near && most_part < 1 - near;
}

} // namespace

std::int64_t Histogram::total() const {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

double Histogram::density(std::size_t i) const {
    const std::int64_t all = total();
    const double width = edges[i + 1] - edges[i];
    if (all == 0 || !(width > 0)) return 0;
    return static_cast<double>(counts[i]) / (static_cast<double>(all) * width);
}

Histogram coarser(const Histogram& fine, int parts) {
    Histogram out;
    out.outside = fine.outside;
    out.nans = fine.nans;
    const auto together = static_cast<std::size_t>(parts);
    for (std::size_t i = 0; i < fine.counts.size(); i += together) {
        out.edges.push_back(fine.edges[i]);
        const auto first = fine.counts.begin() + static_cast<std::ptrdiff_t>(i);
        out.counts.push_back(std::accumulate(first, first + parts, std::int64_t{0}));
    }
    out.edges.push_back(fine.edges.back());
    return out;
}

template<class S>
Histogram histogram(Sample<S> sample, double lo, double hi, int bins) {
    Histogram out;
    std::vector<double>& edges = out.edges;
    for (int i = 0; i < bins; ++i) edges.push_back(lo + (hi - lo) * i / bins);
    edges.push_back(hi);
    out.counts.assign(static_cast<std::size_t>(bins), 0);
    std::int64_t* const counts = out.counts.data();
    const std::size_t last = out.counts.size() - 1;
    const double per_bin = bins / (hi - lo);
    // The edges decide: arithmetic is off by one where rounding is.
    const auto count_by_edges = [&](double x) {
        if (!(x >= lo && x <= hi)) {
            ++(std::isnan(x) ? out.nans : out.outside);
            return;
        }
        auto bin = std::min(static_cast<std::size_t>((x - lo) * per_bin), last);
        while (x < edges[bin]) --bin;
        while (bin < last && x >= edges[bin + 1]) ++bin;
        ++counts[bin];
    };
    // Farther than this from every edge, in bins, arithmetic is right.
    const double near = 8 * std::numeric_limits<double>::epsilon() *
                        (std::max(std::abs(lo), std::abs(hi)) * per_bin + bins);
    BinBlock bin;
    Index i = 0;
    for (; sample.stride == 1 && i + k_bin_block <= sample.size; i += k_bin_block)
        if (find_bins(sample.data + i, lo, hi, per_bin, near, bin))
            for (const int b : bin) ++counts[b];
        else
            for (Index k = i; k < i + k_bin_block; ++k)
                count_by_edges(static_cast<double>(sample[k]));
    for (; i < sample.size; ++i) count_by_edges(static_cast<double>(sample[i]));
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(histogram);

} // namespace normscope
