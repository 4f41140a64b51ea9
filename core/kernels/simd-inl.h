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

// Each half of the lanes is added to the other, down to one: on every processor in the same order.
template<class D>
HWY_INLINE hn::TFromD<D> sum_lanes([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (hn::MaxLanes(D()) > 1) {
        const hn::Half<D> half;
        return sum_lanes(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
#endif
    return hn::GetLane(v);
}

// a·b + c, rounded twice: not each processor can round once.
template<class T>
HWY_INLINE V<T> product_plus(V<T> a, V<T> b, V<T> c) {
    return hn::Add(hn::Mul(a, b), c);
}

// step(i, count) for the vectors of n values: all lanes count but in the last one.
template<class T, class Step>
HWY_INLINE void for_vectors(size_t n, Step&& step) {
    const size_t lanes = hn::Lanes(Tag<T>());
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) step(i, lanes);
    if (i < n) step(i, n - i);
}

// Some sums over n values: add(sums, i, count) adds a vector to each. The values go in turn to so
// many sums of each, however many of them are a vector: the order, and with it each rounding, is
// the same on every processor.
template<class T>
inline constexpr size_t k_sums_in_turn = 128 / sizeof(T);

template<class T, size_t k_sums, class Add>
HWY_INLINE std::array<T, k_sums> sum_up(size_t n, Add&& add) {
    constexpr Tag<T> d;
    constexpr size_t k_lanes = hn::MaxLanes(d), k_chains = k_sums_in_turn<T> / k_lanes;
    V<T> sums[k_chains][k_sums];
    for (auto& chain : sums)
        for (V<T>& sum : chain) sum = hn::Zero(d);
    size_t i = 0;
    for (; i + k_sums_in_turn<T> <= n; i += k_sums_in_turn<T>)
        for (size_t c = 0; c < k_chains; ++c) add(sums[c], i + c * k_lanes, k_lanes);
    for (size_t c = 0; c < k_chains && i < n; ++c, i += k_lanes)
        add(sums[c], i, HWY_MIN(k_lanes, n - i));
    for (size_t apart = k_chains / 2; apart > 0; apart /= 2)
        for (size_t c = 0; c < apart; ++c)
            for (size_t k = 0; k < k_sums; ++k)
                sums[c][k] = hn::Add(sums[c][k], sums[c + apart][k]);
    std::array<T, k_sums> out;
    for (size_t k = 0; k < k_sums; ++k) out[k] = sum_lanes(d, sums[0][k]);
    return out;
}

// Σe² less the part that a mean other than 0 adds. Where squares are too large for a number the
// result stays ∞, whatever the rounding of the mean: ∞ − ∞ is no number.
template<class T>
HWY_INLINE T variance(T squares, T of_mean) {
    const T rest = squares > std::numeric_limits<T>::max() ? squares : squares - of_mean;
    return rest < 0 ? T(0) : rest; // NaN is not < 0 and stays
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
