#pragma once
#include "core/stats/sample.h"

#include <cstdint>
#include <span>
#include <vector>

// The counting that histogram and density share.
namespace normscope::detail {

// counts[0]: below edges.front(); counts[1 … n]: the bins; counts[n+1]: above edges.back();
// counts[n+2]: NaN.
using BinCounts = std::vector<std::int64_t>;

// Into equal bins (edges[i] = lo + i·w to rounding; at least two edges, ascending): by arithmetic,
// and values within rounding of an edge by comparison with it.
template<class S>
BinCounts count_equal(Sample<S> sample, std::span<const double> edges);

} // namespace normscope::detail
