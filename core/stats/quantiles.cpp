#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace normscope {
namespace {

constexpr double k_no_quantile = std::numeric_limits<double>::quiet_NaN();

double interpolate(double lower, double upper, double fraction) {
    // lower + 0·(∞ − lower) would be NaN.
    if (fraction == 0 || lower == upper) return lower;
    return lower + fraction * (upper - lower);
}

template<class S>
std::vector<S> without_nan(Sample<S> sample) {
    std::vector<S> values;
    values.reserve(static_cast<std::size_t>(sample.size));
    for (Index i = 0; i < sample.size; ++i)
        if (!std::isnan(sample[i])) values.push_back(sample[i]);
    return values;
}

constexpr double k_tail = 0.02425; // where the approximation of the middle ends

// The polynomial with these coefficients, that of the highest power first.
double polynomial(std::initializer_list<double> coefficients, double x) {
    double sum = 0;
    for (const double c : coefficients) sum = sum * x + c;
    return sum;
}

double tail(double p) {
    const double q = std::sqrt(-2 * std::log(p));
    return polynomial({-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                       -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00},
                      q) /
           polynomial({7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                       3.754408661907416e+00, 1},
                      q);
}

double middle(double p) {
    const double q = p - 0.5, r = q * q;
    return polynomial({-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
                       1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00},
                      r) *
           q /
           polynomial({-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                       6.680131188771972e+01, -1.328068155288572e+01, 1},
                      r);
}

} // namespace

double normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) return k_no_quantile;
    if (p == 0) return -std::numeric_limits<double>::infinity();
    if (p == 1) return std::numeric_limits<double>::infinity();
    double x = p < k_tail ? tail(p) : p > 1 - k_tail ? -tail(1 - p) : middle(p);
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double u = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    x -= u / (1 + x * u / 2);
    return x;
}

template<class S>
std::vector<double> quantiles(Sample<S> sample, std::span<const double> probabilities) {
    std::vector<S> values = without_nan(sample);
    if (values.empty()) return std::vector<double>(probabilities.size(), k_no_quantile);
    std::ranges::sort(values);
    std::vector<double> out;
    for (const double p : probabilities) {
        const double position = std::clamp(p, 0.0, 1.0) * static_cast<double>(values.size() - 1);
        const auto lower = static_cast<std::size_t>(position);
        const std::size_t upper = std::min(lower + 1, values.size() - 1);
        out.push_back(interpolate(double(values[lower]), double(values[upper]),
                                  position - static_cast<double>(lower)));
    }
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(quantiles);

} // namespace normscope
