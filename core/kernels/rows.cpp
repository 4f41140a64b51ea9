#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/rows.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/forward_rows-inl.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/row_statistics-inl.h"
#include "core/kernels/scratch.h"
#include "core/kernels/simd-inl.h"

#include <cmath>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

constexpr Index k_tiny = 8; // values a row

// Rows of so many bytes do not stay in the first level beside γ and β. Several of them at once
// fetch γ and β from the second level once: measured, that is faster by a fifth.
constexpr size_t k_long = 12 * 1024;

// How a range of rows is gone through. Chosen outside the loops, which must be short: a processor
// core that two threads share decodes little more than a vector's worth of instructions in the time
// that memory takes.
template<bool rms_norm, bool with_f, bool around_cache, bool with_affine>
struct Way {
    static constexpr bool rms = rms_norm;
    static constexpr bool add = with_f;
    static constexpr bool around = around_cache; // y and z are written past the cache
    static constexpr bool affine = with_affine;
};

// How many rows are taken at once, how many vectors of each at a time, and whether these are summed
// up before or after the y of the rows before them is made; both orders give the same numbers.
template<size_t rows_at_once, size_t vectors, bool sums_before_y>
struct Pace {
    static constexpr size_t rows = rows_at_once;
    static constexpr size_t step = vectors;
    static constexpr bool sums_first = sums_before_y;
};

// Measured for each level, 512×768 to 16384×4096. Past the cache a single vector, as memory is then
// read and written as evenly as in a copy (add and layer norm, 8192×1024: a fifth faster than
// four), and two long rows at once; or three, two vectors at a time, where rows are but read and
// their squares summed up, with 32 kB of first level.
template<class W, Level level>
struct Paces {
    static constexpr bool three = W::rms && !W::add && level == Level::second;
    using Rows = Pace<1, W::around ? 1 : 4, false>;
    using LongRows = std::conditional_t<three, Pace<3, 2, true>, Pace<2, 1, false>>;
};
// Beside rows that are in the first level alone (Zen 5): four vectors at a time, four long rows at
// once, or two where x + f is made (faster by a quarter than four).
template<class W>
struct Paces<W, Level::first_alone> {
    using Rows = Pace<1, 4, true>;
    using LongRows = Pace<W::add ? 2 : 4, 2, true>;
};

// z = x + f, n values
template<class T>
HWY_INLINE void add_row(const T* HWY_RESTRICT x, const T* HWY_RESTRICT f, T* HWY_RESTRICT z,
                        size_t n) {
    const Tag<T> d;
    for_vectors<T>(
        0, n,
        [&](size_t i)
            HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, x + i), hn::LoadU(d, f + i)), d, z + i); },
        [&](size_t i, size_t k) HWY_ATTR {
            store_part<T>(hn::Add(load_part<T>(x + i, k), load_part<T>(f + i, k)), z + i, k);
        });
}

// Rows of a few values, for which filling and emptying vectors costs more than the sums.
template<class T, bool k_rms>
void tiny_rows(const RowForward<T>& a, Index begin, Index end) {
    const Index n = a.cols;
    const T inv_n = T(1) / static_cast<T>(n);
    for (Index row = begin; row < end; ++row) {
        const T* x = a.x + row * n;
        T z[k_tiny] = {};
        for (Index i = 0; i < n; ++i) z[i] = a.f ? x[i] + a.f[row * n + i] : x[i];
        if (a.f)
            for (Index i = 0; i < n; ++i) a.z[row * n + i] = z[i];
        RowStats<T> stats;
        T sum = 0;
        T squares = 0;
        if constexpr (!k_rms) {
            for (Index i = 0; i < n; ++i) sum += z[i] - z[0];
            stats.rough = z[0] + sum * inv_n;
            sum = 0;
        }
        for (Index i = 0; i < n; ++i) {
            const T e = z[i] - stats.rough;
            sum += e;
            squares += e * e;
        }
        if constexpr (!k_rms) stats.rest = sum * inv_n;
        const T var = variance<T>(squares * inv_n, stats.rest * stats.rest);
        stats.rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + a.eps);
        for (Index i = 0; i < n; ++i) {
            const T x_hat = (z[i] - stats.rough - stats.rest) * stats.rstd;
            a.y[row * n + i] = a.gamma ? x_hat * a.gamma[i] + a.beta[i] : x_hat;
        }
        a.mean[row] = stats.rough + stats.rest;
        a.rstd[row] = stats.rstd;
    }
}

// Rows [begin, end), P::rows at once, of which their number is a multiple. Around the cache, the
// sum x + f waits in scratch until the next rows are summed up.
template<class T, class W, class P>
void forward_range(const RowForward<T>& a, Index begin, Index end, Memory memory) {
    constexpr size_t first = 64; // the mean of so many values is the rough mean of the row
    constexpr bool k_keep = W::add && W::around;
    const size_t n = static_cast<size_t>(a.cols);
    const T inv_n = T(1) / static_cast<T>(n);
    const size_t few = HWY_MIN(n, first);
    const T inv_few = T(1) / static_cast<T>(few);
    const Scratch<T> scratch(1, k_keep ? P::rows * n : 0);
    PendingRows<T, P::rows> before;
    for (Index rows = begin; rows < end; rows += static_cast<Index>(P::rows)) {
        const Index at = rows * a.cols;
        const T* x = a.x + at;
        const T* f = W::add ? a.f + at : nullptr;
        T* own = nullptr;
        if constexpr (W::add) own = k_keep ? scratch.array(0) : a.z + at;
        const T* z = W::add ? own : x;
        PendingRows<T, P::rows> now = {z, a.y + at, k_keep ? a.z + at : nullptr, {}};
        ForwardSums<T, W> sums[P::rows];
        if constexpr (!W::rms) {
            for (size_t row = 0; row < P::rows; ++row) {
                const T* from = x + row * n;
                T sum[first] = {}; // as z may still be that of the rows before
                if constexpr (W::add) add_row<T>(from, f + row * n, sum, few);
                now.stats[row].rough = rough_mean<T>(W::add ? sum : from, few, inv_few);
                sums[row] = ForwardSums<T, W>(now.stats[row].rough);
            }
        }
        sum_and_write<T, W, P>(a, x, f, own, sums, before, memory);
        for (size_t row = 0; row < P::rows; ++row) {
            RowStats<T>& stats = now.stats[row];
            const auto total = [&](const V<T>(&v)[2])
                                   HWY_ATTR { return sum_lanes<T>(hn::Add(v[0], v[1])) * inv_n; };
            const T mean_sq = total(sums[row].q);
            if constexpr (!W::rms) stats.rest = total(sums[row].s);
            const T apart = stats.rest * stats.rest;
            const T var = variance<T>(mean_sq, apart);
            stats.rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + a.eps); // NaN is not < 0
            // The first values lie so far from the row's mean that their difference costs digits.
            if (!W::rms && apart > mean_sq / 4)
                stats = layer_stats<T>(z + row * n, n, stats.rough + stats.rest, inv_n, a.eps);
            a.mean[rows + static_cast<Index>(row)] = stats.rough + stats.rest;
            a.rstd[rows + static_cast<Index>(row)] = stats.rstd;
        }
        before = now;
    }
    if (before.z) write_pending<T, W>(a, before, {0, n}, {0, n}, W::around);
    if constexpr (W::around) hwy::FlushStream();
}

// Runs go(std::bool_constant) with the constant that `flag` is; false where it cannot be true.
template<bool k_can_be_true = true, class Go>
void with_constant(bool flag, Go&& go) {
    if constexpr (k_can_be_true)
        if (flag) return go(std::true_type());
    go(std::false_type());
}

template<class T, bool k_rms>
void forward_rows(const RowForward<T>& a, Index begin, Index end, Memory memory) {
    if (a.cols <= k_tiny) return tiny_rows<T, k_rms>(a, begin, end);
    const size_t bytes = static_cast<size_t>(a.cols) * sizeof(T);
    with_constant(a.f != nullptr, [&](auto add) {
        with_constant<k_can_stream>(memory.around, [&](auto past) {
            with_constant(a.gamma != nullptr, [&](auto affine) {
                using W = Way<k_rms, add(), past(), affine()>;
                const auto by = [&](auto paces) {
                    using Rows = typename decltype(paces)::Rows;
                    using LongRows = typename decltype(paces)::LongRows;
                    Index next = begin;
                    if constexpr (W::around)
                        if (bytes >= k_long && bytes % k_line == 0) {
                            constexpr auto at_once = static_cast<Index>(LongRows::rows);
                            next += (end - begin) / at_once * at_once;
                            forward_range<T, W, LongRows>(a, begin, next, memory);
                        }
                    forward_range<T, W, Rows>(a, next, end, memory);
                };
                if constexpr (k_has_first_alone)
                    if (memory.rows == Level::first_alone)
                        return by(Paces<W, Level::first_alone>());
                if constexpr (k_has_first)
                    if (memory.rows != Level::second) return by(Paces<W, Level::first>());
                by(Paces<W, Level::second>());
            });
        });
    });
}

template<class T>
void forward_any(const RowForward<T>& a, Index begin, Index end, Memory memory) {
    a.use_mean ? forward_rows<T, false>(a, begin, end, memory)
               : forward_rows<T, true>(a, begin, end, memory);
}

auto row_forwards() {
    return std::make_pair(forward_any<float>, forward_any<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(row_forwards);

constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it

template<class S>
void row_forward(const RowForward<S>& a, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(row_forwards)());
    // What little there is to do takes less time than finding out how to share it out.
    if (a.rows * a.cols <= k_grain && !a.memory) return kernel(a, 0, a.rows, Memory());
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Index arrays = a.f ? 4 : 2;
    const Memory memory = a.memory.value_or(
        memory_for(a.rows * a.cols * arrays * static_cast<Index>(sizeof(S)) / chunks));
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, memory); });
}

template decltype(row_forward<float>) row_forward<float>;
template decltype(row_forward<double>) row_forward<double>;

} // namespace normscope::kernels
#endif
