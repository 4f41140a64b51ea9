#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/kernels.h"
#include "core/norm/scratch.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

constexpr Index k_tiny = 8; // values a row

// What one row's dx is made from: x̂ = (x − mean)·s, dx = g·r + x̂·m2 + m1, g = γ⊙dy, where r is
// rstd (times the row's γ) and m1, m2 are the two means with their sign and r.
template<class T>
struct RowTerms {
    T mean = 0;
    T s = 1;
    T r = 1;
    T m1 = 0;
    T m2 = 0;
};

// The same in every lane: read once a row, as stores to dx might change what is in memory. The mean
// with its sign, because an addition reads one of its operands from memory in the same instruction,
// and a subtraction only what is taken away.
template<class T>
struct VectorTerms {
    explicit VectorTerms(const RowTerms<T>& t)
        : minus_mean(hn::Set(Tag<T>(), -t.mean)), r(hn::Set(Tag<T>(), t.r)),
          m1(hn::Set(Tag<T>(), t.m1)), m2(hn::Set(Tag<T>(), t.m2 * t.s)) {}
    V<T> minus_mean, r, m1, m2;
};

// One row on its way: Σ g and Σ g⊙x̂, in two chains each, so that no sum waits for the one before.
template<class T>
struct RowSums {
    V<T> g[2];
    V<T> gx[2];
};

// The kernel's two halves, a vector at a time. `load` and `store` may do part of a vector: lanes
// that do not count are read as 0, their dy is 0, and 0·x̂ is 0 as x̂ is finite there.
template<class T, bool k_gamma, bool k_columns>
struct BackwardRow {
    const T* HWY_RESTRICT gamma;
    T* HWY_RESTRICT dgamma;
    T* HWY_RESTRICT dbeta;

    // dγ += dy⊙x̂ and dβ += dy in their columns; the row's own sums
    template<class Load, class Store>
    HWY_INLINE void sum(const T* x, const T* dy, V<T> minus_mean, V<T> s, size_t i, size_t chain,
                        RowSums<T>& sums, Load&& load, Store&& store) const {
        const V<T> x_hat = hn::Mul(hn::Add(load(x + i), minus_mean), s);
        const V<T> dyv = load(dy + i);
        V<T> g = dyv;
        if constexpr (k_gamma) g = hn::Mul(dyv, load(gamma + i));
        sums.g[chain] = hn::Add(sums.g[chain], g);
        sums.gx[chain] = hn::MulAdd(g, x_hat, sums.gx[chain]);
        if constexpr (k_columns) {
            store(hn::MulAdd(dyv, x_hat, load(dgamma + i)), dgamma + i);
            store(hn::Add(load(dbeta + i), dyv), dbeta + i);
        }
    }

    template<class Load>
    HWY_INLINE V<T> dx(const T* x, const T* dy, const VectorTerms<T>& t, size_t i,
                       Load&& load) const {
        V<T> g = load(dy + i);
        if constexpr (k_gamma) g = hn::Mul(g, load(gamma + i));
        return hn::MulAdd(g, t.r, hn::MulAdd(hn::Add(load(x + i), t.minus_mean), t.m2, t.m1));
    }
};

// A row whose sums are known and whose dx is still to be written.
template<class T>
struct Pending {
    const T* x = nullptr; // null: there is none
    const T* dy = nullptr;
    T* dx = nullptr;
    RowTerms<T> terms;
};

// Sums up the row at x, dy and writes the dx of the row before in the same loop, so that memory is
// read and written at once, as in a copy; the row before is still in the cache.
template<class T, bool k_gamma, bool k_columns, bool k_around>
HWY_INLINE void sum_and_write(BackwardRow<T, k_gamma, k_columns> row, const T* x, const T* dy,
                              size_t n, const RowTerms<T>& terms, Pending<T> before, Memory memory,
                              T& sum_g, T& sum_gx) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    const auto load = [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); };
    const auto store = [&](V<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); };
    const V<T> minus_mean = hn::Set(d, -terms.mean);
    const V<T> s = hn::Set(d, terms.s);
    const V<T> zero = hn::Zero(d);
    RowSums<T> sums{{zero, zero}, {zero, zero}};
    const auto sum_two = [&](size_t i) HWY_ATTR {
        row.sum(x, dy, minus_mean, s, i, 0, sums, load, store);
        row.sum(x, dy, minus_mean, s, i + lanes, 1, sums, load, store);
    };
    size_t i = 0;
    if (before.x) {
        const VectorTerms<T> terms_before(before.terms);
        const auto whole = [&](size_t at) HWY_ATTR {
            return row.dx(before.x, before.dy, terms_before, at, load);
        };
        const auto part = [&](size_t at, size_t count) HWY_ATTR {
            return row.dx(before.x, before.dy, terms_before, at,
                          [&](const T* p) HWY_ATTR { return load_part<T>(p, count); });
        };
        const size_t head = k_around ? values_to_line(before.dx, n) : 0;
        if (head != 0) write_row<T>(before.dx, head, false, whole, part);
        // From here on one index serves all arrays.
        BackwardRow<T, k_gamma, k_columns> shifted = row;
        if constexpr (k_gamma) shifted.gamma += head;
        const T* from_x = before.x + head;
        const T* from_dy = before.dy + head;
        T* dx = before.dx + head;
        const auto write = [&](size_t at) HWY_ATTR {
            const V<T> v = shifted.dx(from_x, from_dy, terms_before, at, load);
            if constexpr (k_around)
                hn::Stream(v, d, dx + at);
            else
                hn::StoreU(v, d, dx + at);
        };
        const size_t ahead = ahead_of<T>(memory, 2);
        for (; head + i + 4 * lanes <= n; i += 4 * lanes) {
            if constexpr (k_around) {
                prefetch(x + i + ahead, 4 * lanes, memory.rows);
                prefetch(dy + i + ahead, 4 * lanes, memory.rows);
            }
            sum_two(i);
            sum_two(i + 2 * lanes);
            for_four<T>(i, write);
        }
        write_row<T>(
            dx + i, n - head - i, false, [&](size_t k) HWY_ATTR { return whole(head + i + k); },
            [&](size_t k, size_t count) HWY_ATTR { return part(head + i + k, count); });
    }
    for (; i + 2 * lanes <= n; i += 2 * lanes) sum_two(i);
    for_vectors<T>(
        i, n, [&](size_t at) HWY_ATTR { row.sum(x, dy, minus_mean, s, at, 0, sums, load, store); },
        [&](size_t at, size_t count) HWY_ATTR {
            row.sum(
                x, dy, minus_mean, s, at, 1, sums,
                [&](const T* p) HWY_ATTR { return load_part<T>(p, count); },
                [&](V<T> v, T* p) HWY_ATTR { store_part<T>(v, p, count); });
        });
    sum_g = sum_lanes<T>(hn::Add(sums.g[0], sums.g[1]));
    sum_gx = sum_lanes<T>(hn::Add(sums.gx[0], sums.gx[1]));
}

template<class T, bool k_gamma>
HWY_INLINE void write_dx(const T* gamma, size_t n, Pending<T> p, bool around) {
    const Tag<T> d;
    const BackwardRow<T, k_gamma, false> row{gamma, nullptr, nullptr};
    const VectorTerms<T> terms(p.terms);
    write_row<T>(
        p.dx, n, around,
        [&](size_t i) HWY_ATTR {
            return row.dx(p.x, p.dy, terms, i,
                          [&](const T* q) HWY_ATTR { return hn::LoadU(d, q); });
        },
        [&](size_t i, size_t count) HWY_ATTR {
            return row.dx(p.x, p.dy, terms, i,
                          [&](const T* q) HWY_ATTR { return load_part<T>(q, count); });
        });
}

// Where dγ and dβ are summed up: those of every 256 rows on their own, then added to the total, as
// the rounding of a long sum grows with its blocks, not with its rows.
template<class T>
class ColumnSums {
  public:
    static constexpr Index k_block = 256; // rows

    // Room of its own only for more rows than a block; none for n = 0.
    ColumnSums(T* dgamma, T* dbeta, Index rows, size_t n)
        : dgamma_(dgamma), dbeta_(dbeta), width_(rows > k_block ? n : 0), part_(2, width_) {}

    T* dgamma() const { return width_ == 0 ? dgamma_ : part_.array(0); }
    T* dbeta() const { return width_ == 0 ? dbeta_ : part_.array(1); }

    // After `done` of `rows` rows.
    void end_rows(Index done, Index rows) const {
        if (width_ == 0 || (done % k_block != 0 && done != rows)) return;
        T* part_g = part_.array(0);
        T* part_b = part_.array(1);
        for (size_t i = 0; i < width_; ++i) {
            dgamma_[i] += part_g[i];
            dbeta_[i] += part_b[i];
            part_g[i] = part_b[i] = 0;
        }
    }

  private:
    T* dgamma_;
    T* dbeta_;
    size_t width_;
    Scratch<T> part_;
};

// The mean and 1/s by which row's x̂ is made.
template<class T>
HWY_INLINE RowTerms<T> terms_for_sums(const RowBackward<T>& a, Index row) {
    RowTerms<T> t;
    if (a.mean) {
        t.mean = a.mean[row];
        t.s = a.rstd[row];
    }
    return t;
}

// What dx takes from the sums of a row, which are written where they are asked for.
template<class T>
HWY_INLINE void add_sums(const RowBackward<T>& a, Index row, T sum_g, T sum_gx, RowTerms<T>& t) {
    if (a.row_dgamma) {
        a.row_dgamma[row] = sum_gx;
        a.row_dbeta[row] = sum_g;
    }
    const T inv_n = T(1) / static_cast<T>(a.cols);
    t.r = a.rstd[row] * (a.row_gamma ? a.row_gamma[row] : T(1));
    if (a.use_mean) t.m1 = -sum_g * inv_n * t.r;
    if (a.use_projection) t.m2 = -sum_gx * inv_n * t.r;
}

template<class T, bool k_gamma, bool k_columns, bool k_around>
void backward_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                    Memory memory) {
    const size_t n = static_cast<size_t>(a.cols);
    const ColumnSums<T> columns(dgamma, dbeta, end - begin, k_columns ? n : 0);
    const BackwardRow<T, k_gamma, k_columns> kernel{a.gamma, columns.dgamma(), columns.dbeta()};
    Pending<T> before;
    for (Index row = begin; row < end; ++row) {
        const Index at = row * a.cols;
        RowTerms<T> t = terms_for_sums(a, row);
        T sum_g = 0;
        T sum_gx = 0;
        sum_and_write<T, k_gamma, k_columns, k_around>(kernel, a.x + at, a.dy + at, n, t, before,
                                                       memory, sum_g, sum_gx);
        add_sums(a, row, sum_g, sum_gx, t);
        before = {a.x + at, a.dy + at, a.dx + at, t};
        columns.end_rows(row + 1 - begin, end - begin);
    }
    if (before.x) write_dx<T, k_gamma>(a.gamma, n, before, k_around);
    if (k_around) hwy::FlushStream();
}

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
    for (Index r = 0; r < k_rows; ++r) {
        const Index at = (first + r) * a.cols;
        rows[r] = {a.x + at, a.dy + at, a.dx + at, terms_for_sums(a, first + r)};
        sums[r] = {{zero, zero}, {zero, zero}};
        minus_mean[r] = hn::Set(d, -rows[r].terms.mean);
        s[r] = hn::Set(d, rows[r].terms.s);
    }
    const auto take = [&](size_t i, size_t chain, auto&& load) HWY_ATTR {
        V<T> gamma = zero;
        if constexpr (k_gamma) gamma = load(a.gamma + i);
        for (Index r = 0; r < k_rows; ++r) {
            V<T> g = load(rows[r].dy + i);
            if constexpr (k_gamma) g = hn::Mul(g, gamma);
            const V<T> x_hat = hn::Mul(hn::Add(load(rows[r].x + i), minus_mean[r]), s[r]);
            sums[r].g[chain] = hn::Add(sums[r].g[chain], g);
            sums[r].gx[chain] = hn::MulAdd(g, x_hat, sums[r].gx[chain]);
        }
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
void backward_wide_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
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
        backward_wide_range<T, k_gamma, 4, 1>(a, begin, end, dgamma, dbeta, size_t{0});
    else
        backward_wide_range<T, k_gamma, 2, 2>(a, begin, end, dgamma, dbeta,
                                              ahead_of<T>(memory, 2, 2));
}

template<class T, bool k_gamma, bool k_columns>
void backward_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                    Memory memory) {
    const size_t row_bytes = static_cast<size_t>(a.cols) * sizeof(T);
    if constexpr (k_columns)
        if (memory.around && row_bytes >= k_wide && row_bytes % k_line == 0)
            return backward_wide_range<T, k_gamma>(a, begin, end, dgamma, dbeta, memory);
    if (memory.around)
        backward_range<T, k_gamma, k_columns, true>(a, begin, end, dgamma, dbeta, memory);
    else
        backward_range<T, k_gamma, k_columns, false>(a, begin, end, dgamma, dbeta, memory);
}

// Rows of a few values, for which filling and emptying vectors costs more than the sums.
template<class T>
void tiny_rows(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta) {
    const Index n = a.cols;
    const T inv_n = T(1) / static_cast<T>(n);
    for (Index row = begin; row < end; ++row) {
        const T* x = a.x + row * n;
        const T* dy = a.dy + row * n;
        const T mean = a.mean ? a.mean[row] : T(0);
        const T s = a.mean ? a.rstd[row] : T(1);
        T x_hat[k_tiny] = {};
        T g[k_tiny] = {};
        T sum_g = 0;
        T sum_gx = 0;
        for (Index i = 0; i < n; ++i) {
            x_hat[i] = (x[i] - mean) * s;
            g[i] = a.gamma ? dy[i] * a.gamma[i] : dy[i];
            sum_g += g[i];
            sum_gx += g[i] * x_hat[i];
        }
        if (dgamma)
            for (Index i = 0; i < n; ++i) {
                dgamma[i] += dy[i] * x_hat[i];
                dbeta[i] += dy[i];
            }
        if (a.row_dgamma) {
            a.row_dgamma[row] = sum_gx;
            a.row_dbeta[row] = sum_g;
        }
        const T r = a.rstd[row] * (a.row_gamma ? a.row_gamma[row] : T(1));
        const T mean_g = a.use_mean ? sum_g * inv_n : T(0);
        const T mean_gx = a.use_projection ? sum_gx * inv_n : T(0);
        for (Index i = 0; i < n; ++i) a.dx[row * n + i] = (g[i] - mean_g - x_hat[i] * mean_gx) * r;
    }
}

template<class T>
void backward_any(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                  Memory memory) {
    if (a.cols <= k_tiny)
        tiny_rows<T>(a, begin, end, dgamma, dbeta);
    else if (a.gamma && dgamma)
        backward_range<T, true, true>(a, begin, end, dgamma, dbeta, memory);
    else if (a.gamma)
        backward_range<T, true, false>(a, begin, end, dgamma, dbeta, memory);
    else if (dgamma)
        backward_range<T, false, true>(a, begin, end, dgamma, dbeta, memory);
    else
        backward_range<T, false, false>(a, begin, end, dgamma, dbeta, memory);
}

} // namespace

void backward_f32(const RowBackward<float>& a, Index begin, Index end, float* dgamma, float* dbeta,
                  Memory memory) {
    backward_any<float>(a, begin, end, dgamma, dbeta, memory);
}
void backward_f64(const RowBackward<double>& a, Index begin, Index end, double* dgamma,
                  double* dbeta, Memory memory) {
    backward_any<double>(a, begin, end, dgamma, dbeta, memory);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(backward_f32);
HWY_EXPORT(backward_f64);

constexpr Index k_grain = 16 * 1024; // values: fewer a thread are not worth waking it

// Measured with 48 kB, 512×768: from here on a walk that writes dx around the cache is faster by a
// third; with an operation behind it that reads dx, both together take as long either way.
constexpr Index k_kept_near = Index{2} << 20;

// Each thread sums dγ and dβ of its own rows; they are added up in the threads' order.
template<class S, class Kernel>
void run(const RowBackward<S>& a, int threads, Kernel kernel) {
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Memory memory = a.memory.value_or(
        memory_for(3 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks, k_kept_near));
    const auto width = static_cast<std::size_t>(a.dgamma ? a.cols : 0);
    if (chunks == 1) {
        std::fill_n(a.dgamma, width, S(0));
        std::fill_n(a.dbeta, width, S(0));
        kernel(a, 0, a.rows, a.dgamma, a.dbeta, memory);
        return;
    }
    // dγ and dβ of each
    const Scratch<S> sums(2 * static_cast<std::size_t>(chunks), width, Gap::page);
    parallel_chunks(chunks, a.rows, [&](int chunk, Index begin, Index end) {
        const auto own = 2 * static_cast<std::size_t>(chunk);
        kernel(a, begin, end, sums.array(own), sums.array(own + 1), memory);
    });
    for (std::size_t i = 0; i < width; ++i) {
        S dgamma = 0;
        S dbeta = 0;
        for (std::size_t c = 0; c < static_cast<std::size_t>(chunks); ++c) {
            dgamma += sums.array(2 * c)[i];
            dbeta += sums.array(2 * c + 1)[i];
        }
        a.dgamma[i] = dgamma;
        a.dbeta[i] = dbeta;
    }
}

} // namespace

void row_backward(const RowBackward<float>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(backward_f32));
}
void row_backward(const RowBackward<double>& a, int threads) {
    run(a, threads, HWY_DYNAMIC_DISPATCH(backward_f64));
}

} // namespace normscope::kernels
#endif
