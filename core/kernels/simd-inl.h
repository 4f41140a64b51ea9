// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_SIMD_INL_H
#undef NORMSCOPE_CORE_KERNELS_SIMD_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_SIMD_INL_H
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using std::size_t;

template<class T>
using Tag = hn::ScalableTag<T>;
template<class T>
using V = hn::Vec<Tag<T>>;

// The first `count` values at p, the other lanes 0. Reads nothing behind them.
template<class T>
HWY_INLINE V<T> load(const T* p, size_t count) {
    const Tag<T> d;
    if (count == hn::Lanes(d)) return hn::LoadU(d, p);
    HWY_ALIGN T part[HWY_MAX_BYTES / sizeof(T)] = {};
    for (size_t i = 0; i < count; ++i) part[i] = p[i];
    return hn::Load(d, part);
}

template<class T>
HWY_INLINE void store(V<T> v, T* p, size_t count) {
    const Tag<T> d;
    if (count == hn::Lanes(d)) return hn::StoreU(v, d, p);
    HWY_ALIGN T part[HWY_MAX_BYTES / sizeof(T)] = {};
    hn::Store(v, d, part);
    for (size_t i = 0; i < count; ++i) p[i] = part[i];
}

template<class T>
HWY_INLINE V<T> first_n(V<T> v, size_t count) {
    return count == hn::Lanes(Tag<T>()) ? v : hn::IfThenElseZero(hn::FirstN(Tag<T>(), count), v);
}

template<class T>
HWY_INLINE T sum_lanes(V<T> v) {
    return hn::GetLane(hn::SumOfLanes(Tag<T>(), v));
}

// step(i, count) for the vectors of n values: all lanes count but in the last one.
template<class T, class Step>
HWY_INLINE void for_vectors(size_t n, Step&& step) {
    const size_t lanes = hn::Lanes(Tag<T>());
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) step(i, lanes);
    if (i < n) step(i, n - i);
}

// Some sums over n values: add(sums, i, count) adds a vector to each. Four of each sum, so that
// none waits for the one before.
template<class T, size_t k_sums, class Add>
HWY_INLINE std::array<T, k_sums> sum_up(size_t n, Add&& add) {
    constexpr size_t k_chains = 4;
    const size_t lanes = hn::Lanes(Tag<T>());
    V<T> sums[k_chains][k_sums];
    for (auto& chain : sums)
        for (V<T>& sum : chain) sum = hn::Zero(Tag<T>());
    const size_t whole = n - n % (k_chains * lanes);
    for (size_t i = 0; i < whole; i += k_chains * lanes) {
        add(sums[0], i, lanes);
        add(sums[1], i + lanes, lanes);
        add(sums[2], i + 2 * lanes, lanes);
        add(sums[3], i + 3 * lanes, lanes);
    }
    for_vectors<T>(n - whole,
                   [&](size_t i, size_t count) HWY_ATTR { add(sums[0], whole + i, count); });
    std::array<T, k_sums> out;
    for (size_t k = 0; k < k_sums; ++k)
        out[k] =
            sum_lanes<T>(hn::Add(hn::Add(sums[0][k], sums[1][k]), hn::Add(sums[2][k], sums[3][k])));
    return out;
}

// Σe² less what a mean other than 0 adds to it. Where squares are too large for a number it stays
// ∞, whatever the rounding of the mean: ∞ − ∞ is no number.
template<class T>
HWY_INLINE T variance(T squares, T of_mean) {
    const T rest = squares > std::numeric_limits<T>::max() ? squares : squares - of_mean;
    return rest < 0 ? T(0) : rest; // NaN is not < 0 and stays
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
