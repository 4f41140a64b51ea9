#include "core/stats/binned.h"

#include "core/kernels/bin_index.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace normscope {

std::int64_t Binned::inside() const {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

template<class S>
Binned bin(Sample<S> sample, double lo, double hi, int cells) {
    const std::vector<double> edges = equal_edges(lo, hi, cells);
    const detail::BinCounts counted = detail::count_equal(sample, edges);
    const std::size_t n = edges.size() - 1;
    Binned out{lo, hi, {}, counted[0], counted[n + 1], counted[n + 2]};
    out.counts.assign(counted.begin() + 1, counted.begin() + 1 + static_cast<Index>(n));
    return out;
}

Histogram histogram(const Binned& binned, int bins) {
    Histogram out;
    out.edges = equal_edges(binned.lo, binned.hi, bins);
    const std::size_t n = out.edges.size() - 1;
    out.counts.assign(n, 0);
    for (std::size_t i = 0; i < binned.counts.size(); ++i) {
        out.counts[i * n / binned.counts.size()] += binned.counts[i];
    }
    out.outside = binned.below + binned.above;
    out.nans = binned.nans;
    return out;
}

std::vector<double> quantiles(const Binned& binned, std::span<const double> probabilities) {
    const auto total = static_cast<double>(binned.inside());
    std::vector<double> out;
    for (const double probability : probabilities) {
        if (!(total > 0)) {
            out.push_back(std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        const double wanted = std::clamp(probability, 0.0, 1.0) * total;
        double passed = 0;
        double at = binned.hi;
        for (std::size_t i = 0; i < binned.counts.size(); ++i) {
            const auto count = static_cast<double>(binned.counts[i]);
            if (count > 0 && passed + count >= wanted) {
                const double within = (wanted - passed) / count;
                at = binned.lo + (static_cast<double>(i) + within) * binned.width();
                break;
            }
            passed += count;
        }
        out.push_back(at);
    }
    return out;
}

template Binned bin(Sample<float>, double, double, int);
template Binned bin(Sample<double>, double, double, int);

} // namespace normscope
