// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_ROW_STATISTICS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_ROW_STATISTICS_INL_H
#undef NORMSCOPE_CORE_KERNELS_ROW_STATISTICS_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_ROW_STATISTICS_INL_H
#endif

#include "core/kernels/simd-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

// μ = rough + rest, kept apart because their sum rounds: x̂ = (z − rough)·rstd − rest·rstd.
template<class T>
struct RowStats {
    T rough = 0;
    T rest = 0;
    T rstd = 0;
};

// The rough mean comes from a row's first values, each less z[0]. A pass then sums the differences
// from that rough mean, and Chan's formula makes of them the mean and the variance. A common offset
// costs no digits; a constant row has variance 0. If the rough mean was far off, a second pass
// starts from the mean that the first one found.
template<class T>
HWY_INLINE T rough_mean(const T* HWY_RESTRICT z, size_t n, T inv_n) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const T first = z[0];
    const V<T> k = hn::Set(d, first);
    V<T> s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        s0 = hn::Add(s0, hn::Sub(hn::LoadU(d, z + i), k));
        s1 = hn::Add(s1, hn::Sub(hn::LoadU(d, z + i + lanes), k));
        s2 = hn::Add(s2, hn::Sub(hn::LoadU(d, z + i + 2 * lanes), k));
        s3 = hn::Add(s3, hn::Sub(hn::LoadU(d, z + i + 3 * lanes), k));
    }
    for_vectors<T>(
        i, n, [&](size_t at) HWY_ATTR { s0 = hn::Add(s0, hn::Sub(hn::LoadU(d, z + at), k)); },
        [&](size_t at, size_t count) HWY_ATTR {
            s1 = hn::Add(s1, first_n<T>(hn::Sub(load_part<T>(z + at, count), k), count));
        });
    return first + sum_lanes<T>(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))) * inv_n;
}

template<class T>
HWY_INLINE RowStats<T> layer_stats(const T* HWY_RESTRICT z, size_t n, T rough, T inv_n, T eps) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    RowStats<T> out;
    out.rough = rough;
    const V<T> c = hn::Set(d, rough);
    V<T> s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    V<T> q0 = s0, q1 = s0, q2 = s0, q3 = s0;
    const auto take = [&](V<T> e, V<T>& sum, V<T>& squares) HWY_ATTR {
        sum = hn::Add(sum, e);
        squares = hn::MulAdd(e, e, squares);
    };
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        take(hn::Sub(hn::LoadU(d, z + i), c), s0, q0);
        take(hn::Sub(hn::LoadU(d, z + i + lanes), c), s1, q1);
        take(hn::Sub(hn::LoadU(d, z + i + 2 * lanes), c), s2, q2);
        take(hn::Sub(hn::LoadU(d, z + i + 3 * lanes), c), s3, q3);
    }
    for_vectors<T>(
        i, n, [&](size_t at) HWY_ATTR { take(hn::Sub(hn::LoadU(d, z + at), c), s0, q0); },
        [&](size_t at, size_t count)
            HWY_ATTR { take(first_n<T>(hn::Sub(load_part<T>(z + at, count), c), count), s1, q1); });
    out.rest = sum_lanes<T>(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))) * inv_n;
    const T mean_sq = sum_lanes<T>(hn::Add(hn::Add(q0, q1), hn::Add(q2, q3))) * inv_n;
    const T var = variance<T>(mean_sq, out.rest * out.rest);
    out.rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + eps); // NaN is not < 0 and stays
    return out;
}

// x̂ = (z − rough)·rstd − rest·rstd, a vector at a time.
template<class T>
struct Normalize {
    Normalize() = default;
    explicit Normalize(const RowStats<T>& stats)
        : minus_c(hn::Set(Tag<T>(), -stats.rough)), r(hn::Set(Tag<T>(), stats.rstd)),
          b(hn::Set(Tag<T>(), -stats.rest * stats.rstd)) {}

    HWY_INLINE V<T> x_hat(V<T> z) const { return hn::MulAdd(hn::Add(z, minus_c), r, b); }

    V<T> minus_c, r, b;
};

// γ and β of a vector's features.
template<class T, bool k_affine>
struct Affine {
    Affine() = default;
    template<class Load>
    HWY_INLINE Affine(const RowForward<T>& a, size_t i, Load&& load) {
        if constexpr (k_affine) {
            gamma = load(a.gamma + i);
            beta = load(a.beta + i);
        }
    }

    HWY_INLINE V<T> y(V<T> x_hat) const {
        if constexpr (k_affine) return hn::MulAdd(x_hat, gamma, beta);
        return x_hat;
    }

    V<T> gamma, beta; // undefined without
};

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
