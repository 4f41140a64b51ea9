// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_NORM_BACKWARD_WIDE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_NORM_BACKWARD_WIDE_INL_H
#undef NORMSCOPE_CORE_NORM_BACKWARD_WIDE_INL_H
#else
#define NORMSCOPE_CORE_NORM_BACKWARD_WIDE_INL_H
#endif

#include "core/norm/backward_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

// Of this many bytes on, a row with the one before it and γ, dγ and dβ are more than the first
// level of the cache holds.
constexpr size_t k_wide = 8192;

// dx, dγ and dβ of `count` rows, whose sums are known, over some vectors of columns from i: γ, dγ
// and dβ stay in registers for all of these rows. `load` and `store` may do part of a vector. The
// rows `next` values on are asked for, unless that is 0, so that memory is read while dx is
// written.
template<class T, bool k_gamma, size_t k_vectors, class Load, class Store, class StoreDx>
HWY_INLINE void write_columns(const BackwardRow<T, k_gamma, true>& to, const Pending<T>* rows,
                              Index count, size_t i, size_t next, Load&& load, Store&& store,
                              StoreDx&& store_dx) {
    const size_t lanes = hn::Lanes(Tag<T>());
    V<T> sum_g[k_vectors];
    V<T> sum_b[k_vectors];
    for (size_t k = 0; k < k_vectors; ++k) {
        sum_g[k] = load(to.dgamma + i + k * lanes);
        sum_b[k] = load(to.dbeta + i + k * lanes);
    }
    for (Index row = 0; row < count; ++row) {
        const Pending<T>& p = rows[row];
        if (next > 0) {
            prefetch(p.x + next + i, k_vectors * lanes, Level::second);
            prefetch(p.dy + next + i, k_vectors * lanes, Level::second);
        }
        const VectorTerms<T> t(p.terms);
        const V<T> s = hn::Set(Tag<T>(), p.terms.s);
        for (size_t k = 0; k < k_vectors; ++k) {
            const size_t at = i + k * lanes;
            const V<T> from_mean = hn::Add(load(p.x + at), t.minus_mean);
            const V<T> dy = load(p.dy + at);
            sum_g[k] = hn::MulAdd(dy, hn::Mul(from_mean, s), sum_g[k]);
            sum_b[k] = hn::Add(sum_b[k], dy);
            V<T> g = dy;
            if constexpr (k_gamma) g = hn::Mul(dy, load(to.gamma + at));
            store_dx(hn::MulAdd(g, t.r, hn::MulAdd(from_mean, t.m2, t.m1)), p.dx + at);
        }
    }
    for (size_t k = 0; k < k_vectors; ++k) {
        store(sum_g[k], to.dgamma + i + k * lanes);
        store(sum_b[k], to.dbeta + i + k * lanes);
    }
}

// The same of the columns [i, end), which are few or do not begin on a cache line.
template<class T, bool k_gamma>
HWY_INLINE void write_few_columns(const BackwardRow<T, k_gamma, true>& to, const Pending<T>* rows,
                                  Index count, size_t i, size_t end) {
    const Tag<T> d;
    for_vectors<T>(
        i, end,
        [&](size_t at) HWY_ATTR {
            const auto store = [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); };
            write_columns<T, k_gamma, 1>(
                to, rows, count, at, 0, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); }, store,
                store);
        },
        [&](size_t at, size_t n) HWY_ATTR {
            const auto store = [&](V<T> v, T* p) HWY_ATTR { store_part<T>(v, p, n); };
            write_columns<T, k_gamma, 1>(
                to, rows, count, at, 0, [&](const T* p) HWY_ATTR { return load_part<T>(p, n); },
                store, store);
        });
}

// Adds to the terms of k_rows rows, one behind the other, what their sums make of them. γ is read
// once for all of them. What comes `ahead` values after those at hand is asked for, at the end of a
// row that of the rows that come after these; nothing where that is 0.
template<class T, bool k_gamma, Index k_rows>
HWY_INLINE void sum_wide_rows(const RowBackward<T>& a, Index first, Pending<T>* rows,
                              size_t ahead) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const size_t n = static_cast<size_t>(a.cols);
    const V<T> zero = hn::Zero(d);
    RowSums<T> sums[k_rows];
    V<T> minus_mean[k_rows];
    V<T> s[k_rows];
    const BackwardRow<T, k_gamma, false> kernel{a.gamma, nullptr, nullptr};
    for (Index r = 0; r < k_rows; ++r) {
        const Index at = (first + r) * a.cols;
        rows[r] = {a.x + at, a.dy + at, a.dx + at, terms_for_sums(a, first + r)};
        sums[r] = {{zero, zero}, {zero, zero}};
        minus_mean[r] = hn::Set(d, -rows[r].terms.mean);
        s[r] = hn::Set(d, rows[r].terms.s);
    }
    const auto take = [&](size_t i, size_t chain, auto&& load) HWY_ATTR {
        for (Index r = 0; r < k_rows; ++r)
            kernel.sum(rows[r].x, rows[r].dy, minus_mean[r], s[r], i, chain, sums[r], load, load);
    };
    const auto whole = [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); };
    size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        if (ahead > 0) {
            const size_t next = i + ahead < n ? i + ahead : i + ahead + (k_rows - 1) * n;
            for (Index r = 0; r < k_rows; ++r) {
                prefetch(rows[r].x + next, 2 * lanes, Level::second);
                prefetch(rows[r].dy + next, 2 * lanes, Level::second);
            }
        }
        take(i, 0, whole);
        take(i + lanes, 1, whole);
    }
    for_vectors<T>(
        i, n, [&](size_t at) HWY_ATTR { take(at, 0, whole); },
        [&](size_t at, size_t count)
            HWY_ATTR { take(at, 1, [&](const T* p) HWY_ATTR { return load_part<T>(p, count); }); });
    for (Index r = 0; r < k_rows; ++r) {
        const auto total = [&](const V<T>(&v)[2])
                               HWY_ATTR { return sum_lanes<T>(hn::Add(v[0], v[1])); };
        add_sums(a, first + r, total(sums[r].g), total(sums[r].gx), rows[r].terms);
    }
}

// Rows too wide for the first level of the cache, k_rows at a time: their sums first, k_together
// rows at once, then all that is written of them. They wait in the second level. All rows begin at
// the same place in a cache line.
template<class T, bool k_gamma, Index k_rows, Index k_together>
void backward_wide_rows(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                        size_t ahead) {
    static_assert(ColumnSums<T>::k_block % k_rows == 0 && k_rows % k_together == 0);
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const size_t n = static_cast<size_t>(a.cols);
    const ColumnSums<T> columns(dgamma, dbeta, end - begin, n);
    const BackwardRow<T, k_gamma, true> to{a.gamma, columns.dgamma(), columns.dbeta()};
    const size_t head = values_to_line(a.dx, n);
    Pending<T> rows[k_rows];
    for (Index first = begin; first < end; first += k_rows) {
        const Index count = HWY_MIN(k_rows, end - first);
        Index r = 0;
        for (; r + k_together <= count; r += k_together)
            sum_wide_rows<T, k_gamma, k_together>(a, first + r, rows + r, ahead);
        for (; r < count; ++r) sum_wide_rows<T, k_gamma, 1>(a, first + r, rows + r, ahead);
        write_few_columns<T, k_gamma>(to, rows, count, 0, head);
        size_t i = head;
        for (; i + 4 * lanes <= n; i += 4 * lanes)
            write_columns<T, k_gamma, 4>(
                to, rows, count, i, k_rows * n,
                [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
                [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); },
                [&](V<T> v, T* p) HWY_ATTR { hn::Stream(v, d, p); });
        write_few_columns<T, k_gamma>(to, rows, count, i, n);
        columns.end_rows(first + count - begin, end - begin);
    }
    hwy::FlushStream();
}

// Measured, 16384×4096: with 32 kB of first level two rows, summed up together and asked for ahead,
// are faster by a fifth than four, one after the other, which were chosen with 48 kB.
template<class T, bool k_gamma>
void backward_wide_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                         Memory memory) {
    if (memory.rows == Level::first)
        backward_wide_rows<T, k_gamma, 4, 1>(a, begin, end, dgamma, dbeta, 0);
    else
        backward_wide_rows<T, k_gamma, 2, 2>(a, begin, end, dgamma, dbeta,
                                             ahead_of<T>(memory, 2, 2));
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
