#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_rows.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/kernels.h"
#include "core/norm/scratch.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

#include <cmath>
#include <type_traits>

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

// Differences are summed about a rough mean, which sums those of a row's first values from the very
// first, and Chan's correction moves them to the mean. A common offset costs no digits; a constant
// row has variance 0. Where the rough mean turns out not to be near, a second pass is about the
// mean that the first found.
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

// A row whose statistics are known and whose y, and z where it waits in scratch, are to be written.
template<class T>
struct Pending {
    const T* z = nullptr; // null: there is none
    T* y = nullptr;
    T* kept = nullptr; // where a z in scratch goes
    RowStats<T> stats;
};

// y = γ ⊙ ((z − rough)·rstd − rest·rstd) + β, a vector at a time. `load` may read part of one.
template<class T, bool k_affine>
struct Normalize {
    Normalize(const RowForward<T>& a, const RowStats<T>& stats)
        : gamma(a.gamma), beta(a.beta), minus_c(hn::Set(Tag<T>(), -stats.rough)),
          r(hn::Set(Tag<T>(), stats.rstd)), b(hn::Set(Tag<T>(), -stats.rest * stats.rstd)) {}

    template<class Load>
    HWY_INLINE V<T> at(const T* z, size_t i, Load&& load) const {
        const V<T> x_hat = hn::MulAdd(hn::Add(load(z + i), minus_c), r, b);
        if constexpr (k_affine) return hn::MulAdd(x_hat, load(gamma + i), load(beta + i));
        return x_hat;
    }

    const T* gamma;
    const T* beta;
    V<T> minus_c, r, b;
};

// The values [from, n) of a pending row.
template<class T, bool k_affine>
HWY_INLINE void write_pending(const Normalize<T, k_affine>& norm, const T* z, T* y, size_t from,
                              size_t n, bool around) {
    write_row<T>(
        y + from, n - from, around,
        [&](size_t i) HWY_ATTR {
            return norm.at(z, from + i, [](const T* p) HWY_ATTR { return hn::LoadU(Tag<T>(), p); });
        },
        [&](size_t i, size_t k) HWY_ATTR {
            return norm.at(z, from + i, [&](const T* p) HWY_ATTR { return load_part<T>(p, k); });
        });
}

template<class T>
HWY_INLINE void copy_pending(const T* from, T* to, size_t begin, size_t n, bool around) {
    write_row<T>(
        to + begin, n - begin, around,
        [&](size_t i) HWY_ATTR { return hn::LoadU(Tag<T>(), from + begin + i); },
        [&](size_t i, size_t k) HWY_ATTR { return load_part<T>(from + begin + i, k); });
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

// The sums of a row about a center, two chains each, so that no sum waits for the one before.
template<class T, class W>
struct RowSums {
    explicit RowSums(T center) : minus_c(hn::Set(Tag<T>(), -center)) {}

    // z = x (+ f, kept in z) at i
    HWY_INLINE void take(const T* x, const T* f, T* z, size_t i, size_t chain) {
        const Tag<T> d;
        V<T> v = hn::LoadU(d, x + i);
        if constexpr (W::add) {
            v = hn::Add(v, hn::LoadU(d, f + i));
            hn::StoreU(v, d, z + i);
        }
        if constexpr (!W::rms) {
            v = hn::Add(v, minus_c);
            s[chain] = hn::Add(s[chain], v);
        }
        q[chain] = hn::MulAdd(v, v, q[chain]);
    }

    HWY_INLINE void take_part(const T* x, const T* f, T* z, size_t i, size_t count) {
        V<T> v = load_part<T>(x + i, count);
        if constexpr (W::add) {
            v = hn::Add(v, load_part<T>(f + i, count));
            store_part<T>(v, z + i, count);
        }
        if constexpr (!W::rms) v = first_n<T>(hn::Add(v, minus_c), count);
        s[1] = hn::Add(s[1], v);
        q[1] = hn::MulAdd(v, v, q[1]);
    }

    V<T> minus_c;
    V<T> s[2] = {hn::Zero(Tag<T>()), hn::Zero(Tag<T>())};
    V<T> q[2] = {hn::Zero(Tag<T>()), hn::Zero(Tag<T>())};
};

// Sums up the row x (+ f, kept in z) and writes `before` in the same loop, so that memory is read
// and written at once, as in a copy; the z of `before` is still in the cache.
template<class T, class W>
HWY_INLINE RowSums<T, W> sum_and_write(const RowForward<T>& a, const T* HWY_RESTRICT x,
                                       const T* HWY_RESTRICT f, T* z, T center,
                                       const Pending<T>& before, Memory memory) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const size_t n = static_cast<size_t>(a.cols);
    RowSums<T, W> sums(center);
    size_t i = 0;
    if (before.z) {
        const Normalize<T, W::affine> norm(a, before.stats);
        constexpr bool k_keep = W::add && W::around; // z is in scratch
        const size_t head_y = W::around ? values_to_line(before.y, n) : 0;
        const size_t head_z = k_keep ? values_to_line(before.kept, n) : 0;
        write_pending(norm, before.z, before.y, 0, head_y, false);
        if constexpr (k_keep) copy_pending<T>(before.z, before.kept, 0, head_z, false);
        // From here on one index serves all arrays.
        const T* from = before.z + head_y;
        Normalize<T, W::affine> shifted = norm;
        if constexpr (W::affine) {
            shifted.gamma += head_y;
            shifted.beta += head_y;
        }
        T* y = before.y + head_y;
        const T* kept_from = before.z + head_z;
        T* kept = k_keep ? before.kept + head_z : nullptr;
        const auto write = [&](size_t at) HWY_ATTR {
            const V<T> v =
                shifted.at(from, at, [](const T* p) HWY_ATTR { return hn::LoadU(Tag<T>(), p); });
            if constexpr (W::around)
                hn::Stream(v, d, y + at);
            else
                hn::StoreU(v, d, y + at);
        };
        const auto keep = [&](size_t at) HWY_ATTR {
            if constexpr (k_keep) hn::Stream(hn::LoadU(d, kept_from + at), d, kept + at);
        };
        const size_t whole = n - HWY_MAX(head_y, head_z);
        const size_t ahead = ahead_of<T>(memory);
        for (; i + 4 * lanes <= whole; i += 4 * lanes) {
            if constexpr (W::around) {
                prefetch(x + i + ahead, 4 * lanes, memory.rows);
                if constexpr (W::add) prefetch(f + i + ahead, 4 * lanes, memory.rows);
            }
            sums.take(x, f, z, i, 0);
            sums.take(x, f, z, i + lanes, 1);
            sums.take(x, f, z, i + 2 * lanes, 0);
            sums.take(x, f, z, i + 3 * lanes, 1);
            // Array after array, so that lines written past the cache are complete at once.
            for_four<T>(i, write);
            for_four<T>(i, keep);
        }
        write_pending(norm, before.z, before.y, head_y + i, n, false);
        if constexpr (k_keep) copy_pending<T>(before.z, before.kept, head_z + i, n, false);
    }
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        sums.take(x, f, z, i, 0);
        sums.take(x, f, z, i + lanes, 1);
    }
    for_vectors<T>(
        i, n, [&](size_t at) HWY_ATTR { sums.take(x, f, z, at, 0); },
        [&](size_t at, size_t count) HWY_ATTR { sums.take_part(x, f, z, at, count); });
    return sums;
}

// Rows [begin, end). Around the cache, the sum x + f waits in a row of scratch until the next row
// is summed up.
template<class T, class W>
void forward_range(const RowForward<T>& a, Index begin, Index end, Memory memory) {
    constexpr size_t first = 64; // values whose mean stands for the row's in the sums
    const size_t n = static_cast<size_t>(a.cols);
    const T inv_n = T(1) / static_cast<T>(n);
    const size_t few = HWY_MIN(n, first);
    const T inv_few = T(1) / static_cast<T>(few);
    const Scratch<T> scratch(2, W::add && W::around ? n : 0);
    Pending<T> before;
    for (Index row = begin; row < end; ++row) {
        const Index at = row * a.cols;
        const T* x = a.x + at;
        const T* f = W::add ? a.f + at : nullptr;
        T* own = nullptr;
        if constexpr (W::add) {
            own = W::around ? scratch.array(row % 2) : a.z + at;
            if constexpr (!W::rms) add_row<T>(x, f, own, few);
        }
        const T* z = W::add ? own : x;
        RowStats<T> stats;
        if constexpr (!W::rms) stats.rough = rough_mean<T>(z, few, inv_few);
        const RowSums<T, W> sums = sum_and_write<T, W>(a, x, f, own, stats.rough, before, memory);
        const T mean_sq = sum_lanes<T>(hn::Add(sums.q[0], sums.q[1])) * inv_n;
        if constexpr (!W::rms) stats.rest = sum_lanes<T>(hn::Add(sums.s[0], sums.s[1])) * inv_n;
        const T apart = stats.rest * stats.rest;
        const T var = variance<T>(mean_sq, apart);
        stats.rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + a.eps); // NaN is not < 0 and stays
        // The first values lie so far from the row's mean that their difference costs digits.
        if (!W::rms && apart > mean_sq / 4)
            stats = layer_stats<T>(z, n, stats.rough + stats.rest, inv_n, a.eps);
        before = {z, a.y + at, W::add && W::around ? a.z + at : nullptr, stats};
        a.mean[row] = stats.rough + stats.rest;
        a.rstd[row] = stats.rstd;
    }
    if (before.z) {
        write_pending(Normalize<T, W::affine>(a, before.stats), before.z, before.y, 0, n,
                      W::around);
        if constexpr (W::add && W::around) copy_pending<T>(before.z, before.kept, 0, n, true);
    }
    if constexpr (W::around) hwy::FlushStream();
}

// Runs go(std::bool_constant) with the constant that `flag` is.
template<class Go>
void with_constant(bool flag, Go&& go) {
    if (flag)
        go(std::true_type());
    else
        go(std::false_type());
}

template<class T, bool k_rms>
void forward_rows(const RowForward<T>& a, Index begin, Index end, Memory memory) {
    if (a.cols <= k_tiny) return tiny_rows<T, k_rms>(a, begin, end);
    with_constant(a.f != nullptr, [&](auto add) {
        with_constant(memory.around, [&](auto past) {
            with_constant(a.gamma != nullptr, [&](auto affine) {
                forward_range<T, Way<k_rms, add(), past(), affine()>>(a, begin, end, memory);
            });
        });
    });
}

} // namespace

void layer_f32(const RowForward<float>& a, Index begin, Index end, Memory memory) {
    forward_rows<float, false>(a, begin, end, memory);
}
void layer_f64(const RowForward<double>& a, Index begin, Index end, Memory memory) {
    forward_rows<double, false>(a, begin, end, memory);
}
void rms_f32(const RowForward<float>& a, Index begin, Index end, Memory memory) {
    forward_rows<float, true>(a, begin, end, memory);
}
void rms_f64(const RowForward<double>& a, Index begin, Index end, Memory memory) {
    forward_rows<double, true>(a, begin, end, memory);
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
