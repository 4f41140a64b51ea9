#include "core/stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace normscope {

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
    const std::size_t last = out.counts.size() - 1;
    const double per_bin = bins / (hi - lo);
    for (Index i = 0; i < sample.size; ++i) {
        const auto x = static_cast<double>(sample[i]);
        if (!(x >= lo && x <= hi)) {
            ++(std::isnan(x) ? out.nans : out.outside);
            continue;
        }
        // The edges decide: arithmetic is off by one where rounding is.
        auto bin = std::min(static_cast<std::size_t>((x - lo) * per_bin), last);
        while (x < edges[bin]) --bin;
        while (bin < last && x >= edges[bin + 1]) ++bin;
        ++out.counts[bin];
    }
    return out;
}

template Histogram histogram(Sample<float>, double, double, int);
template Histogram histogram(Sample<double>, double, double, int);

} // namespace normscope
