#include "core/norm/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/kernels_columns.cpp"
#include <hwy/foreach_target.h>

#include "core/norm/columns-inl.h"
#include "core/norm/kernels.h"
#include "core/norm/scratch.h"
#include "core/norm/simd-inl.h"
#include "core/parallel.h"

#include <cmath>

#ifndef NORMSCOPE_CORE_NORM_COLUMN_SCRATCH
#define NORMSCOPE_CORE_NORM_COLUMN_SCRATCH
namespace normscope::kernels {

// How x becomes y, y = (x − shift)·scale + offset: a value a column each.
template<class T>
struct ColumnScratch {
    T* shift;
    T* scale;
    T* offset;
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

// sum += Σ e and squares += Σ e² over k_rows rows of a strip, with e = z − c. With `ahead` the rows
// after them are asked for: they are short, and the processor begins to fetch each of them anew.
template<class T, int k_rows>
HWY_INLINE void sum_rows(const T* HWY_RESTRICT z, size_t stride, const T* HWY_RESTRICT c,
                         T* HWY_RESTRICT sum, T* HWY_RESTRICT squares, size_t width, bool ahead) {
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        if (ahead && i * sizeof(T) % k_line == 0)
            for (int r = 0; r < k_rows; ++r)
                prefetch(z + static_cast<size_t>(r + k_rows) * stride + i, 1);
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

// sum = Σ e and squares = Σ e² over `rows` rows
template<class T>
HWY_INLINE void sum_strip(const T* z, size_t rows, size_t stride, const T* c, T* sum, T* squares,
                          size_t width, bool ahead) {
    for (size_t i = 0; i < width; ++i) sum[i] = squares[i] = 0;
    size_t row = 0;
    for (; row + 4 <= rows; row += 4)
        sum_rows<T, 4>(z + row * stride, stride, c, sum, squares, width, ahead);
    for (; row < rows; ++row)
        sum_rows<T, 1>(z + row * stride, stride, c, sum, squares, width, ahead);
}

// y = (x − shift)·scale + offset over k_rows rows of a strip, which share what is read for a
// column.
template<class T, int k_rows>
HWY_INLINE void map_together(const T* x, const T* HWY_RESTRICT shift, const T* HWY_RESTRICT scale,
                             const T* HWY_RESTRICT offset, T* y, size_t stride, size_t width) {
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        const V<T> from = shift ? load_n<T>(shift + i, count) : hn::Zero(Tag<T>());
        const V<T> times = load_n<T>(scale + i, count);
        const V<T> plus = load_n<T>(offset + i, count);
        for (int r = 0; r < k_rows; ++r) {
            const size_t at = static_cast<size_t>(r) * stride + i;
            store_n<T>(hn::MulAdd(hn::Sub(load_n<T>(x + at, count), from), times, plus), y + at,
                       count);
        }
    };
    for_vectors<T>(
        0, width, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(Tag<T>())); }, step);
}

// y = (x − shift)·scale + offset over the rows [begin, end) of a strip
template<class T>
HWY_INLINE void map_rows(const T* x, const T* HWY_RESTRICT shift, const T* HWY_RESTRICT scale,
                         const T* HWY_RESTRICT offset, T* y, size_t stride, size_t width,
                         size_t begin, size_t end, bool around) {
    const Tag<T> d;
    size_t row = begin;
    if (!around)
        for (; row + 2 <= end; row += 2)
            map_together<T, 2>(x + row * stride, shift, scale, offset, y + row * stride, stride,
                               width);
    for (; row < end; ++row) {
        const T* from = x + row * stride;
        if (shift)
            write_row<T>(
                y + row * stride, width, around,
                [&](size_t i) HWY_ATTR {
                    return hn::MulAdd(hn::Sub(hn::LoadU(d, from + i), hn::LoadU(d, shift + i)),
                                      hn::LoadU(d, scale + i), hn::LoadU(d, offset + i));
                },
                [&](size_t i, size_t k) HWY_ATTR {
                    return hn::MulAdd(
                        hn::Sub(load_part<T>(from + i, k), load_part<T>(shift + i, k)),
                        load_part<T>(scale + i, k), load_part<T>(offset + i, k));
                });
        else
            write_row<T>(
                y + row * stride, width, around,
                [&](size_t i) HWY_ATTR {
                    return hn::MulAdd(hn::LoadU(d, from + i), hn::LoadU(d, scale + i),
                                      hn::LoadU(d, offset + i));
                },
                [&](size_t i, size_t k) HWY_ATTR {
                    return hn::MulAdd(load_part<T>(from + i, k), load_part<T>(scale + i, k),
                                      load_part<T>(offset + i, k));
                });
    }
}

// What is known of the columns so far: the mean is `high` + `low`, so that a large common offset
// costs no digits, and `m2` is Σ (z − mean)².
template<class T>
struct Columns {
    T* HWY_RESTRICT high;
    T* HWY_RESTRICT low;
    T* HWY_RESTRICT m2;
};

// Adds a piece. Differences are taken from the mean of the blocks before; in the first block from
// that of its first rows, whose own differences are from the first row. Chan, Golub and LeVeque
// 1979 (eq. 2.1) correct the variance for a mean that lies elsewhere, and merge the blocks. What
// the correction loses stays small: a first mean over a share p of the rows is off by at most
// √((1 − p)/p) standard deviations, and a block far from those before it adds this distance to the
// variance itself.
template<class T>
HWY_INLINE void add_piece(const T* z, size_t stride, const Piece& p, const Columns<T>& columns,
                          bool ahead) {
    constexpr size_t first_rows = k_block / 4;
    HWY_ALIGN Strip<T> center;
    HWY_ALIGN Strip<T> sum;
    HWY_ALIGN Strip<T> squares;
    if (p.row == 0) {
        const size_t rows = HWY_MIN(first_rows, p.rows);
        const T inv_rows = T(1) / static_cast<T>(rows);
        sum_strip<T>(z, rows, stride, z, sum, squares, p.width, ahead);
        for (size_t i = 0; i < p.width; ++i) {
            columns.high[i] = z[i] + sum[i] * inv_rows;
            columns.low[i] = columns.m2[i] = 0;
        }
    }
    for (size_t i = 0; i < p.width; ++i) center[i] = columns.high[i] + columns.low[i];
    sum_strip<T>(z, p.rows, stride, center, sum, squares, p.width, ahead);
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

// μ, σ² and 1/s of the columns [begin, end), and how x becomes y.
template<class T>
void column_stats(const ColumnForward<T>& a, size_t begin, size_t end, const ColumnScratch<T>& to,
                  bool ahead) {
    const size_t rows = static_cast<size_t>(a.rows);
    const size_t stride = static_cast<size_t>(a.cols);
    T* high = to.shift;
    T* low = to.offset;
    T* scale = to.scale; // Σ(z − μ)² first
    for_pieces<T>(Walk::down, rows, begin, end, [&](const Piece& p) HWY_ATTR {
        const size_t c = p.column;
        add_piece<T>(a.x + p.row * stride + c, stride, p, {high + c, low + c, scale + c}, ahead);
    });
    for (size_t c = begin; c < end; ++c) {
        const T var = scale[c] / static_cast<T>(rows);
        const T rstd = T(1) / std::sqrt((var < 0 ? T(0) : var) + a.eps);
        a.mean[c] = high[c] + low[c];
        a.var[c] = var < 0 ? T(0) : var;
        a.rstd[c] = rstd;
        scale[c] = a.gamma ? rstd * a.gamma[c] : rstd;
        low[c] = (a.beta ? a.beta[c] : T(0)) - low[c] * scale[c];
    }
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
void map_row_range(const ColumnMap<T>& a, Index begin, Index end, bool around) {
    const size_t cols = static_cast<size_t>(a.cols);
    const size_t first = static_cast<size_t>(begin);
    for_pieces<T>(
        Walk::up, static_cast<size_t>(end - begin), 0, cols, [&](const Piece& p) HWY_ATTR {
            const size_t c = p.column;
            map_rows<T>(a.x + c, a.shift ? a.shift + c : nullptr, a.scale + c, a.offset + c,
                        a.y + c, cols, p.width, first + p.row, first + p.row + p.rows, around);
        });
    if (around) hwy::FlushStream();
}

} // namespace

void tiny_f32(const ColumnForward<float>& a) {
    tiny_columns<float>(a);
}
void tiny_f64(const ColumnForward<double>& a) {
    tiny_columns<double>(a);
}
void stats_f32(const ColumnForward<float>& a, Index begin, Index end,
               const ColumnScratch<float>& scratch, bool ahead) {
    column_stats<float>(a, static_cast<size_t>(begin), static_cast<size_t>(end), scratch, ahead);
}
void stats_f64(const ColumnForward<double>& a, Index begin, Index end,
               const ColumnScratch<double>& scratch, bool ahead) {
    column_stats<double>(a, static_cast<size_t>(begin), static_cast<size_t>(end), scratch, ahead);
}
void map_f32(const ColumnMap<float>& a, Index begin, Index end, bool around) {
    map_row_range<float>(a, begin, end, around);
}
void map_f64(const ColumnMap<double>& a, Index begin, Index end, bool around) {
    map_row_range<double>(a, begin, end, around);
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
HWY_EXPORT(map_f32);
HWY_EXPORT(map_f64);

constexpr Index k_tiny = 64;         // values in all
constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it
constexpr Index k_group = 64;        // columns are shared out in groups of whole cache lines

template<class S>
bool around_cache(Index values, int chunks) {
    return writes_around_cache(2 * values * static_cast<Index>(sizeof(S)) / chunks);
}

template<class S, class Kernel>
void run_rows(const ColumnMap<S>& a, int threads, Kernel kernel) {
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const bool around = around_cache<S>(a.rows * a.cols, chunks);
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, around); });
}

// Statistics by columns, y by rows: threads that write parts of the same rows would fetch lines of
// each other's part ahead.
template<class S, class Stats, class Map>
void run_columns(const ColumnForward<S>& a, int threads, Stats stats, Map map) {
    const Index groups = (a.cols + k_group - 1) / k_group;
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), groups));
    const bool ahead = around_cache<S>(a.rows * a.cols, chunks); // else it is near enough
    const Scratch<S> room(3, static_cast<std::size_t>(a.cols));
    const ColumnScratch<S> scratch{room.array(0), room.array(1), room.array(2)};
    parallel_chunks(chunks, groups, [&](int, Index begin, Index end) {
        stats(a, begin * k_group, std::min(a.cols, end * k_group), scratch, ahead);
    });
    const ColumnMap<S> to_y{a.x, scratch.shift, scratch.scale, scratch.offset, a.y, a.rows, a.cols};
    run_rows(to_y, threads, map);
}

} // namespace

void batch_norm(const ColumnForward<float>& a, int threads) {
    if (a.rows * a.cols <= k_tiny) return HWY_DYNAMIC_DISPATCH(tiny_f32)(a);
    run_columns(a, threads, HWY_DYNAMIC_DISPATCH(stats_f32), HWY_DYNAMIC_DISPATCH(map_f32));
}
void batch_norm(const ColumnForward<double>& a, int threads) {
    if (a.rows * a.cols <= k_tiny) return HWY_DYNAMIC_DISPATCH(tiny_f64)(a);
    run_columns(a, threads, HWY_DYNAMIC_DISPATCH(stats_f64), HWY_DYNAMIC_DISPATCH(map_f64));
}
void column_map(const ColumnMap<float>& a, int threads) {
    run_rows(a, threads, HWY_DYNAMIC_DISPATCH(map_f32));
}
void column_map(const ColumnMap<double>& a, int threads) {
    run_rows(a, threads, HWY_DYNAMIC_DISPATCH(map_f64));
}

} // namespace normscope::kernels
#endif
