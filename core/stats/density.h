#pragma once
#include "core/stats/histogram.h"
#include "core/stats/sample.h"

#include <vector>

namespace normscope {

// A Gaussian kernel density estimate at equally spaced points: y[i] at lo + i·(hi−lo)/(n−1).
// The integral over the real line is 1.
struct Density {
    double lo = 0;
    double hi = 0;
    double bandwidth = 0;
    std::vector<double> y;
};

// Silverman's (1986, eq. 3.31) bandwidth 0.9·min(σ, IQR/1.34)·n^(−1/5), from σ alone where IQR is
// 0. Never 0: a constant sample gets a small width of its own scale.
double silverman_bandwidth(double std, double iqr, Index n);

// The density of the values that lie in the bins, each counted at the middle of its bin (Wand
// 1994), to `tail` bandwidths beyond both ends. Bins of an eighth of the bandwidth are good to
// 0.1 % of the peak. At most `most_points` points, two or more. Empty where there is none.
Density density(const Histogram& values, double bandwidth, double tail, int most_points);

} // namespace normscope
