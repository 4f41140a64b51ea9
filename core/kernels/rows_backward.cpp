#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/rows_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/backward_rows-inl.h"
#include "core/kernels/backward_wide-inl.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/scratch.h"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

constexpr Index k_tiny = 8; // values a row

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
    const auto sum = [&](size_t i, size_t chain)
                         HWY_ATTR { row.sum(x, dy, minus_mean, s, i, chain, sums, load, store); };
    const auto sum_two = [&](size_t i) HWY_ATTR {
        sum(i, 0);
        sum(i + lanes, 1);
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
        // A single vector, as memory is then read and written as evenly as in a copy; measured, a
        // tenth faster for this level.
        const auto go = [&](size_t at, auto chain) HWY_ATTR {
            prefetch(x + at + ahead, lanes, Level::first);
            prefetch(dy + at + ahead, lanes, Level::first);
            sum(at, chain());
            write(at);
        };
        if (k_around && memory.rows == Level::first)
            for (; head + i + 2 * lanes <= n; i += 2 * lanes) {
                go(i, std::integral_constant<size_t, 0>());
                go(i + lanes, std::integral_constant<size_t, 1>());
            }
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

template<class T, bool k_gamma, bool k_columns>
void backward_range(const RowBackward<T>& a, Index begin, Index end, T* dgamma, T* dbeta,
                    Memory memory) {
    const size_t row_bytes = static_cast<size_t>(a.cols) * sizeof(T);
    if constexpr (k_columns && k_can_stream)
        if (memory.around && is_wide(row_bytes, memory))
            return backward_wide_range<T, k_gamma>(a, begin, end, dgamma, dbeta, memory);
    if constexpr (k_can_stream)
        if (memory.around)
            return backward_range<T, k_gamma, k_columns, true>(a, begin, end, dgamma, dbeta,
                                                               memory);
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

auto row_backwards() {
    return std::make_pair(backward_any<float>, backward_any<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(row_backwards);

constexpr Index k_grain = 16 * 1024; // values: fewer a thread are not worth waking it

// Measured with 48 kB, 512×768: from here on a walk that writes dx around the cache is faster by a
// third; with an operation behind it that reads dx, both together take as long either way. Two
// threads that write around the cache at once are faster by a sixth where memory serves them alone,
// and slower by a third where others use it too: each keeps twice as much.
constexpr Index k_kept_near = Index{2} << 20;

// Each thread sums dγ and dβ of its own rows; they are added up in the threads' order.
template<class S>
void row_backward(const RowBackward<S>& a, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(row_backwards)());
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Memory memory = a.memory.value_or(memory_for(
        3 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks, chunks * k_kept_near));
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

template decltype(row_backward<float>) row_backward<float>;
template decltype(row_backward<double>) row_backward<double>;

} // namespace normscope::kernels
#endif
