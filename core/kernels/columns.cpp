#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/columns.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/columns-inl.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/scratch.h"
#include "core/kernels/simd-inl.h"

#include <cmath>
#include <type_traits>

#ifndef NORMSCOPE_CORE_NORM_COLUMN_SCRATCH
#define NORMSCOPE_CORE_NORM_COLUMN_SCRATCH
namespace normscope::kernels {

// What is known of the columns from some of the rows: the mean is `high` + `low`, so that a large
// common offset costs no digits, and `m2` is Σ (z − mean)². From all rows it becomes what maps x
// to y = (x − high)·m2 + low.
template<class T>
struct Columns {
    T* HWY_RESTRICT high;
    T* HWY_RESTRICT low;
    T* HWY_RESTRICT m2;
};

template<class T>
struct ColumnForwardKernels {
    void (*tiny)(const ColumnForward<T>& a);
    void (*stats)(const T* z, std::size_t stride, std::size_t rows, std::size_t begin,
                  std::size_t end, const Columns<T>& to, Memory memory);
    void (*join)(const Columns<T>& all, std::size_t before, const Columns<T>& next,
                 std::size_t rows, std::size_t begin, std::size_t end);
    void (*finish)(const ColumnForward<T>& a, const Columns<T>& all, std::size_t begin,
                   std::size_t end);
};

} // namespace normscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// sum += Σ e and squares += Σ e² over k_rows rows of a strip, with e = z − c. With `fetch` the rows
// after them are asked for: they are short, and the processor begins to fetch each of them anew.
template<class T, int k_rows>
HWY_INLINE void sum_rows(const T* HWY_RESTRICT z, size_t stride, const T* HWY_RESTRICT c,
                         T* HWY_RESTRICT sum, T* HWY_RESTRICT squares, size_t width, bool fetch,
                         Memory memory) {
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        if (fetch && i * sizeof(T) % k_line == 0)
            for (int r = 0; r < k_rows; ++r)
                prefetch(z + static_cast<size_t>(r + k_rows) * stride + i, 1, memory.rows);
        const V<T> center = load_n<T>(c + i, count);
        V<T> total = load_n<T>(sum + i, count);
        V<T> total_sq = load_n<T>(squares + i, count);
        for (int r = 0; r < k_rows; ++r) {
            const V<T> e =
                hn::Sub(load_n<T>(z + static_cast<size_t>(r) * stride + i, count), center);
            total = hn::Add(total, e);
            total_sq = hn::MulAdd(e, e, total_sq);
        }
        store_n<T>(total, sum + i, count);
        store_n<T>(total_sq, squares + i, count);
    };
    for_vectors<T>(
        0, width, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(Tag<T>())); }, step);
}

// sum = Σ e and squares = Σ e² over `rows` rows, several at once; the numbers do not depend on how
// many. Four; or two where the rows that are asked for go into the first level too and all rows
// begin at the same place in a page, so that they meet in the same sets of it. Where a strip is but
// a part of the row, sixteen, of which nothing is asked for ahead (measured with 48 kB, rows of 6
// to 16 kB: faster by a tenth).
template<class T>
HWY_INLINE void sum_strip(const T* z, size_t rows, size_t stride, const T* c, T* sum, T* squares,
                          size_t width, Memory memory) {
    for (size_t i = 0; i < width; ++i) sum[i] = squares[i] = 0;
    const bool into_first = memory.fetches_into_first();
    const bool parts = into_first && stride * sizeof(T) > k_strip;
    const bool meet = into_first && stride * sizeof(T) % 4096 == 0;
    size_t row = 0;
    const auto together = [&](auto at_once, bool fetch) HWY_ATTR {
        for (; row + at_once() <= rows; row += at_once())
            sum_rows<T, at_once()>(z + row * stride, stride, c, sum, squares, width, fetch, memory);
    };
    if (parts) together(std::integral_constant<int, 16>(), false);
    if (!meet) together(std::integral_constant<int, 4>(), memory.around);
    together(std::integral_constant<int, 2>(), memory.around);
    together(std::integral_constant<int, 1>(), memory.around);
}

// Adds a piece. Differences are taken from the mean of the blocks before; in the first block from
// that of its first rows, whose own differences are from the first row. Chan, Golub and LeVeque
// 1979 (eq. 2.1) correct the variance for a mean that lies elsewhere, and merge the blocks. What
// the correction loses stays small: a first mean over a share p of the rows is off by at most
// √((1 − p)/p) standard deviations, and a block far from those before it adds this distance to the
// variance itself.
template<class T>
HWY_INLINE void add_piece(const T* z, size_t stride, const Piece& p, const Columns<T>& columns,
                          Memory memory) {
    constexpr size_t first_rows = k_block / 4;
    HWY_ALIGN Strip<T> center;
    HWY_ALIGN Strip<T> sum;
    HWY_ALIGN Strip<T> squares;
    if (p.row == 0) {
        const size_t rows = HWY_MIN(first_rows, p.rows);
        const T inv_rows = T(1) / static_cast<T>(rows);
        sum_strip<T>(z, rows, stride, z, sum, squares, p.width, memory);
        for (size_t i = 0; i < p.width; ++i) {
            columns.high[i] = z[i] + sum[i] * inv_rows;
            columns.low[i] = columns.m2[i] = 0;
        }
    }
    for (size_t i = 0; i < p.width; ++i) center[i] = columns.high[i] + columns.low[i];
    sum_strip<T>(z, p.rows, stride, center, sum, squares, p.width, memory);
    const T inv_count = T(1) / static_cast<T>(p.rows);
    const T before = static_cast<T>(p.row);
    const T share = static_cast<T>(p.rows) / static_cast<T>(p.row + p.rows);
    for (size_t i = 0; i < p.width; ++i) {
        const T rest = sum[i] * inv_count;
        const T apart = (center[i] - columns.high[i]) + rest - columns.low[i];
        const T own = variance<T>(squares[i], sum[i] * rest);
        columns.low[i] += apart * share;
        columns.m2[i] += own + apart * (apart * (before * share)); // 0 in the first block, not ∞·0
    }
}

// The columns [begin, end) of `rows` rows from z.
template<class T>
void column_stats(const T* z, size_t stride, size_t rows, size_t begin, size_t end,
                  const Columns<T>& to, Memory memory) {
    for_pieces<T>(Walk::down, k_strip, rows, begin, end, [&](const Piece& p) HWY_ATTR {
        const size_t c = p.column;
        add_piece<T>(z + p.row * stride + c, stride, p, {to.high + c, to.low + c, to.m2 + c},
                     memory);
    });
}

// Adds `rows` rows to `before` others (Chan, Golub and LeVeque, eq. 2.1), columns [begin, end).
template<class T>
void join_columns(const Columns<T>& all, size_t before, const Columns<T>& next, size_t rows,
                  size_t begin, size_t end) {
    const Tag<T> d;
    const T part = static_cast<T>(rows) / static_cast<T>(before + rows);
    const V<T> share = hn::Set(d, part);
    const V<T> spread = hn::Set(d, part * static_cast<T>(before));
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        const V<T> low = load_n<T>(all.low + i, count);
        const V<T> apart =
            hn::Add(hn::Sub(load_n<T>(next.high + i, count), load_n<T>(all.high + i, count)),
                    hn::Sub(load_n<T>(next.low + i, count), low));
        const V<T> m2 = hn::Add(load_n<T>(all.m2 + i, count), load_n<T>(next.m2 + i, count));
        store_n<T>(hn::MulAdd(apart, share, low), all.low + i, count);
        store_n<T>(hn::MulAdd(apart, hn::Mul(apart, spread), m2), all.m2 + i, count);
    };
    for_vectors<T>(
        begin, end, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(d)); }, step);
}

// μ, σ² and 1/s of the columns [begin, end), and how x becomes y.
template<class T>
void finish_columns(const ColumnForward<T>& a, const Columns<T>& all, size_t begin, size_t end) {
    const Tag<T> d;
    const V<T> zero = hn::Zero(d);
    const V<T> one = hn::Set(d, T(1));
    const V<T> rows = hn::Set(d, static_cast<T>(a.rows));
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        const V<T> high = load_n<T>(all.high + i, count);
        const V<T> low = load_n<T>(all.low + i, count);
        const V<T> sum = load_n<T>(all.m2 + i, count);
        // NaN is not < 0 and stays
        const V<T> var = hn::IfThenElse(hn::Lt(sum, zero), zero, hn::Div(sum, rows));
        const V<T> rstd = hn::Div(one, hn::Sqrt(hn::Add(var, hn::Set(d, a.eps))));
        const V<T> scale = a.gamma ? hn::Mul(rstd, load_n<T>(a.gamma + i, count)) : rstd;
        const V<T> beta = a.beta ? load_n<T>(a.beta + i, count) : zero;
        store_n<T>(hn::Add(high, low), a.mean + i, count);
        store_n<T>(var, a.var + i, count);
        store_n<T>(rstd, a.rstd + i, count);
        store_n<T>(scale, all.m2 + i, count);
        store_n<T>(hn::NegMulAdd(low, scale, beta), all.low + i, count);
    };
    for_vectors<T>(
        begin, end, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(d)); }, step);
}

// A few values, for which filling and emptying vectors costs more than the sums.
template<class T>
void tiny_columns(const ColumnForward<T>& a) {
    const T inv_n = T(1) / static_cast<T>(a.rows);
    for (Index d = 0; d < a.cols; ++d) {
        const T* x = a.x + d;
        T sum = 0;
        for (Index t = 0; t < a.rows; ++t) sum += x[t * a.cols] - x[0];
        const T rough = x[0] + sum * inv_n;
        sum = 0;
        T squares = 0;
        for (Index t = 0; t < a.rows; ++t) {
            const T e = x[t * a.cols] - rough;
            sum += e;
            squares += e * e;
        }
        const T rest = sum * inv_n;
        const T var = variance<T>(squares * inv_n, rest * rest);
        a.var[d] = var < 0 ? T(0) : var;
        a.mean[d] = rough + rest;
        a.rstd[d] = T(1) / std::sqrt(a.var[d] + a.eps);
        for (Index t = 0; t < a.rows; ++t) {
            const T x_hat = (x[t * a.cols] - rough - rest) * a.rstd[d];
            a.y[t * a.cols + d] = a.gamma ? x_hat * a.gamma[d] + a.beta[d] : x_hat;
        }
    }
}

template<class T>
constexpr ColumnForwardKernels<T> k_kernels{tiny_columns<T>, column_stats<T>, join_columns<T>,
                                            finish_columns<T>};
auto column_forwards() {
    return std::pair(&k_kernels<float>, &k_kernels<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(column_forwards);

constexpr Index k_tiny = 64;         // values in all
constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it
constexpr Index k_group = 64;        // columns are shared out in groups of whole cache lines
constexpr Index k_part = 256;        // rows whose statistics are made by themselves, at least
constexpr Index k_most_parts = 16;

// Of the statistics and the map behind them. Measured with 32 kB of first level, 4096×768 on two
// threads: x, which is read again, stays in the last level, which all threads share, where y goes
// around it, and that is faster by a quarter or more; with 48 kB it was not measured.
template<class S>
Memory memory_of_batch(Index values, int chunks) {
    const Index bytes = 2 * values * static_cast<Index>(sizeof(S));
    const Memory of_one = memory_for(bytes / chunks);
    return of_one.rows == Level::second ? memory_for(bytes) : of_one;
}

// In how many parts the rows are summed up before these are joined: a power of two. Not by the
// number of threads, so that it changes no bit.
Index part_count(Index rows) {
    Index parts = 1;
    while (parts < k_most_parts && rows >= 2 * parts * k_part) parts *= 2;
    return parts;
}

} // namespace

// A thread takes the statistics of the rows that it maps to y afterwards: they are still in the
// cache of its core. Where the rows' parts cannot be shared out evenly, those of columns.
template<class S>
void batch_norm(const ColumnForward<S>& a, int threads) {
    const ColumnForwardKernels<S>& kernels =
        *in_precision<S>(HWY_DYNAMIC_DISPATCH(column_forwards)());
    if (a.rows * a.cols <= k_tiny) return kernels.tiny(a);
    const Index parts = part_count(a.rows);
    const Index groups = (a.cols + k_group - 1) / k_group;
    const int useful = useful_threads(threads, a.rows * a.cols, k_grain);
    const bool by_rows = parts % useful == 0;
    const int chunks = by_rows ? useful : static_cast<int>(std::min<Index>(useful, groups));
    const Memory memory = a.memory.value_or(memory_of_batch<S>(a.rows * a.cols, chunks));
    const Scratch<S> room(static_cast<std::size_t>(3 * parts), static_cast<std::size_t>(a.cols));
    const auto columns = [&](Index part) {
        const auto at = static_cast<std::size_t>(3 * part);
        return Columns<S>{room.array(at), room.array(at + 1), room.array(at + 2)};
    };
    const auto row_of = [&](Index part) { return a.rows * part / parts; };
    const auto size = [](Index n) { return static_cast<std::size_t>(n); };
    const auto sum_up = [&](Index first, Index last, Index begin, Index end) {
        for (Index part = first; part < last; ++part)
            kernels.stats(a.x + row_of(part) * a.cols, size(a.cols),
                          size(row_of(part + 1) - row_of(part)), size(begin), size(end),
                          columns(part), memory);
    };
    const auto complete = [&](Index begin, Index end) {
        for (Index part = 1; part < parts; ++part)
            kernels.join(columns(0), size(row_of(part)), columns(part),
                         size(row_of(part + 1) - row_of(part)), size(begin), size(end));
        kernels.finish(a, columns(0), size(begin), size(end));
    };
    if (by_rows) {
        parallel_chunks(chunks, parts,
                        [&](int, Index first, Index last) { sum_up(first, last, 0, a.cols); });
        complete(0, a.cols);
    } else {
        parallel_chunks(chunks, groups, [&](int, Index first, Index last) {
            const Index begin = first * k_group;
            const Index end = std::min(a.cols, last * k_group);
            sum_up(0, parts, begin, end);
            complete(begin, end);
        });
    }
    const Columns<S> all = columns(0);
    column_map(ColumnMap<S>{a.x, all.high, all.m2, all.low, a.y, a.rows, a.cols, memory}, threads);
}

template decltype(batch_norm<float>) batch_norm<float>;
template decltype(batch_norm<double>) batch_norm<double>;

} // namespace normscope::kernels
#endif
