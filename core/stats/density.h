#pragma once
#include "core/stats/sample.h"

#include <vector>

namespace normscope {

// A Gaussian kernel density estimate at equally spaced points: y[i] at lo + i·(hi−lo)/(n−1).
// Finite values only; its integral over the real line is 1.
struct Density {
    double lo = 0;
    double hi = 0;
    double bandwidth = 0;
    std::vector<double> y;
};

// Silverman's (1986, eq. 3.31) bandwidth 0.9·min(σ, IQR/1.34)·n^(−1/5), from σ alone where IQR is
// 0. Never 0: a constant sample gets a small width of its own scale.
double silverman_bandwidth(double std, double iqr, Index n);

// Linear binning onto a grid finer than the bandwidth, then the kernel's sum over the grid (Wand
// 1994). Values beyond [lo, hi] still count where their kernel reaches into it.
template<class S>
Density density(Sample<S> sample, double lo, double hi, int points, double bandwidth);

} // namespace normscope
