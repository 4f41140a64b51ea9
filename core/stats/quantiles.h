#pragma once
#include "core/stats/sample.h"

#include <span>
#include <vector>

namespace normscope {

// Quantiles at `probabilities` (each in [0, 1]) with linear interpolation, as torch.quantile and
// numpy's default. NaN values are left out; without any value left the quantiles are NaN.
template<class S>
std::vector<double> quantiles(Sample<S> sample, std::span<const double> probabilities);

// The x below which a share p of N(0, 1) lies; p in (0, 1), −∞ at 0 and ∞ at 1, NaN outside.
// Acklam's rational approximation (2003, relative error 1.15e-9) and one Halley step on erfc.
double normal_quantile(double p);

} // namespace normscope
