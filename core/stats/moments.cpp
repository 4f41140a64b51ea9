#include "core/stats/moments.h"

#include "core/base/wide.h"

#include <cmath>
#include <limits>

namespace normscope {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

template<class S>
void count_not_finite(Sample<S> sample, Moments& out) {
    for (Index i = 0; i < sample.size; ++i) {
        if (std::isnan(sample[i])) ++out.nans;
        if (std::isinf(sample[i])) ++out.infinities;
    }
}

} // namespace

// Two passes: the mean, from the differences to the first value, so that the mean of a constant is
// that constant; then the powers of the deviations from it.
template<class S>
NORMSCOPE_WIDE Moments moments(Sample<S> sample) {
    if (sample.stride != 1) { // the same sums in the same order
        const Eigen::InnerStride<> stride(sample.stride);
        const Vector<S> together =
            Eigen::Map<const Vector<S>, 0, Eigen::InnerStride<>>(sample.data, sample.size, stride);
        return moments(Sample<S>{together.data(), sample.size, 1});
    }
    Moments out;
    out.count = sample.size;
    double sum = 0, min = k_infinity, max = -k_infinity;
    const auto first = sample.size > 0 ? static_cast<double>(sample[0]) : k_nan;
#pragma omp simd reduction(+ : sum) reduction(min : min) reduction(max : max)
    for (Index i = 0; i < sample.size; ++i) {
        const auto x = static_cast<double>(sample.data[i]);
        sum += x - first;
        min = x < min ? x : min; // NaN is not less
        max = x > max ? x : max;
    }
    if (!std::isfinite(sum)) count_not_finite(sample, out);
    const bool has_number = out.nans < out.count;
    out.min = has_number ? min : k_nan;
    out.max = has_number ? max : k_nan;
    const auto n = static_cast<double>(out.count);
    const double mean = first + sum / n;
    double m2 = 0, m3 = 0, m4 = 0;
#pragma omp simd reduction(+ : m2, m3, m4)
    for (Index i = 0; i < sample.size; ++i) {
        const double d = static_cast<double>(sample.data[i]) - mean;
        const double square = d * d;
        m2 += square;
        m3 += square * d;
        m4 += square * square;
    }
    out.mean = mean;
    if (out.nans == 0 && out.infinities > 0) {
        const bool both = min == -k_infinity && max == k_infinity;
        out.mean = both ? k_nan : max == k_infinity ? max : min;
        m2 = m3 = m4 = k_nan;
    }
    out.variance = m2 / n;
    out.std = std::sqrt(out.variance);
    // 0/0 of a constant sample is NaN: it has no shape.
    out.skewness = m3 / n / (out.variance * out.std);
    out.excess_kurtosis = m4 / n / (out.variance * out.variance) - 3;
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(moments);

} // namespace normscope
