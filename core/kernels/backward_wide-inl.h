// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_BACKWARD_WIDE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_BACKWARD_WIDE_INL_H
#undef NORMSCOPE_CORE_KERNELS_BACKWARD_WIDE_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_BACKWARD_WIDE_INL_H
#endif

#include "core/kernels/backward_rows-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

constexpr Index k_wide_rows = 2; // taken at once

// How many bytes what a walk through wide rows asks for lies after what it reads. Measured on a
// Zen 5, an Emerald Rapids and a Zen 4.
constexpr size_t wide_ahead(Level to) {
    switch (to) {
    case Level::first_alone:
        return 3072;
    case Level::first:
        return 4096;
    case Level::second:
        break;
    }
    return 6144;
}

// Whether a row is wide: with the one before it and γ, dγ and dβ it is more than the first level of
// the cache holds, or nearly so; and all rows begin at the same place in a cache line. Measured,
// 4096×768 to 16384×4096.
inline bool is_wide(size_t row_bytes, Memory memory) {
    return row_bytes >= (memory.rows == Level::first_alone ? 4096 : 8192) &&
           row_bytes % k_line == 0;
}

template<class T, Index k_rows>
using WideRows = Pending<T>[k_rows];

// The sums of k_rows wide rows, one behind the other. γ is read once for all of them.
template<class T, bool k_gamma, Index k_rows>
class WideSums {
  public:
    WideSums(const RowBackward<T>& a, Index first, WideRows<T, k_rows>& rows)
        : a_(a), first_(first), n_(static_cast<size_t>(a.cols)), rows_(rows) {
        for (Index r = 0; r < k_rows; ++r) {
            const Index at = (first + r) * a.cols;
            rows[r] = {a.x + at, a.dy + at, a.dx + at, terms_for_sums(a, first + r)};
            const V<T> zero = hn::Zero(Tag<T>());
            sums_[r] = {{zero, zero}, {zero, zero}};
            minus_mean_[r] = hn::Set(Tag<T>(), -rows[r].terms.mean);
            s_[r] = hn::Set(Tag<T>(), rows[r].terms.s);
        }
    }

    // Asks for what comes after the `values` at i, at the end of a row for that of the rows that
    // come after these.
    HWY_INLINE void fetch(size_t i, size_t values, Level level) const {
        const size_t ahead = i + wide_ahead(level) / sizeof(T);
        const size_t next = ahead < n_ ? ahead : ahead + (k_rows - 1) * n_;
        for (const Pending<T>& row : rows_) {
            prefetch(row.x + next, values, level);
            prefetch(row.dy + next, values, level);
        }
    }

    template<class Load>
    HWY_INLINE void take(size_t i, size_t chain, Load&& load) {
        const BackwardRow<T, k_gamma, false> kernel{a_.gamma, nullptr, nullptr};
        for (Index r = 0; r < k_rows; ++r)
            kernel.sum(rows_[r].x, rows_[r].dy, minus_mean_[r], s_[r], i, chain, sums_[r], load,
                       load);
    }

    HWY_INLINE void take(size_t i, size_t chain) {
        take(i, chain, [](const T* p) HWY_ATTR { return hn::LoadU(Tag<T>(), p); });
    }

    // The columns [i, n).
    HWY_INLINE void take_rest(size_t i) {
        const size_t lanes = hn::Lanes(Tag<T>());
        for (; i + 2 * lanes <= n_; i += 2 * lanes) {
            take(i, 0);
            take(i + lanes, 1);
        }
        for_vectors<T>(
            i, n_, [&](size_t at) HWY_ATTR { take(at, 0); },
            [&](size_t at, size_t count) HWY_ATTR {
                take(at, 1, [&](const T* p) HWY_ATTR { return load_part<T>(p, count); });
            });
    }

    // All columns.
    HWY_INLINE void take_all(Level level) {
        const size_t lanes = hn::Lanes(Tag<T>());
        size_t i = 0;
        for (; i + 2 * lanes <= n_; i += 2 * lanes) {
            fetch(i, 2 * lanes, level);
            take(i, 0);
            take(i + lanes, 1);
        }
        take_rest(i);
    }

    // Adds to the rows' terms what their sums make of them.
    HWY_INLINE void end() {
        for (Index r = 0; r < k_rows; ++r) {
            const auto total = [&](const V<T>(&v)[2])
                                   HWY_ATTR { return sum_lanes<T>(hn::Add(v[0], v[1])); };
            add_sums(a_, first_ + r, total(sums_[r].g), total(sums_[r].gx), rows_[r].terms);
        }
    }

  private:
    const RowBackward<T>& a_;
    Index first_;
    size_t n_;
    WideRows<T, k_rows>& rows_;
    RowSums<T> sums_[k_rows];
    V<T> minus_mean_[k_rows];
    V<T> s_[k_rows];
};

// dx, dγ and dβ of rows whose sums are known, over some vectors of columns from i: γ, dγ and dβ
// stay in registers for all of these rows. `load` and `store` may do part of a vector.
template<class T, bool k_gamma, size_t k_vectors, Index k_rows, class Load, class Store,
         class StoreDx>
HWY_INLINE void write_columns(const BackwardRow<T, k_gamma, true>& to,
                              const WideRows<T, k_rows>& rows, size_t i, Load&& load, Store&& store,
                              StoreDx&& store_dx) {
    const size_t lanes = hn::Lanes(Tag<T>());
    V<T> sum_g[k_vectors];
    V<T> sum_b[k_vectors];
    for (size_t k = 0; k < k_vectors; ++k) {
        sum_g[k] = load(to.dgamma + i + k * lanes);
        sum_b[k] = load(to.dbeta + i + k * lanes);
    }
    for (const Pending<T>& p : rows) {
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

// The same of whole cache lines, which are written around the cache.
template<class T, bool k_gamma, size_t k_vectors, Index k_rows>
HWY_INLINE void write_around(const BackwardRow<T, k_gamma, true>& to,
                             const WideRows<T, k_rows>& rows, size_t i) {
    const Tag<T> d;
    write_columns<T, k_gamma, k_vectors>(
        to, rows, i, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
        [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); },
        [&](V<T> v, T* p) HWY_ATTR { hn::Stream(v, d, p); });
}

// The same of the columns [i, end), which are few or do not begin on a cache line.
template<class T, bool k_gamma, Index k_rows>
HWY_INLINE void write_few(const BackwardRow<T, k_gamma, true>& to, const WideRows<T, k_rows>& rows,
                          size_t i, size_t end) {
    const Tag<T> d;
    for_vectors<T>(
        i, end,
        [&](size_t at) HWY_ATTR {
            const auto store = [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); };
            write_columns<T, k_gamma, 1>(
                to, rows, at, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); }, store, store);
        },
        [&](size_t at, size_t n) HWY_ATTR {
            const auto store = [&](V<T> v, T* p) HWY_ATTR { store_part<T>(v, p, n); };
            write_columns<T, k_gamma, 1>(
                to, rows, at, [&](const T* p) HWY_ATTR { return load_part<T>(p, n); }, store,
                store);
        });
}

// Sums up rows and writes dx of the rows before in the same loop, so that memory is read and
// written at once, as in a copy; the rows before are still in the second level.
template<class T, bool k_gamma, Level k_level>
HWY_INLINE void sum_and_write_wide(WideSums<T, k_gamma, k_wide_rows>& sums,
                                   const BackwardRow<T, k_gamma, true>& to,
                                   const WideRows<T, k_wide_rows>& before, size_t head, size_t n) {
    const size_t lanes = hn::Lanes(Tag<T>());
    write_few<T, k_gamma>(to, before, 0, head);
    size_t i = 0;
    for (; head + i + 2 * lanes <= n; i += 2 * lanes) {
        sums.take(i, 0);
        write_around<T, k_gamma, 1>(to, before, head + i);
        sums.fetch(i, lanes, k_level);
        sums.take(i + lanes, 1);
        write_around<T, k_gamma, 1>(to, before, head + i + lanes);
        sums.fetch(i + lanes, lanes, k_level);
    }
    sums.take_rest(i);
    write_few<T, k_gamma>(to, before, head + i, n);
}

// Writes all of rows whose sums are known, and asks for as many rows that come after them.
template<class T, bool k_gamma, Index k_rows>
HWY_INLINE void write_wide(const BackwardRow<T, k_gamma, true>& to, const WideRows<T, k_rows>& rows,
                           size_t head, size_t n, Memory memory) {
    const size_t lanes = hn::Lanes(Tag<T>());
    write_few<T, k_gamma>(to, rows, 0, head);
    size_t i = head;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        for (const Pending<T>& row : rows) {
            prefetch(row.x + k_rows * n + i, 4 * lanes, memory.rows);
            prefetch(row.dy + k_rows * n + i, 4 * lanes, memory.rows);
        }
        write_around<T, k_gamma, 4>(to, rows, i);
    }
    write_few<T, k_gamma>(to, rows, i, n);
}

template<class T, bool k_gamma, class... Of>
HWY_INLINE void sum_and_write_at(Level level, Of&... of) {
    if constexpr (k_has_first_alone)
        if (level == Level::first_alone)
            return sum_and_write_wide<T, k_gamma, Level::first_alone>(of...);
    if constexpr (k_has_first) sum_and_write_wide<T, k_gamma, Level::first>(of...);
}

// Rows that are wide: their sums, then all that is written of them, for which they are read again
// from the second level of the cache. With 48 kB of first level that goes along with the sums of
// the next rows (measured, 16384×4096: faster by a fifth); with 32 kB, for which it was not
// measured, the next rows are asked for meanwhile.
template<class T, bool k_gamma>
void backward_wide_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                         Memory memory) {
    static_assert(ColumnSums<T>::k_block % k_wide_rows == 0);
    const size_t n = static_cast<size_t>(a.cols);
    const ColumnSums<T> columns(dgamma, dbeta, end - begin, n);
    const BackwardRow<T, k_gamma, true> to{a.gamma, columns.dgamma(), columns.dbeta()};
    const size_t head = values_to_line(a.dx, n);
    const bool together = k_has_first && memory.rows != Level::second;
    WideRows<T, k_wide_rows> before;
    Index row = begin;
    for (; row + k_wide_rows <= end; row += k_wide_rows) {
        WideRows<T, k_wide_rows> rows;
        WideSums<T, k_gamma, k_wide_rows> sums(a, row, rows);
        if (!together || row == begin)
            sums.take_all(memory.rows);
        else
            sum_and_write_at<T, k_gamma>(memory.rows, sums, to, before, head, n);
        sums.end();
        if (together)
            std::copy(rows, rows + k_wide_rows, before);
        else
            write_wide<T, k_gamma>(to, rows, head, n, memory);
        columns.end_rows(together ? row - begin : row + k_wide_rows - begin, end - begin);
    }
    if (together && row > begin) {
        write_wide<T, k_gamma>(to, before, head, n, memory);
        columns.end_rows(row - begin, end - begin);
    }
    if (row < end) {
        WideRows<T, 1> last;
        WideSums<T, k_gamma, 1> sums(a, row, last);
        sums.take_all(memory.rows);
        sums.end();
        write_wide<T, k_gamma>(to, last, head, n, memory);
        columns.end_rows(end - begin, end - begin);
    }
    hwy::FlushStream();
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
