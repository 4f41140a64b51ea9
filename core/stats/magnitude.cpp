#include "core/stats/magnitude.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/stats/magnitude.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/kernels/precision.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace normscope::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template<class S>
double largest(const S* x, std::size_t n) {
    const hn::ScalableTag<S> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto most = hn::Set(d, std::numeric_limits<S>::max());
    const auto finite = [&](const S* p) {
        const auto size = hn::Abs(hn::LoadU(d, p));
        return hn::IfThenElseZero(hn::Le(size, most), size);
    };
    auto a = hn::Zero(d), b = a;
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        a = hn::Max(a, finite(x + i));
        b = hn::Max(b, finite(x + i + lanes));
    }
    double out = static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, hn::Max(a, b))));
    for (; i < n; ++i)
        if (std::isfinite(x[i])) out = std::max(out, std::abs(static_cast<double>(x[i])));
    return out;
}

Magnitudes both(const double* x, std::size_t n) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto most = hn::Set(d, std::numeric_limits<double>::max());
    auto largest_a = hn::Zero(d), largest_b = largest_a, sum_a = largest_a, sum_b = largest_a;
    const auto take = [&](const double* p, auto& most_so_far, auto& sum) HWY_ATTR {
        const auto v = hn::LoadU(d, p);
        const auto size = hn::Abs(v);
        most_so_far = hn::Max(most_so_far, hn::IfThenElseZero(hn::Le(size, most), size));
        sum = hn::MulAdd(v, v, sum);
    };
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        take(x + i, largest_a, sum_a);
        take(x + i + lanes, largest_b, sum_b);
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum_a, sum_b)));
    double out = hn::GetLane(hn::MaxOfLanes(d, hn::Max(largest_a, largest_b)));
    for (; i < n; ++i) {
        sum += x[i] * x[i];
        if (std::isfinite(x[i])) out = std::max(out, std::abs(x[i]));
    }
    return {sum, out};
}

template<class S>
void keep(S* best, const S* values, std::size_t n) {
    const hn::ScalableTag<S> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto a = hn::LoadU(d, best + i);
        const auto b = hn::LoadU(d, values + i);
        const auto stays = hn::Or(hn::Le(hn::Abs(b), hn::Abs(a)), hn::IsNaN(a));
        hn::StoreU(hn::IfThenElse(stays, a, b), d, best + i);
    }
    for (; i < n; ++i)
        if (!(std::abs(values[i]) <= std::abs(best[i])) && !std::isnan(best[i]))
            best[i] = values[i];
}

auto largest_kernels() {
    return std::make_pair(largest<float>, largest<double>);
}
auto keep_kernels() {
    return std::make_pair(keep<float>, keep<double>);
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(largest_kernels);
HWY_EXPORT(both);
HWY_EXPORT(keep_kernels);

template<class S>
double largest_magnitude(const S* values, Index n) {
    const auto largest = in_precision<S>(HWY_DYNAMIC_DISPATCH(largest_kernels)());
    return largest(values, static_cast<std::size_t>(n));
}
Magnitudes magnitudes(const double* values, Index n) {
    return HWY_DYNAMIC_DISPATCH(both)(values, static_cast<std::size_t>(n));
}
template<class S>
void keep_larger(S* best, const S* values, Index n) {
    const auto keep = in_precision<S>(HWY_DYNAMIC_DISPATCH(keep_kernels)());
    keep(best, values, static_cast<std::size_t>(n));
}

template decltype(largest_magnitude<float>) largest_magnitude<float>;
template decltype(largest_magnitude<double>) largest_magnitude<double>;
template decltype(keep_larger<float>) keep_larger<float>;
template decltype(keep_larger<double>) keep_larger<double>;

} // namespace normscope
#endif
