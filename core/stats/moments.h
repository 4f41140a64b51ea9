#pragma once
#include "core/stats/sample.h"

namespace normscope {

// Moments of n values, accumulated in double from deviations (never E[x²] − μ²). A NaN among the
// values makes every moment NaN, as IEEE arithmetic does; min and max are over the values that are
// not NaN. Without any value the moments, min and max are NaN.
struct Moments {
    Index count = 0;
    Index nans = 0;
    Index infinities = 0;
    double mean = 0;
    double variance = 0; // biased: Σ(x−μ)²/n
    double std = 0;      // √variance
    double min = 0;
    double max = 0;
    double skewness = 0;        // m3 / m2^1.5
    double excess_kurtosis = 0; // m4 / m2² − 3
};

template<class S>
Moments moments(Sample<S> sample);

} // namespace normscope
