#include "core/stats/normal_quantile.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace normscope {

namespace {

constexpr double k_tail = 0.02425; // where the approximation of the middle ends

double tail(double p) {
    const double q = std::sqrt(-2 * std::log(p));
    return (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) *
                  q -
              2.549732539343734e+00) *
                 q +
             4.374664141464968e+00) *
                q +
            2.938163982698783e+00) /
           ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
             3.754408661907416e+00) *
                q +
            1);
}

double middle(double p) {
    const double q = p - 0.5;
    const double r = q * q;
    return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) *
                  r +
              1.383577518672690e+02) *
                 r -
             3.066479806614716e+01) *
                r +
            2.506628277459239e+00) *
           q /
           (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) *
                  r +
              6.680131188771972e+01) *
                 r -
             1.328068155288572e+01) *
                r +
            1);
}

} // namespace

double normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
    if (p == 0) return -std::numeric_limits<double>::infinity();
    if (p == 1) return std::numeric_limits<double>::infinity();
    double x = p < k_tail ? tail(p) : p > 1 - k_tail ? -tail(1 - p) : middle(p);
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double u = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    x -= u / (1 + x * u / 2);
    return x;
}

} // namespace normscope
