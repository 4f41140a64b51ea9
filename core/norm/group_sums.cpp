#include "core/norm/group_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/group_sums.cpp"
#include "core/norm/targets.h"
#include <hwy/foreach_target.h>
// After foreach_target.
#include "core/norm/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using kernels::HWY_NAMESPACE::k_ahead;
using kernels::HWY_NAMESPACE::prefetch;

// Both ask for the rows that come next: what a matrix leaves in the cache others push out.

// a[i] = γ·dy, and their sum.
double product_sum(const double* gamma, const double* dy, double* a, std::size_t n) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    auto s0 = hn::Zero(d), s1 = s0;
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        prefetch(dy + i + k_ahead<double>, 2 * lanes);
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

GroupSums sums_about(const double* gamma, const double* a, const double* z, double mean_a,
                     double mean_z, std::size_t n) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto ma = hn::Set(d, mean_a), mz = hn::Set(d, mean_z);
    auto aa = hn::Zero(d), au = aa, uu = aa, gg = aa;
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        prefetch(z + i + k_ahead<double>, lanes);
        const auto b = hn::Sub(hn::LoadU(d, a + i), ma);
        const auto u = hn::Sub(hn::LoadU(d, z + i), mz);
        const auto g = hn::Mul(hn::LoadU(d, gamma + i), u);
        aa = hn::MulAdd(b, b, aa);
        au = hn::MulAdd(b, u, au);
        uu = hn::MulAdd(u, u, uu);
        gg = hn::MulAdd(g, g, gg);
    }
    const auto sum = [&](auto v) { return hn::GetLane(hn::SumOfLanes(d, v)); };
    GroupSums out{sum(aa), sum(au), sum(uu), sum(gg)};
    for (; i < n; ++i) {
        const double b = a[i] - mean_a;
        const double u = z[i] - mean_z;
        out.aa += b * b;
        out.au += b * u;
        out.uu += u * u;
        out.gg += gamma[i] * u * (gamma[i] * u);
    }
    return out;
}

} // namespace HWY_NAMESPACE
} // namespace normscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope {

HWY_EXPORT(product_sum);
HWY_EXPORT(sums_about);

GroupSums group_sums(const double* gamma, const double* dy, const double* z, double mean,
                     Centred centred, double* a, Index n) {
    const auto size = static_cast<std::size_t>(n);
    const double sum = HWY_DYNAMIC_DISPATCH(product_sum)(gamma, dy, a, size);
    const bool centres = centred == Centred::yes;
    return HWY_DYNAMIC_DISPATCH(sums_about)(gamma, a, z, centres ? sum / static_cast<double>(n) : 0,
                                            centres ? mean : 0, size);
}

} // namespace normscope
#endif
