#include "core/norm/group_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/group_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace normscope::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// a[i] = γ·dy, and their sum.
double product_sum(const double* gamma, const double* dy, double* a, std::size_t n) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    auto s0 = hn::Zero(d), s1 = s0;
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        const auto p = hn::Mul(hn::LoadU(d, gamma + i), hn::LoadU(d, dy + i));
        const auto q = hn::Mul(hn::LoadU(d, gamma + i + lanes), hn::LoadU(d, dy + i + lanes));
        hn::StoreU(p, d, a + i);
        hn::StoreU(q, d, a + i + lanes);
        s0 = hn::Add(s0, p);
        s1 = hn::Add(s1, q);
    }
    double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
    for (; i < n; ++i) {
        a[i] = gamma[i] * dy[i];
        sum += a[i];
    }
    return sum;
}

GroupSums sums_about(const double* gamma, const double* a, const double* x_hat, double mean_a,
                     std::size_t n) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto ma = hn::Set(d, mean_a);
    auto aa = hn::Zero(d), ax = aa, xx = aa, gg = aa;
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto b = hn::Sub(hn::LoadU(d, a + i), ma);
        const auto x = hn::LoadU(d, x_hat + i);
        const auto g = hn::Mul(hn::LoadU(d, gamma + i), x);
        aa = hn::MulAdd(b, b, aa);
        ax = hn::MulAdd(b, x, ax);
        xx = hn::MulAdd(x, x, xx);
        gg = hn::MulAdd(g, g, gg);
    }
    const auto sum = [&](auto v) { return hn::GetLane(hn::SumOfLanes(d, v)); };
    GroupSums out{sum(aa), sum(ax), sum(xx), sum(gg)};
    for (; i < n; ++i) {
        const double b = a[i] - mean_a;
        out.aa += b * b;
        out.ax += b * x_hat[i];
        out.xx += x_hat[i] * x_hat[i];
        out.gg += gamma[i] * x_hat[i] * (gamma[i] * x_hat[i]);
    }
    return out;
}

} // namespace normscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(product_sum);
HWY_EXPORT(sums_about);

GroupSums group_sums(const double* gamma, const double* dy, const double* x_hat, Centred centred,
                     double* a, Index n) {
    const auto size = static_cast<std::size_t>(n);
    const double sum = HWY_DYNAMIC_DISPATCH(product_sum)(gamma, dy, a, size);
    const double mean = centred == Centred::yes ? sum / static_cast<double>(n) : 0;
    return HWY_DYNAMIC_DISPATCH(sums_about)(gamma, a, x_hat, mean, size);
}

} // namespace normscope
#endif
