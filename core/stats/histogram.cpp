#include "core/stats/histogram.h"

#include <cmath>
#include <numeric>

namespace normscope {

double Histogram::density(std::size_t i) const {
    const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const double width = edges[i + 1] - edges[i];
    if (total == 0 || !(width > 0)) return 0;
    return static_cast<double>(counts[i]) / (static_cast<double>(total) * width);
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
        if (std::isnan(x)) {
            ++out.nans;
        } else if (x < lo || x > hi) {
            ++out.outside;
        } else {
            // The edges decide: arithmetic is off by one where rounding is.
            const double place = (x - lo) * per_bin;
            auto bin = place < static_cast<double>(last) ? static_cast<std::size_t>(place) : last;
            while (x < edges[bin]) --bin;
            while (bin < last && x >= edges[bin + 1]) ++bin;
            ++out.counts[bin];
        }
    }
    return out;
}

template Histogram histogram(Sample<float>, double, double, int);
template Histogram histogram(Sample<double>, double, double, int);

} // namespace normscope
