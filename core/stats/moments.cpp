#include "core/stats/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

// One pass over memory: blocks that fit the L1 cache are summed twice (the mean, then the powers of
// the deviations from it), and merged by the update formulas of Pébay (2008, eq. 2.1).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/stats/moments.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/kernels/precision.h"

#include <hwy/highway.h>

#ifndef NORMSCOPE_STATS_MOMENTS_ONCE
#define NORMSCOPE_STATS_MOMENTS_ONCE
namespace normscope {
namespace {

struct BlockSum {
    double sum = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
};

// Σ d², Σ d³, Σ d⁴ and Σ d (what rounding left of the mean) of d = x − shift.
struct BlockPowers {
    double d1 = 0;
    double d2 = 0;
    double d3 = 0;
    double d4 = 0;
};

} // namespace
} // namespace normscope
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t k_unroll = 4;

// Two interleaved groups of lanes, as double.
template<class D, class S>
HWY_INLINE hn::Vec<D> load_double(D d, const S* p) {
    if constexpr (std::is_same_v<S, double>) {
        return hn::LoadU(d, p);
    } else {
        const hn::Rebind<float, D> df;
        return hn::PromoteTo(d, hn::LoadU(df, p));
    }
}

template<class S>
BlockSum block_sum(const S* x, std::size_t n) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto zero = hn::Zero(d);
    auto s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    BlockSum out;
    auto lo = hn::Set(d, out.min), hi = hn::Set(d, out.max);
    auto lo1 = lo, hi1 = hi;
    std::size_t i = 0;
    for (; i + k_unroll * lanes <= n; i += k_unroll * lanes) {
        const auto a = load_double(d, x + i);
        const auto b = load_double(d, x + i + lanes);
        const auto c = load_double(d, x + i + 2 * lanes);
        const auto e = load_double(d, x + i + 3 * lanes);
        s0 = hn::Add(s0, a);
        s1 = hn::Add(s1, b);
        s2 = hn::Add(s2, c);
        s3 = hn::Add(s3, e);
        lo = hn::Min(hn::Min(a, b), lo);
        hi = hn::Max(hn::Max(a, b), hi);
        lo1 = hn::Min(hn::Min(c, e), lo1);
        hi1 = hn::Max(hn::Max(c, e), hi1);
    }
    out.sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
    out.min = hn::GetLane(hn::MinOfLanes(d, hn::Min(lo, lo1)));
    out.max = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hi, hi1)));
    for (; i < n; ++i) {
        const double v = static_cast<double>(x[i]);
        out.sum += v;
        out.min = v < out.min ? v : out.min;
        out.max = v > out.max ? v : out.max;
    }
    return out;
}

template<class S>
BlockPowers block_powers(const S* x, std::size_t n, double shift) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto zero = hn::Zero(d);
    const auto c = hn::Set(d, shift);
    auto a1 = zero, a2 = zero, a3 = zero, a4 = zero;
    auto b1 = zero, b2 = zero, b3 = zero, b4 = zero;
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        const auto u = hn::Sub(load_double(d, x + i), c);
        const auto v = hn::Sub(load_double(d, x + i + lanes), c);
        const auto uu = hn::Mul(u, u);
        const auto vv = hn::Mul(v, v);
        a1 = hn::Add(a1, u);
        b1 = hn::Add(b1, v);
        a2 = hn::Add(a2, uu);
        b2 = hn::Add(b2, vv);
        a3 = hn::MulAdd(uu, u, a3);
        b3 = hn::MulAdd(vv, v, b3);
        a4 = hn::MulAdd(uu, uu, a4);
        b4 = hn::MulAdd(vv, vv, b4);
    }
    BlockPowers out;
    out.d1 = hn::GetLane(hn::SumOfLanes(d, hn::Add(a1, b1)));
    out.d2 = hn::GetLane(hn::SumOfLanes(d, hn::Add(a2, b2)));
    out.d3 = hn::GetLane(hn::SumOfLanes(d, hn::Add(a3, b3)));
    out.d4 = hn::GetLane(hn::SumOfLanes(d, hn::Add(a4, b4)));
    for (; i < n; ++i) {
        const double u = static_cast<double>(x[i]) - shift;
        out.d1 += u;
        out.d2 += u * u;
        out.d3 += u * u * u;
        out.d4 += u * u * u * u;
    }
    return out;
}

auto block_sums() {
    return std::make_pair(block_sum<float>, block_sum<double>);
}
auto block_power_kernels() {
    return std::make_pair(block_powers<float>, block_powers<double>);
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(block_sums);
HWY_EXPORT(block_power_kernels);

namespace {

constexpr Index k_block = 2048;
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

// Central moments (sums, not means) of the values seen so far.
struct Central {
    double n = 0;
    double mean = 0;
    double m2 = 0;
    double m3 = 0;
    double m4 = 0;

    void merge(const Central& b) {
        if (n == 0) {
            *this = b;
            return;
        }
        const double total = n + b.n;
        const double delta = b.mean - mean;
        const double step = delta / total;
        const double cross = n * b.n * delta * step;
        m4 += b.m4 + cross * step * step * (n * n - n * b.n + b.n * b.n) +
              6 * step * step * (n * n * b.m2 + b.n * b.n * m2) + 4 * step * (n * b.m3 - b.n * m3);
        m3 += b.m3 + cross * step * (n - b.n) + 3 * step * (n * b.m2 - b.n * m2);
        m2 += b.m2 + cross;
        mean += step * b.n;
        n = total;
    }
};

// Moments about the mean from sums of powers about a shift that is the mean but for rounding.
Central central_of(const BlockPowers& p, double n, double shift) {
    const double e = p.d1 / n;
    Central c{.n = n, .mean = shift + e};
    // Squares too large for a number stay ∞: ∞ − ∞ is none, and no 0.
    c.m2 = std::isfinite(p.d2) ? std::max(0.0, p.d2 - n * e * e) : p.d2;
    c.m3 = p.d3 - 3 * e * p.d2 + 2 * n * e * e * e;
    c.m4 = p.d4 - 4 * e * p.d3 + 6 * e * e * p.d2 - 3 * n * e * e * e * e;
    return c;
}

// A block that holds a NaN or an infinity: counted value by value.
template<class S>
void count_special(const S* x, Index n, Moments& out, bool& plus, bool& minus) {
    for (Index i = 0; i < n; ++i) {
        const double v = static_cast<double>(x[i]);
        if (std::isnan(v)) {
            ++out.nans;
            continue;
        }
        if (std::isinf(v)) {
            ++out.infinities;
            (v > 0 ? plus : minus) = true;
        }
        out.min = std::min(out.min, v);
        out.max = std::max(out.max, v);
    }
}

} // namespace

template<class S>
Moments moments(Sample<S> sample) {
    Moments out;
    out.count = sample.size;
    out.min = std::numeric_limits<double>::infinity();
    out.max = -std::numeric_limits<double>::infinity();
    Central total;
    bool plus = false, minus = false;
    std::array<S, k_block> gathered;
    const auto sum_of = in_precision<S>(HWY_DYNAMIC_DISPATCH(block_sums)());
    const auto powers_of = in_precision<S>(HWY_DYNAMIC_DISPATCH(block_power_kernels)());
    for (Index start = 0; start < sample.size; start += k_block) {
        const Index n = std::min(k_block, sample.size - start);
        const S* block = sample.data + start * sample.stride;
        if (sample.stride != 1) {
            for (Index i = 0; i < n; ++i)
                gathered[static_cast<std::size_t>(i)] = block[i * sample.stride];
            block = gathered.data();
        }
        const auto size = static_cast<std::size_t>(n);
        const BlockSum sum = sum_of(block, size);
        if (!std::isfinite(sum.sum)) {
            // Also a sum of huge doubles that overflowed: then the moments overflow as well.
            count_special(block, n, out, plus, minus);
            total.merge({.n = double(n), .mean = sum.sum, .m2 = k_nan, .m3 = k_nan, .m4 = k_nan});
            continue;
        }
        out.min = std::min(out.min, sum.min);
        out.max = std::max(out.max, sum.max);
        const double mean = sum.sum / double(n);
        total.merge(central_of(powers_of(block, size, mean), double(n), mean));
    }
    if (out.nans == out.count) out.min = out.max = k_nan;
    if (out.nans > 0 || out.count == 0) {
        out.mean = out.variance = out.std = k_nan;
        out.skewness = out.excess_kurtosis = k_nan;
        return out;
    }
    const auto n = static_cast<double>(out.count);
    out.mean = total.mean;
    if (out.infinities > 0) {
        const double infinity = std::numeric_limits<double>::infinity();
        out.mean = plus && minus ? k_nan : (plus ? infinity : -infinity);
        total.m2 = total.m3 = total.m4 = k_nan;
    }
    out.variance = total.m2 / n;
    out.std = std::sqrt(out.variance);
    // 0/0 of a constant sample is NaN: it has no shape.
    out.skewness = total.m3 / n / (out.variance * out.std);
    out.excess_kurtosis = total.m4 / n / (out.variance * out.variance) - 3;
    return out;
}

template Moments moments(Sample<float>);
template Moments moments(Sample<double>);

} // namespace normscope
#endif
