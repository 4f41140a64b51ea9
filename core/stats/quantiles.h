#pragma once
#include "core/stats/sample.h"

#include <span>
#include <vector>

namespace normscope {

// Quantiles at `probabilities` (each in [0, 1]) with linear interpolation, as torch.quantile and
// numpy's default. NaN values are left out; without any value left the quantiles are NaN.
template<class S>
std::vector<double> quantiles(Sample<S> sample, std::span<const double> probabilities);

} // namespace normscope
