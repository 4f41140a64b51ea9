#include "core/stats/histogram.h"

#include "core/kernels/bin_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace normscope {
namespace {

// Equal to rounding: then a bin is found by arithmetic.
bool are_equal_bins(const std::vector<double>& edges) {
    const double lo = edges.front();
    const double range = edges.back() - lo;
    if (!(range > 0) || !std::isfinite(range)) return false;
    const auto n = static_cast<double>(edges.size() - 1);
    const double allowed =
        4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(lo), std::abs(edges.back()));
    // Where the edges themselves are a few ulp apart, arithmetic cannot tell bins apart.
    if (allowed * 64 > range / n) return false;
    for (std::size_t i = 1; i + 1 < edges.size(); ++i)
        if (!(std::abs(edges[i] - (lo + range * static_cast<double>(i) / n)) <= allowed))
            return false;
    return true;
}

template<class S>
void search_bins(Sample<S> sample, Histogram& out) {
    for (Index i = 0; i < sample.size; ++i) {
        const double x = static_cast<double>(sample[i]);
        if (std::isnan(x)) {
            ++out.nans;
        } else if (out.counts.empty() || x < out.edges.front() || x > out.edges.back()) {
            ++out.outside;
        } else {
            const auto after = std::upper_bound(out.edges.begin(), out.edges.end(), x);
            const auto bin = static_cast<std::size_t>(after - out.edges.begin());
            ++out.counts[std::min(bin, out.counts.size()) - 1];
        }
    }
}

} // namespace

double Histogram::density(std::size_t i) const {
    const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const double width = edges[i + 1] - edges[i];
    if (total == 0 || !(width > 0)) return 0;
    return static_cast<double>(counts[i]) / (static_cast<double>(total) * width);
}

template<class S>
Histogram histogram(Sample<S> sample, std::vector<double> edges) {
    Histogram out;
    out.edges = std::move(edges);
    out.counts.assign(out.edges.size() < 2 ? 0 : out.edges.size() - 1, 0);
    if (out.counts.empty() || !are_equal_bins(out.edges)) {
        search_bins(sample, out);
        return out;
    }
    const detail::BinCounts counted = detail::count_equal(sample, out.edges);
    const std::size_t bins = out.counts.size();
    std::copy_n(counted.begin() + 1, bins, out.counts.begin());
    out.outside = counted[0] + counted[bins + 1];
    out.nans = counted[bins + 2];
    return out;
}

std::vector<double> equal_edges(double lo, double hi, int bins) {
    const int n = std::max(bins, 1);
    std::vector<double> edges(static_cast<std::size_t>(n) + 1);
    for (int i = 0; i <= n; ++i) edges[static_cast<std::size_t>(i)] = lo + (hi - lo) * i / n;
    edges.back() = hi;
    return edges;
}

template Histogram histogram(Sample<float>, std::vector<double>);
template Histogram histogram(Sample<double>, std::vector<double>);

} // namespace normscope
