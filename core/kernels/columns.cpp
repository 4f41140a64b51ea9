#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/columns.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/columns-inl.h"
#include "core/kernels/norms.h"
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

} // namespace normscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// The vector at p of which `count` lanes count, whole where count is `lanes`.
template<class T>
HWY_INLINE V<T> load_n(const T* p, size_t count) {
    return count == hn::Lanes(Tag<T>()) ? hn::LoadU(Tag<T>(), p) : load_part<T>(p, count);
}
template<class T>
HWY_INLINE void store_n(V<T> v, T* p, size_t count) {
    if (count == hn::Lanes(Tag<T>()))
        hn::StoreU(v, Tag<T>(), p);
    else
        store_part<T>(v, p, count);
}

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

// What maps x to y = (x − shift)·scale + offset, for the columns of a strip. Without a shift: 0.
template<class T>
struct Line {
    const T* HWY_RESTRICT shift;
    const T* HWY_RESTRICT scale;
    const T* HWY_RESTRICT offset;
};

// The same for a vector of columns; rows mapped together share what is read for them.
template<class T>
struct LineAt {
    LineAt() = default;
    template<class Load>
    HWY_INLINE LineAt(const Line<T>& line, size_t i, Load&& load)
        : shift(line.shift ? load(line.shift + i) : hn::Zero(Tag<T>())),
          scale(load(line.scale + i)), offset(load(line.offset + i)) {}

    HWY_INLINE V<T> y(V<T> x) const { return hn::MulAdd(hn::Sub(x, shift), scale, offset); }

    V<T> shift, scale, offset;
};

// k_rows rows of a strip.
template<class T, int k_rows>
HWY_INLINE void map_together(const T* x, const Line<T>& line, T* y, size_t stride, size_t begin,
                             size_t end) {
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        const auto load = [&](const T* p) HWY_ATTR { return load_n<T>(p, count); };
        const LineAt<T> at(line, i, load);
        for (size_t r = 0; r < k_rows; ++r)
            store_n<T>(at.y(load(x + r * stride + i)), y + r * stride + i, count);
    };
    for_vectors<T>(
        begin, end, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(Tag<T>())); }, step);
}

// k_rows rows of a strip, whose length is whole cache lines, past the cache. What is asked for
// ahead is a little further on in the same rows for the first level, for the second the rows `next`
// values on, unless that is 0.
template<class T, int k_rows>
HWY_INLINE void map_around(const T* x, const Line<T>& line, T* y, size_t stride, size_t width,
                           size_t next, Memory memory) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    constexpr size_t step = 2 * k_line / sizeof(T);
    constexpr size_t most = step / HWY_MIN(step, hn::MaxLanes(Tag<T>())); // vectors
    const auto load = [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); };
    const size_t ahead = memory.fetches_into_first() ? ahead_of<T>(memory, 1, k_rows) : next;
    const size_t head = values_to_line(y, width);
    map_together<T, k_rows>(x, line, y, stride, 0, head);
    size_t i = head;
    for (; i + step <= width; i += step) {
        if (ahead > 0)
            for (size_t r = 0; r < k_rows; ++r)
                prefetch(x + r * stride + i + ahead, step, memory.rows);
        LineAt<T> at[most];
        for (size_t k = 0; k * lanes < step; ++k) at[k] = LineAt<T>(line, i + k * lanes, load);
        for (size_t r = 0; r < k_rows; ++r)
            for (size_t k = 0; k * lanes < step; ++k) {
                const size_t v = r * stride + i + k * lanes;
                hn::Stream(at[k].y(load(x + v)), d, y + v);
            }
    }
    map_together<T, k_rows>(x, line, y, stride, i, width);
}

// The rows [begin, end) of a strip.
template<class T>
HWY_INLINE void map_rows(const T* x, const Line<T>& line, T* y, size_t stride, size_t width,
                         size_t begin, size_t end, Memory memory) {
    size_t row = begin;
    const auto rows = [&](size_t at_once, auto&& map) HWY_ATTR {
        for (; row + at_once <= end; row += at_once)
            map(x + row * stride, y + row * stride,
                row + 2 * at_once <= end ? at_once * stride : 0);
    };
    if (!memory.around) {
        rows(2, [&](const T* from, T* to, size_t)
                    HWY_ATTR { map_together<T, 2>(from, line, to, stride, 0, width); });
        rows(1, [&](const T* from, T* to, size_t)
                    HWY_ATTR { map_together<T, 1>(from, line, to, stride, 0, width); });
        return;
    }
    // Several rows at once read what the columns need once. Where that stays in the first level
    // beside a row, memory serves one after the other faster (measured with 48 kB, rows of 4 to
    // 8 kB: by a tenth to a quarter; with 32 kB it is slower).
    const bool stays = memory.fetches_into_first() && width * sizeof(T) <= k_long_strip / 2;
    if (!stays && stride * sizeof(T) % k_line == 0)
        rows(4, [&](const T* from, T* to, size_t next)
                    HWY_ATTR { map_around<T, 4>(from, line, to, stride, width, next, memory); });
    rows(1, [&](const T* from, T* to, size_t next)
                HWY_ATTR { map_around<T, 1>(from, line, to, stride, width, next, memory); });
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
void map_row_range(const ColumnMap<T>& a, Index begin, Index end, Memory memory) {
    const size_t cols = static_cast<size_t>(a.cols);
    const size_t first = static_cast<size_t>(begin);
    for_pieces<T>(Walk::up, memory.fetches_into_first() ? k_long_strip : k_strip,
                  static_cast<size_t>(end - begin), 0, cols, [&](const Piece& p) HWY_ATTR {
                      const size_t c = p.column;
                      map_rows<T>(
                          a.x + c,
                          Line<T>{a.shift ? a.shift + c : nullptr, a.scale + c, a.offset + c},
                          a.y + c, cols, p.width, first + p.row, first + p.row + p.rows, memory);
                  });
    if (memory.around) hwy::FlushStream();
}

} // namespace

void tiny_f32(const ColumnForward<float>& a) {
    tiny_columns<float>(a);
}
void tiny_f64(const ColumnForward<double>& a) {
    tiny_columns<double>(a);
}
void stats_f32(const float* z, size_t stride, size_t rows, size_t begin, size_t end,
               const Columns<float>& to, Memory memory) {
    column_stats<float>(z, stride, rows, begin, end, to, memory);
}
void stats_f64(const double* z, size_t stride, size_t rows, size_t begin, size_t end,
               const Columns<double>& to, Memory memory) {
    column_stats<double>(z, stride, rows, begin, end, to, memory);
}
void join_f32(const Columns<float>& all, size_t before, const Columns<float>& next, size_t rows,
              size_t begin, size_t end) {
    join_columns<float>(all, before, next, rows, begin, end);
}
void join_f64(const Columns<double>& all, size_t before, const Columns<double>& next, size_t rows,
              size_t begin, size_t end) {
    join_columns<double>(all, before, next, rows, begin, end);
}
void finish_f32(const ColumnForward<float>& a, const Columns<float>& all, size_t begin,
                size_t end) {
    finish_columns<float>(a, all, begin, end);
}
void finish_f64(const ColumnForward<double>& a, const Columns<double>& all, size_t begin,
                size_t end) {
    finish_columns<double>(a, all, begin, end);
}
void map_f32(const ColumnMap<float>& a, Index begin, Index end, Memory memory) {
    map_row_range<float>(a, begin, end, memory);
}
void map_f64(const ColumnMap<double>& a, Index begin, Index end, Memory memory) {
    map_row_range<double>(a, begin, end, memory);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {
namespace {

HWY_EXPORT(tiny_f32);
HWY_EXPORT(tiny_f64);
HWY_EXPORT(stats_f32);
HWY_EXPORT(stats_f64);
HWY_EXPORT(join_f32);
HWY_EXPORT(join_f64);
HWY_EXPORT(finish_f32);
HWY_EXPORT(finish_f64);
HWY_EXPORT(map_f32);
HWY_EXPORT(map_f64);

constexpr Index k_tiny = 64;         // values in all
constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it
constexpr Index k_group = 64;        // columns are shared out in groups of whole cache lines
constexpr Index k_part = 256;        // rows whose statistics are made by themselves, at least
constexpr Index k_most_parts = 16;

template<class S>
Memory memory_of_map(Index values, int chunks) {
    return memory_for(2 * values * static_cast<Index>(sizeof(S)) / chunks);
}

// Of the statistics and the map behind them. Measured with 32 kB of first level, 4096×768 on two
// threads: x, which is read again, stays in the last level, which all threads share, where y goes
// around it, and that is faster by a quarter or more; with 48 kB it was not measured.
template<class S>
Memory memory_of_batch(Index values, int chunks) {
    const Memory of_one = memory_of_map<S>(values, chunks);
    return of_one.rows == Level::second ? memory_of_map<S>(values, 1) : of_one;
}

template<class S, class Kernel>
void run_rows(const ColumnMap<S>& a, int threads, Kernel kernel) {
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Memory memory = a.memory.value_or(memory_of_map<S>(a.rows * a.cols, chunks));
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, memory); });
}

// In how many parts the rows are summed up before these are joined: a power of two. Not by the
// number of threads, so that it changes no bit.
Index part_count(Index rows) {
    Index parts = 1;
    while (parts < k_most_parts && rows >= 2 * parts * k_part) parts *= 2;
    return parts;
}

template<class Stats, class Join, class Finish, class Map>
struct ColumnKernels {
    Stats stats;
    Join join;
    Finish finish;
    Map map;
};
template<class Stats, class Join, class Finish, class Map>
ColumnKernels(Stats, Join, Finish, Map) -> ColumnKernels<Stats, Join, Finish, Map>;

// A thread takes the statistics of the rows that it maps to y afterwards: they are still in the
// cache of its core. Where the rows' parts cannot be shared out evenly, those of columns.
template<class S, class Kernels>
void run_columns(const ColumnForward<S>& a, int threads, const Kernels& kernels) {
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
    run_rows(ColumnMap<S>{a.x, all.high, all.m2, all.low, a.y, a.rows, a.cols, memory}, threads,
             kernels.map);
}

} // namespace

void batch_norm(const ColumnForward<float>& a, int threads) {
    if (a.rows * a.cols <= k_tiny) return HWY_DYNAMIC_DISPATCH(tiny_f32)(a);
    run_columns(a, threads,
                ColumnKernels{HWY_DYNAMIC_DISPATCH(stats_f32), HWY_DYNAMIC_DISPATCH(join_f32),
                              HWY_DYNAMIC_DISPATCH(finish_f32), HWY_DYNAMIC_DISPATCH(map_f32)});
}
void batch_norm(const ColumnForward<double>& a, int threads) {
    if (a.rows * a.cols <= k_tiny) return HWY_DYNAMIC_DISPATCH(tiny_f64)(a);
    run_columns(a, threads,
                ColumnKernels{HWY_DYNAMIC_DISPATCH(stats_f64), HWY_DYNAMIC_DISPATCH(join_f64),
                              HWY_DYNAMIC_DISPATCH(finish_f64), HWY_DYNAMIC_DISPATCH(map_f64)});
}
void column_map(const ColumnMap<float>& a, int threads) {
    run_rows(a, threads, HWY_DYNAMIC_DISPATCH(map_f32));
}
void column_map(const ColumnMap<double>& a, int threads) {
    run_rows(a, threads, HWY_DYNAMIC_DISPATCH(map_f64));
}

} // namespace normscope::kernels
#endif
