#include "core/stats/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {
namespace {

// The kernel beyond this many bandwidths is left out: exp(−18) = 1.5e-8.
constexpr double k_reach = 6;
// Steps of the grid a bandwidth, at least, but no more a point than k_most_refined.
constexpr double k_steps = 8;
constexpr double k_most_refined = 64;
// Bandwidths from lo to hi, at least: a wider kernel leaves nothing to see.
constexpr double k_widest = 1e-3;

bool is_drawable(double lo, double hi, int points, double bandwidth) {
    return points >= 2 && hi > lo && std::isfinite(hi - lo) && bandwidth > 0 &&
           hi - lo >= k_widest * bandwidth;
}

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

template<class S>
Density density(Sample<S> sample, double lo, double hi, int points, double bandwidth) {
    Density out{lo, hi, bandwidth,
                std::vector<double>(static_cast<std::size_t>(std::max(points, 0)))};
    if (!is_drawable(lo, hi, points, bandwidth)) return out;
    // Every `refine`-th node of the grid is a point of the curve; as many nodes as the kernel
    // reaches lie on both sides.
    const double spacing = (hi - lo) / (points - 1);
    const double refine = std::clamp(std::ceil(k_steps * spacing / bandwidth), 1.0, k_most_refined);
    const double step = spacing / refine;
    const auto reach = static_cast<Index>(std::ceil(k_reach * bandwidth / step));
    const auto nodes = (points - 1) * static_cast<Index>(refine) + 2 * reach + 1;
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(nodes + 1);
    Index finite = 0;
    for (Index i = 0; i < sample.size; ++i) {
        const auto x = static_cast<double>(sample[i]);
        if (std::isfinite(x)) ++finite;
        const double place = (x - lo) / step + static_cast<double>(reach);
        if (!(place >= 0 && place < static_cast<double>(nodes))) continue;
        const auto node = static_cast<Index>(place);
        const double right = place - static_cast<double>(node);
        mass(node) += 1 - right;
        mass(node + 1) += right;
    }
    if (finite == 0) return out;
    const double in_bandwidths = step / bandwidth;
    const double scale =
        1 / (static_cast<double>(finite) * bandwidth * std::sqrt(2 * std::numbers::pi));
    Eigen::VectorXd kernel(2 * reach + 1);
    for (Index k = 0; k < kernel.size(); ++k) {
        const double u = static_cast<double>(k - reach) * in_bandwidths;
        kernel(k) = scale * std::exp(-0.5 * u * u);
    }
    for (std::size_t j = 0; j < out.y.size(); ++j)
        out.y[j] = kernel.dot(
            mass.segment(static_cast<Index>(j) * static_cast<Index>(refine), kernel.size()));
    return out;
}

template Density density(Sample<float>, double, double, int, double);
template Density density(Sample<double>, double, double, int, double);

} // namespace normscope
