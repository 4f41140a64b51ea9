#pragma once
#include "core/stats/sample.h"

#include <cstdint>
#include <vector>

namespace normscope {

// counts[i] values lie in [edges[i], edges[i+1]), the last bin includes its right edge.
struct Histogram {
    std::vector<double> edges;        // n + 1, ascending
    std::vector<std::int64_t> counts; // n
    std::int64_t outside = 0;         // below the first or above the last edge, ±∞
    std::int64_t nans = 0;

    std::int64_t total() const; // of the bins

    // Height of bin i so that the area of all bins is 1 (0 when nothing was counted).
    double density(std::size_t i) const;
};

// Counts the sample in `bins` equal bins over [lo, hi], at least one.
template<class S>
Histogram histogram(Sample<S> sample, double lo, double hi, int bins);

// Joins every `parts` bins into one; the number of bins is a multiple of `parts`.
Histogram coarser(const Histogram& fine, int parts);

} // namespace normscope
