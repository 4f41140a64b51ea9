#include "core/stats/density.h"

#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {
namespace {

// The kernel beyond this many bandwidths is left out: exp(−18) = 1.5e-8.
constexpr double k_reach = 6;

} // namespace

double silverman_bandwidth(double std, double iqr, Index n) {
    double spread = std;
    if (iqr > 0 && !(iqr / 1.34 > spread)) spread = iqr / 1.34;
    if (!(spread > 0) || !std::isfinite(spread)) {
        // A constant sample has no scale of spread; its curve is a narrow bump.
        return 0.05;
    }
    return 0.9 * spread * std::pow(static_cast<double>(std::max<Index>(n, 1)), -0.2);
}

Density density(const Histogram& values, double bandwidth, double tail, int most_points) {
    Density out;
    out.bandwidth = bandwidth;
    const auto bins = std::ssize(values.counts);
    const auto total = static_cast<double>(values.total());
    const double step = (values.edges.back() - values.edges.front()) / static_cast<double>(bins);
    if (total == 0 || !(step > 0) || !std::isfinite(step) || !(bandwidth > 0)) return out;
    const auto reach = static_cast<Index>(std::ceil(k_reach * bandwidth / step));
    const auto beyond = static_cast<Index>(std::ceil(tail * bandwidth / step));
    // The curve has a point at every so many bins.
    const Index seen = bins + 2 * beyond, most = std::max(2, most_points);
    const Index every = (seen + most - 1) / most;
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(seen + 2 * reach);
    for (Index i = 0; i < bins; ++i)
        mass(reach + beyond + i) = static_cast<double>(entry_at(values.counts, i)) / total;
    Eigen::VectorXd kernel(2 * reach + 1);
    const double scale = 1 / (bandwidth * std::sqrt(2 * std::numbers::pi));
    for (Index k = 0; k < kernel.size(); ++k) {
        const double u = static_cast<double>(k - reach) * step / bandwidth;
        kernel(k) = scale * std::exp(-0.5 * u * u);
    }
    for (Index at = 0; at < seen; at += every)
        out.y.push_back(kernel.dot(mass.segment(at, kernel.size())));
    out.lo = values.edges.front() + (0.5 - static_cast<double>(beyond)) * step;
    out.hi = out.lo + static_cast<double>(every) * step * static_cast<double>(out.y.size() - 1);
    return out;
}

} // namespace normscope
