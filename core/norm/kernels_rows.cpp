#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_rows.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/kernels.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

#include <cmath>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

constexpr Index k_tiny = 8; // values a row

// μ = rough + rest, kept apart because their sum rounds: x̂ = (z − rough)·rstd − rest·rstd.
template<class T>
struct RowStats {
    T rough = 0;
    T rest = 0;
    T rstd = 0;
};

// Two passes over a row that is in the first-level cache. The first sums differences from the
// row's first value, the second those from the mean the first found, and Chan's correction takes
// out what rounding left. A common offset costs no digits; a constant row has variance 0.
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
    const T var = mean_sq - out.rest * out.rest;
    out.rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + eps); // NaN is not < 0 and stays
    return out;
}

template<class T>
HWY_INLINE RowStats<T> rms_stats(const T* HWY_RESTRICT z, size_t n, T inv_n, T eps) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    V<T> q0 = hn::Zero(d), q1 = q0, q2 = q0, q3 = q0;
    const auto square = [&](V<T> v, V<T>& sum) HWY_ATTR { sum = hn::MulAdd(v, v, sum); };
    size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        square(hn::LoadU(d, z + i), q0);
        square(hn::LoadU(d, z + i + lanes), q1);
        square(hn::LoadU(d, z + i + 2 * lanes), q2);
        square(hn::LoadU(d, z + i + 3 * lanes), q3);
    }
    for_vectors<T>(
        i, n, [&](size_t at) HWY_ATTR { square(hn::LoadU(d, z + at), q0); },
        [&](size_t at, size_t count) HWY_ATTR { square(load_part<T>(z + at, count), q1); });
    const T mean_sq = sum_lanes<T>(hn::Add(hn::Add(q0, q1), hn::Add(q2, q3))) * inv_n;
    return {T(0), T(0), T(1) / std::sqrt(mean_sq + eps)};
}

// y = γ ⊙ ((z − rough)·rstd − rest·rstd) + β. Meanwhile a later row is asked for (`next`, or null):
// memory reads and writes at once, as in a copy.
template<class T>
HWY_INLINE void write_normalized(const T* HWY_RESTRICT z, const RowForward<T>& a,
                                 const RowStats<T>& stats, T* HWY_RESTRICT y, bool around,
                                 const T* next = nullptr) {
    const Tag<T> d;
    const size_t n = static_cast<size_t>(a.cols);
    const V<T> c = hn::Set(d, stats.rough);
    const V<T> r = hn::Set(d, stats.rstd);
    const V<T> b = hn::Set(d, -stats.rest * stats.rstd);
    if (a.gamma) {
        const T* HWY_RESTRICT gamma = a.gamma;
        const T* HWY_RESTRICT beta = a.beta;
        write_row<T>(
            y, n, around,
            [&](size_t i) HWY_ATTR {
                if (next) prefetch(next + i, 1);
                const V<T> x_hat = hn::MulAdd(hn::Sub(hn::LoadU(d, z + i), c), r, b);
                return hn::MulAdd(x_hat, hn::LoadU(d, gamma + i), hn::LoadU(d, beta + i));
            },
            [&](size_t i, size_t k) HWY_ATTR {
                const V<T> x_hat = hn::MulAdd(hn::Sub(load_part<T>(z + i, k), c), r, b);
                return hn::MulAdd(x_hat, load_part<T>(gamma + i, k), load_part<T>(beta + i, k));
            });
    } else {
        write_row<T>(
            y, n, around,
            [&](size_t i) HWY_ATTR {
                if (next) prefetch(next + i, 1);
                return hn::MulAdd(hn::Sub(hn::LoadU(d, z + i), c), r, b);
            },
            [&](size_t i, size_t k)
                HWY_ATTR { return hn::MulAdd(hn::Sub(load_part<T>(z + i, k), c), r, b); });
    }
}

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

// Meanwhile a later row is asked for.
template<class T>
HWY_INLINE void copy_around_cache(const T* HWY_RESTRICT from, T* HWY_RESTRICT to, size_t n,
                                  const T* next) {
    write_row<T>(
        to, n, true,
        [&](size_t i) HWY_ATTR {
            prefetch(next + i, 1);
            return hn::LoadU(Tag<T>(), from + i);
        },
        [&](size_t i, size_t k) HWY_ATTR { return load_part<T>(from + i, k); });
}

template<class T, bool k_rms>
HWY_INLINE RowStats<T> stats_of(const T* z, size_t n, T inv_n, T eps) {
    if constexpr (k_rms)
        return rms_stats<T>(z, n, inv_n, eps);
    else
        return layer_stats<T>(z, n, rough_mean<T>(z, n, inv_n), inv_n, eps);
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
        const T var = squares * inv_n - stats.rest * stats.rest;
        stats.rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + a.eps);
        for (Index i = 0; i < n; ++i) {
            const T x_hat = (z[i] - stats.rough - stats.rest) * stats.rstd;
            a.y[row * n + i] = a.gamma ? x_hat * a.gamma[i] + a.beta[i] : x_hat;
        }
        a.mean[row] = stats.rough + stats.rest;
        a.rstd[row] = stats.rstd;
    }
}

// Four rows step by step: while one row waits for its sum, the others have work to do.
template<class T, bool k_rms>
HWY_INLINE void four_rows(const RowForward<T>& a, Index row, T inv_n) {
    const size_t n = static_cast<size_t>(a.cols);
    const Index at = row * a.cols;
    if (a.f) add_row<T>(a.x + at, a.f + at, a.z + at, 4 * n);
    const T* z = (a.f ? a.z : a.x) + at;
    RowStats<T> stats[4];
    if constexpr (k_rms) {
        for (size_t r = 0; r < 4; ++r) stats[r] = rms_stats<T>(z + r * n, n, inv_n, a.eps);
    } else {
        T rough[4];
        for (size_t r = 0; r < 4; ++r) rough[r] = rough_mean<T>(z + r * n, n, inv_n);
        for (size_t r = 0; r < 4; ++r)
            stats[r] = layer_stats<T>(z + r * n, n, rough[r], inv_n, a.eps);
    }
    for (size_t r = 0; r < 4; ++r) {
        write_normalized<T>(z + r * n, a, stats[r], a.y + at + r * n, false);
        a.mean[row + static_cast<Index>(r)] = stats[r].rough + stats[r].rest;
        a.rstd[row + static_cast<Index>(r)] = stats[r].rstd;
    }
}

// Rows [begin, end). `around`: y and z are written past the cache; the sum x + f then waits in a
// row of scratch, where the second and the third pass find it.
template<class T, bool k_rms>
void forward_rows(const RowForward<T>& a, Index begin, Index end, bool around) {
    if (a.cols <= k_tiny) return tiny_rows<T, k_rms>(a, begin, end);
    const size_t n = static_cast<size_t>(a.cols);
    const T inv_n = T(1) / static_cast<T>(n);
    std::vector<T> scratch(a.f && around ? n : 0);
    const size_t ahead = HWY_MAX(n, size_t{2048} / sizeof(T)); // at least 2 KB ahead
    Index row = begin;
    if (!around && n * sizeof(T) <= 8192) // four rows stay in the first-level cache
        for (; row + 4 <= end; row += 4) four_rows<T, k_rms>(a, row, inv_n);
    for (; row < end; ++row) {
        const Index at = row * a.cols;
        const T* z = a.x + at;
        if (a.f) {
            T* sum = around ? scratch.data() : a.z + at;
            add_row<T>(z, a.f + at, sum, n);
            z = sum;
        }
        const RowStats<T> stats = stats_of<T, k_rms>(z, n, inv_n, a.eps);
        write_normalized<T>(z, a, stats, a.y + at, around, around ? a.x + at + ahead : nullptr);
        if (a.f && around) copy_around_cache<T>(z, a.z + at, n, a.f + at + ahead);
        a.mean[row] = stats.rough + stats.rest;
        a.rstd[row] = stats.rstd;
    }
    if (around) hwy::FlushStream();
}

} // namespace

void layer_f32(const RowForward<float>& a, Index begin, Index end, bool around) {
    forward_rows<float, false>(a, begin, end, around);
}
void layer_f64(const RowForward<double>& a, Index begin, Index end, bool around) {
    forward_rows<double, false>(a, begin, end, around);
}
void rms_f32(const RowForward<float>& a, Index begin, Index end, bool around) {
    forward_rows<float, true>(a, begin, end, around);
}
void rms_f64(const RowForward<double>& a, Index begin, Index end, bool around) {
    forward_rows<double, true>(a, begin, end, around);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(layer_f32);
HWY_EXPORT(layer_f64);
HWY_EXPORT(rms_f32);
HWY_EXPORT(rms_f64);

constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it

template<class S, class Kernel>
void run(const RowForward<S>& a, int threads, Kernel kernel) {
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Index arrays = a.f ? 4 : 2;
    const bool around =
        writes_around_cache(a.rows * a.cols * arrays * static_cast<Index>(sizeof(S)) / chunks);
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, around); });
}

} // namespace

void layer_norm(const RowForward<float>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(layer_f32));
}
void layer_norm(const RowForward<double>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(layer_f64));
}
void rms_norm(const RowForward<float>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(rms_f32));
}
void rms_norm(const RowForward<double>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(rms_f64));
}

} // namespace normscope::kernels
#endif
