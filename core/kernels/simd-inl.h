// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_SIMD_INL_H
#undef NORMSCOPE_CORE_KERNELS_SIMD_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_SIMD_INL_H
#endif

#include "core/kernels/norms.h"

#include <hwy/cache_control.h> // FlushStream
#include <hwy/highway.h>

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

constexpr size_t k_line = 64; // bytes of a cache line

// What no processor with these instructions has is not compiled: without vectors none writes past
// the cache, without AVX2 none has more than 32 kB of first level, and without AVX-512 none keeps
// rows there alone.
constexpr bool k_can_stream = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;
constexpr bool k_has_first = k_can_stream && (!HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX2);
constexpr bool k_has_first_alone = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

// Values between what a walk through rows reads from memory and what it asks for. Rows are short,
// and the processor by itself begins to fetch each of them anew. Of several rows or arrays at once
// less of each: what is asked for waits in the cache beside all the rest.
template<class T>
HWY_INLINE size_t ahead_of(Memory memory, size_t arrays, size_t rows_at_once = 1) {
    const size_t of_all = memory.rows == Level::first_alone ? 8192 : 4096;
    const size_t bytes = memory.rows == Level::second ? 12288 : of_all / arrays;
    return bytes / rows_at_once / sizeof(T);
}

// The first n < lanes values at p, the other lanes 0. Reads nothing behind them.
template<class T>
HWY_INLINE V<T> load_part(const T* p, size_t n) {
    const Tag<T> d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
    for (size_t i = 0; i < n; ++i) buffer[i] = p[i];
    return hn::Load(d, buffer);
#else
    return hn::MaskedLoad(hn::FirstN(d, n), d, p);
#endif
}

template<class T>
HWY_INLINE void store_part(V<T> v, T* p, size_t n) {
    const Tag<T> d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(v, d, buffer);
    for (size_t i = 0; i < n; ++i) p[i] = buffer[i];
#else
    hn::BlendedStore(v, hn::FirstN(d, n), d, p);
#endif
}

template<class T>
HWY_INLINE V<T> first_n(V<T> v, size_t n) {
    return hn::IfThenElseZero(hn::FirstN(Tag<T>(), n), v);
}

template<class T>
HWY_INLINE T sum_lanes(V<T> v) {
    return hn::GetLane(hn::SumOfLanes(Tag<T>(), v));
}

// Σe² less what a mean other than 0 adds to it. Where squares are too large for a number it stays
// ∞, whatever the rounding of the mean: ∞ − ∞ is no number.
template<class T>
HWY_INLINE T variance(T squares, T of_mean) {
    return squares > std::numeric_limits<T>::max() ? squares : squares - of_mean;
}

// Reads the whole vectors of [i, n), then what is left. whole(i) and part(i, count) are called.
template<class T, class Whole, class Part>
HWY_INLINE void for_vectors(size_t i, size_t n, Whole&& whole, Part&& part) {
    const size_t lanes = hn::Lanes(Tag<T>());
    for (; i + lanes <= n; i += lanes) whole(i);
    if (i < n) part(i, n - i);
}

// body(i) for four vectors, written out: a loop's own instructions cost as much as a vector's.
template<class T, class Body>
HWY_INLINE void for_four(size_t i, Body&& body) {
    const size_t lanes = hn::Lanes(Tag<T>());
    body(i);
    body(i + lanes);
    body(i + 2 * lanes);
    body(i + 3 * lanes);
}

// How many of n values from p lie before the next cache line.
template<class T>
HWY_INLINE size_t values_to_line(const T* p, size_t n) {
    const size_t off = reinterpret_cast<std::uintptr_t>(p) % k_line;
    return HWY_MIN(n, (k_line - off) % k_line / sizeof(T));
}

// Writes y[0, n): whole(i) gives the vector at i, part(i, count) one of which `count` lanes count.
// With `around`, whole cache lines are written past the cache; the caller ends with FlushStream.
template<class T, class Whole, class Part>
HWY_INLINE void write_row(T* y, size_t n, bool around, Whole&& whole, Part&& part) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    if (k_can_stream && around) {
        const size_t head = values_to_line(y, n);
        for (; i + lanes <= head; i += lanes) hn::StoreU(whole(i), d, y + i);
        if (i < head) store_part<T>(part(i, head - i), y + i, head - i);
        i = head;
        constexpr size_t per_line = k_line / sizeof(T);
        for (; i + per_line <= n; i += per_line)
            for (size_t k = 0; k < per_line; k += lanes) hn::Stream(whole(i + k), d, y + i + k);
    }
    for (; i + lanes <= n; i += lanes) hn::StoreU(whole(i), d, y + i);
    if (i < n) store_part<T>(part(i, n - i), y + i, n - i);
}

// Asks for the cache lines of `values` values at p. A small first level needs its room for rows
// that are still to be read. Only a hint: p may lie behind the array's end. Not to be called from a
// lambda that does nothing else: GCC leaves out calls of a function without effects.
template<class T>
HWY_INLINE void prefetch(const T* p, size_t values, Level to) {
    const char* at = reinterpret_cast<const char*>(p);
    const size_t bytes = values * sizeof(T);
    if (to == Level::first_alone)
        for (size_t b = 0; b < bytes; b += k_line) __builtin_prefetch(at + b, 0, 0);
    else if (to == Level::first)
        for (size_t b = 0; b < bytes; b += k_line) __builtin_prefetch(at + b, 0, 3);
    else
        for (size_t b = 0; b < bytes; b += k_line) __builtin_prefetch(at + b, 0, 2);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
