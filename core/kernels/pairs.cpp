#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/pairs.cpp"
#include <hwy/foreach_target.h>

#include "core/kernels/norms.h"
#include "core/kernels/simd-inl.h"

#include <cmath>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

// Four pairs at once keep the adder busy; a sum goes the same way whichever pairs are beside it.
void pair_norms_f64(const double* x, const double* weight, double* out, Index rows, Index cols) {
    using T = double;
    constexpr Index k_together = 4;
    const Tag<T> d;
    const auto n = static_cast<size_t>(cols);
    std::vector<T> weighted(n);
    for (Index i = 1; i < rows; ++i) {
        const T* own = x + i * cols;
        for (size_t k = 0; k < n; ++k) weighted[k] = weight[k] * own[k];
        for (Index j = 0; j < i; j += k_together) {
            const T* other[k_together];
            for (Index p = 0; p < k_together; ++p) other[p] = x + HWY_MIN(j + p, i - 1) * cols;
            V<T> s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
            const auto add = [&](V<T>& sum, V<T> a, V<T> b, V<T> w) HWY_ATTR {
                const V<T> v = hn::MulAdd(a, b, w);
                sum = hn::MulAdd(v, v, sum);
            };
            for_vectors<T>(
                0, n,
                [&](size_t k) HWY_ATTR {
                    const V<T> a = hn::LoadU(d, weighted.data() + k);
                    const V<T> w = hn::LoadU(d, weight + k);
                    add(s0, a, hn::LoadU(d, other[0] + k), w);
                    add(s1, a, hn::LoadU(d, other[1] + k), w);
                    add(s2, a, hn::LoadU(d, other[2] + k), w);
                    add(s3, a, hn::LoadU(d, other[3] + k), w);
                },
                [&](size_t k, size_t count) HWY_ATTR {
                    const V<T> a = load_part<T>(weighted.data() + k, count);
                    const V<T> w = load_part<T>(weight + k, count);
                    add(s0, a, load_part<T>(other[0] + k, count), w);
                    add(s1, a, load_part<T>(other[1] + k, count), w);
                    add(s2, a, load_part<T>(other[2] + k, count), w);
                    add(s3, a, load_part<T>(other[3] + k, count), w);
                });
            const T squares[k_together] = {sum_lanes<T>(s0), sum_lanes<T>(s1), sum_lanes<T>(s2),
                                           sum_lanes<T>(s3)};
            for (Index p = 0; p < HWY_MIN(k_together, i - j); ++p)
                out[i * rows + j + p] = out[(j + p) * rows + i] = std::sqrt(squares[p]);
        }
    }
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(pair_norms_f64);

void pair_norms(const double* x, const double* weight, double* out, Index rows, Index cols) {
    HWY_DYNAMIC_DISPATCH(pair_norms_f64)(x, weight, out, rows, cols);
}

} // namespace normscope::kernels
#endif
