#pragma once
#include "core/stats/density.h"
#include "core/stats/histogram.h"
#include "core/stats/sample.h"

#include <cstdint>
#include <span>
#include <vector>

namespace normscope {

// A sample counted once on a fine grid of equal cells over [lo, hi], from which histogram, density
// and approximate quantiles are all derived. For large matrices on every frame of a drag: the
// values are read once. Cell i is [lo + i·w, lo + (i+1)·w), the last one includes hi.
struct Binned {
    double lo = 0;
    double hi = 0;
    std::vector<std::int64_t> counts;
    std::int64_t below = 0; // less than lo, −∞
    std::int64_t above = 0; // greater than hi, +∞
    std::int64_t nans = 0;

    double width() const { return (hi - lo) / static_cast<double>(counts.size()); }
    std::int64_t inside() const;
};

// lo < hi, both finite, cells ≥ 1 (1024 to 8192 is sensible; more than the L1 cache holds is slow).
template<class S>
Binned bin(Sample<S> sample, double lo, double hi, int cells);

// `bins` equal bins over [lo, hi]; bins must divide the number of cells. The same counts as
// histogram(sample, equal_edges(lo, hi, bins)) but for values within rounding of an edge.
Histogram histogram(const Binned& binned, int bins);

// The density of the counted values, each taken to lie at the centre of its cell (the spread this
// adds is taken off the bandwidth). Values outside [binned.lo, binned.hi] do not count.
Density density(const Binned& binned, double lo, double hi, int points, double bandwidth);

// Quantiles of the counted values, linear within a cell: off by at most one cell.
std::vector<double> quantiles(const Binned& binned, std::span<const double> probabilities);

extern template Binned bin(Sample<float>, double, double, int);
extern template Binned bin(Sample<double>, double, double, int);

} // namespace normscope
