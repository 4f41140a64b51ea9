#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/columns_backward.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/columns-inl.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/scratch.h"
#include "core/kernels/simd-inl.h"

#include <algorithm>
#include <type_traits>

#ifndef NORMSCOPE_CORE_NORM_COLUMN_TERMS
#define NORMSCOPE_CORE_NORM_COLUMN_TERMS
namespace normscope::kernels {

// dx = dy·r + (x − mean)·m2 + m1, a value a column each.
template<class T>
struct ColumnTerms {
    T* r;
    T* m1;
    T* m2;
};

// The sums of a column over some of the rows, Σ dy⊙(x − mean) and Σ dy.
template<class T>
struct ColumnSums {
    T* HWY_RESTRICT g;
    T* HWY_RESTRICT b;
};

template<class T>
struct ColumnBackwardKernels {
    void (*tiny)(const ColumnBackward<T>& a);
    void (*sum)(const ColumnBackward<T>& a, std::size_t first, std::size_t last, std::size_t begin,
                std::size_t end, const ColumnSums<T>& to, Memory memory);
    void (*terms)(const ColumnBackward<T>& a, std::size_t begin, std::size_t end,
                  const ColumnTerms<T>& to);
    void (*write)(const ColumnBackward<T>& a, std::size_t begin, std::size_t end,
                  const ColumnTerms<T>& terms, Memory memory);
};

} // namespace normscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// Adds k_rows rows of a strip. With `fetch` the rows after them are asked for: they are short, and
// the processor begins to fetch each of them anew.
template<class T, bool k_mean, int k_rows>
HWY_INLINE void sum_rows(const T* HWY_RESTRICT x, const T* HWY_RESTRICT dy, size_t stride,
                         const T* HWY_RESTRICT mean, const ColumnSums<T>& sums, size_t width,
                         bool fetch, Memory memory) {
    const Tag<T> d;
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        if (fetch && i * sizeof(T) % k_line == 0)
            for (int r = 0; r < k_rows; ++r) {
                const size_t next = static_cast<size_t>(r + k_rows) * stride + i;
                prefetch(x + next, 1, memory.rows);
                prefetch(dy + next, 1, memory.rows);
            }
        V<T> m = hn::Zero(d);
        if constexpr (k_mean) m = load_n<T>(mean + i, count);
        V<T> sum_g = load_n<T>(sums.g + i, count);
        V<T> sum_b = load_n<T>(sums.b + i, count);
        for (int r = 0; r < k_rows; ++r) {
            const size_t at = static_cast<size_t>(r) * stride + i;
            V<T> e = load_n<T>(x + at, count);
            if constexpr (k_mean) e = hn::Sub(e, m);
            const V<T> g = load_n<T>(dy + at, count);
            sum_g = hn::MulAdd(g, e, sum_g);
            sum_b = hn::Add(sum_b, g);
        }
        store_n<T>(sum_g, sums.g + i, count);
        store_n<T>(sum_b, sums.b + i, count);
    };
    for_vectors<T>(
        0, width, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(d)); }, step);
}

// The sums over the rows [first, last) of the columns [begin, end). Every block is summed on its
// own, so that rounding does not pile up; several rows at once, which changes no number. Two, which
// are as many streams as the first-level cache bears where all rows begin at the same place in a
// page; or one, where what is asked for goes there too. Where a strip is but a part of the row,
// four, of which nothing is asked for ahead (both measured with 48 kB, rows of 4 to 16 kB: faster
// by a tenth to a fifth).
template<class T, bool k_mean>
void sum_columns(const ColumnBackward<T>& a, size_t first, size_t last, size_t begin, size_t end,
                 const ColumnSums<T>& to, Memory memory) {
    const size_t stride = static_cast<size_t>(a.cols);
    HWY_ALIGN Strip<T> part_g;
    HWY_ALIGN Strip<T> part_b;
    const ColumnSums<T> sums{part_g, part_b};
    const bool into_first = memory.fetches_into_first();
    const bool parts = into_first && stride * sizeof(T) > k_strip;
    const bool meet = into_first && stride * sizeof(T) % 4096 == 0;
    std::fill(to.g + begin, to.g + end, T(0));
    std::fill(to.b + begin, to.b + end, T(0));
    for_pieces<T>(Walk::down, k_strip, last - first, begin, end, [&](const Piece& p) HWY_ATTR {
        const T* mean = k_mean ? a.mean + p.column : nullptr;
        for (size_t i = 0; i < p.width; ++i) sums.g[i] = sums.b[i] = 0;
        const T* x = a.x + (first + p.row) * stride + p.column;
        const T* dy = a.dy + (first + p.row) * stride + p.column;
        size_t row = 0;
        const auto together = [&](auto at_once, bool fetch) HWY_ATTR {
            for (; row + at_once() <= p.rows; row += at_once())
                sum_rows<T, k_mean, at_once()>(x + row * stride, dy + row * stride, stride, mean,
                                               sums, p.width, fetch, memory);
        };
        if (parts) together(std::integral_constant<int, 4>(), false);
        if (!meet) together(std::integral_constant<int, 2>(), memory.around);
        together(std::integral_constant<int, 1>(), memory.around);
        for (size_t i = 0; i < p.width; ++i) {
            to.g[p.column + i] += sums.g[i];
            to.b[p.column + i] += sums.b[i];
        }
    });
}

// What makes dx of a vector of columns; rows written together share what is read for them.
template<class T, bool k_mean>
struct TermsAt {
    TermsAt() = default;
    template<class Load>
    HWY_INLINE TermsAt(const T* HWY_RESTRICT mean_of, const ColumnTerms<T>& t, size_t i,
                       Load&& load)
        : r(load(t.r + i)), m1(load(t.m1 + i)), m2(load(t.m2 + i)) {
        if constexpr (k_mean) mean = load(mean_of + i);
    }

    HWY_INLINE V<T> dx(V<T> x, V<T> dy) const {
        if constexpr (k_mean) x = hn::Sub(x, mean);
        return hn::MulAdd(dy, r, hn::MulAdd(x, m2, m1));
    }

    V<T> mean, r, m1, m2;
};

// The columns [begin, end) of a row. Those `ahead` values on are asked for, unless that is 0.
template<class T, bool k_mean>
HWY_INLINE void write_dx(const T* x, const T* dy, T* dx, const T* mean, const ColumnTerms<T>& t,
                         size_t begin, size_t end, size_t ahead, Memory memory) {
    const Tag<T> d;
    const auto value = [&](size_t k, auto&& load) HWY_ATTR {
        const size_t i = begin + k;
        if (ahead > 0) {
            prefetch(x + i + ahead, hn::Lanes(d), memory.rows);
            prefetch(dy + i + ahead, hn::Lanes(d), memory.rows);
        }
        return TermsAt<T, k_mean>(mean, t, i, load).dx(load(x + i), load(dy + i));
    };
    write_row<T>(
        dx + begin, end - begin, memory.around,
        [&](size_t k)
            HWY_ATTR { return value(k, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); }); },
        [&](size_t k, size_t count) HWY_ATTR {
            return value(k, [&](const T* p) HWY_ATTR { return load_part<T>(p, count); });
        });
}

// k_rows rows of a strip, whose length is whole cache lines, past the cache.
template<class T, bool k_mean, int k_rows>
HWY_INLINE void write_dx_together(const T* x, const T* dy, T* dx, const T* mean,
                                  const ColumnTerms<T>& t, size_t stride, size_t width,
                                  Memory memory) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    constexpr size_t step = 4 * k_line / sizeof(T);
    constexpr size_t most = step / HWY_MIN(step, hn::MaxLanes(Tag<T>())); // vectors
    const auto load = [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); };
    const auto few = [&](size_t begin, size_t end) HWY_ATTR {
        for (size_t at = 0; at < k_rows * stride; at += stride)
            write_dx<T, k_mean>(x + at, dy + at, dx + at, mean, t, begin, end, 0, memory);
    };
    const size_t ahead = ahead_of<T>(memory, 2, k_rows);
    size_t i = values_to_line(dx, width);
    few(0, i);
    for (; i + step <= width; i += step) {
        for (size_t at = i + ahead; at < i + ahead + k_rows * stride; at += stride) {
            prefetch(x + at, step, memory.rows);
            prefetch(dy + at, step, memory.rows);
        }
        TermsAt<T, k_mean> terms[most];
        for (size_t k = 0; k * lanes < step; ++k)
            terms[k] = TermsAt<T, k_mean>(mean, t, i + k * lanes, load);
        for (size_t row = 0; row < k_rows; ++row)
            for (size_t k = 0; k * lanes < step; ++k) {
                const size_t at = row * stride + i + k * lanes;
                hn::Stream(terms[k].dx(load(x + at), load(dy + at)), d, dx + at);
            }
    }
    few(i, width);
}

// dγ, dβ and the terms of the columns [begin, end), whose sums stand in dγ and dβ.
template<class T>
void column_terms(const ColumnBackward<T>& a, size_t begin, size_t end, const ColumnTerms<T>& to) {
    // r = γ·rstd, m1 = −r·dβ/T, m2 = −r·s·dγ/T with x̂ = (x − mean)·s
    const T n = static_cast<T>(a.rows);
    for (size_t c = begin; c < end; ++c) {
        const T s = a.mean ? a.rstd[c] : T(1);
        const T r = a.rstd[c] * (a.gamma ? a.gamma[c] : T(1));
        a.dgamma[c] *= s;
        to.r[c] = r;
        to.m1[c] = a.use_mean ? -r * (a.dbeta[c] / n) : T(0);
        to.m2[c] = a.use_projection ? -r * s * (a.dgamma[c] / n) : T(0);
    }
}

// dx of the rows [begin, end). Of long rows four at once, which read what the columns need once,
// where the first level is large (measured with 48 kB, 16384×4096: faster by a tenth). What is
// asked for ahead in memory is a little further on in the same row for the first level, for the
// second the row after it.
template<class T, bool k_mean>
void write_rows(const ColumnBackward<T>& a, size_t begin, size_t end, const ColumnTerms<T>& terms,
                Memory memory) {
    const size_t cols = static_cast<size_t>(a.cols);
    const bool into_first = memory.fetches_into_first();
    for_pieces<T>(Walk::up, into_first ? k_long_strip : k_strip, end - begin, 0, cols,
                  [&](const Piece& p) HWY_ATTR {
                      const size_t c = p.column;
                      const ColumnTerms<T> here{terms.r + c, terms.m1 + c, terms.m2 + c};
                      const T* mean = k_mean ? a.mean + c : nullptr;
                      const size_t last = begin + p.row + p.rows - 1;
                      size_t row = begin + p.row;
                      constexpr int k_rows = 4;
                      if (into_first && p.width * sizeof(T) > k_long_strip / 2 &&
                          cols * sizeof(T) % k_line == 0)
                          for (; row + k_rows <= last + 1; row += k_rows) {
                              const size_t at = row * cols + c;
                              write_dx_together<T, k_mean, k_rows>(a.x + at, a.dy + at, a.dx + at,
                                                                   mean, here, cols, p.width,
                                                                   memory);
                          }
                      for (; row <= last; ++row) {
                          const size_t at = row * cols + c;
                          const size_t next = memory.around && row < last ? cols : 0;
                          const size_t ahead = into_first ? ahead_of<T>(memory, 2) : next;
                          write_dx<T, k_mean>(a.x + at, a.dy + at, a.dx + at, mean, here, 0,
                                              p.width, ahead, memory);
                      }
                  });
    if (memory.around) hwy::FlushStream();
}

// A few values, for which filling and emptying vectors costs more than the sums.
template<class T>
void tiny_columns(const ColumnBackward<T>& a) {
    const T inv_n = T(1) / static_cast<T>(a.rows);
    for (Index d = 0; d < a.cols; ++d) {
        const T mean = a.mean ? a.mean[d] : T(0);
        const T s = a.mean ? a.rstd[d] : T(1);
        T dgamma = 0;
        T dbeta = 0;
        for (Index at = d; at < a.rows * a.cols; at += a.cols) {
            dgamma += a.dy[at] * ((a.x[at] - mean) * s);
            dbeta += a.dy[at];
        }
        a.dgamma[d] = dgamma;
        a.dbeta[d] = dbeta;
        const T r = a.rstd[d] * (a.gamma ? a.gamma[d] : T(1));
        const T mean_g = a.use_mean ? dbeta * inv_n : T(0);
        const T mean_gx = a.use_projection ? dgamma * inv_n : T(0);
        for (Index at = d; at < a.rows * a.cols; at += a.cols)
            a.dx[at] = (a.dy[at] - mean_g - (a.x[at] - mean) * s * mean_gx) * r;
    }
}

template<class T>
void sum_any(const ColumnBackward<T>& a, size_t first, size_t last, size_t begin, size_t end,
             const ColumnSums<T>& to, Memory memory) {
    a.mean ? sum_columns<T, true>(a, first, last, begin, end, to, memory)
           : sum_columns<T, false>(a, first, last, begin, end, to, memory);
}

template<class T>
void write_any(const ColumnBackward<T>& a, size_t begin, size_t end, const ColumnTerms<T>& terms,
               Memory memory) {
    a.mean ? write_rows<T, true>(a, begin, end, terms, memory)
           : write_rows<T, false>(a, begin, end, terms, memory);
}

template<class T>
constexpr ColumnBackwardKernels<T> k_kernels{tiny_columns<T>, sum_any<T>, column_terms<T>,
                                             write_any<T>};
auto column_backwards() {
    return std::pair(&k_kernels<float>, &k_kernels<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(column_backwards);

constexpr Index k_tiny = 64;         // values in all
constexpr Index k_grain = 16 * 1024; // values: fewer a thread are not worth waking it
constexpr Index k_group = 64;        // columns are shared out in groups of whole cache lines
constexpr Index k_few_rows = 64;     // a thread: fewer are not shared out

// A thread sums up the rows whose dx it writes afterwards: they are still in the cache of its core.
// Of few rows it sums up a part of the columns, as sums of a thread's own cost more than that
// saves.
template<class S>
void batch_backward(const ColumnBackward<S>& a, int threads) {
    const ColumnBackwardKernels<S>& kernels =
        *in_precision<S>(HWY_DYNAMIC_DISPATCH(column_backwards)());
    if (a.rows * a.cols <= k_tiny) return kernels.tiny(a);
    const Index groups = (a.cols + k_group - 1) / k_group;
    const int useful = useful_threads(threads, a.rows * a.cols, k_grain);
    const int chunks = static_cast<int>(std::min<Index>(useful, a.rows));
    const bool by_rows = a.rows >= k_few_rows * chunks;
    const Memory memory =
        a.memory.value_or(memory_for(3 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks));
    const auto size = [](Index n) { return static_cast<std::size_t>(n); };
    const Scratch<S> room(3, size(a.cols));
    const ColumnTerms<S> terms{room.array(0), room.array(1), room.array(2)};
    if (by_rows) {
        const Scratch<S> own(size(2 * (chunks - 1)), size(a.cols), Gap::page);
        const auto sums_of = [&](int chunk) {
            if (chunk == 0) return ColumnSums<S>{a.dgamma, a.dbeta};
            return ColumnSums<S>{own.array(size(2 * chunk - 2)), own.array(size(2 * chunk - 1))};
        };
        parallel_chunks(chunks, a.rows, [&](int chunk, Index first, Index last) {
            kernels.sum(a, size(first), size(last), 0, size(a.cols), sums_of(chunk), memory);
        });
        for (int chunk = 1; chunk < chunks; ++chunk) {
            const ColumnSums<S> next = sums_of(chunk);
            for (Index c = 0; c < a.cols; ++c) a.dgamma[c] += next.g[c];
            for (Index c = 0; c < a.cols; ++c) a.dbeta[c] += next.b[c];
        }
        kernels.terms(a, 0, size(a.cols), terms);
    } else {
        parallel_chunks(
            static_cast<int>(std::min<Index>(useful, groups)), groups,
            [&](int, Index first, Index last) {
                const std::size_t begin = size(first * k_group);
                const std::size_t end = size(std::min(a.cols, last * k_group));
                kernels.sum(a, 0, size(a.rows), begin, end, {a.dgamma, a.dbeta}, memory);
                kernels.terms(a, begin, end, terms);
            });
    }
    parallel_chunks(chunks, a.rows, [&](int, Index first, Index last) {
        kernels.write(a, size(first), size(last), terms, memory);
    });
}

template decltype(batch_backward<float>) batch_backward<float>;
template decltype(batch_backward<double>) batch_backward<double>;

} // namespace normscope::kernels
#endif
